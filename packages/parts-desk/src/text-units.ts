import { normalizePartNumber } from "@partline/parts-language";
import { getAt } from "@partline/toolkit";

/** How the text of a manual's page is cut into what can be quoted: rows of tables and lists, and sentences. */

/** Lines of a row, and below what says what they are of. */
export const MOST_LINES_OF_A_ROW = 5;
/** Words of a heading that stands over a paragraph. */
const LONGEST_HEADING = 5;
/** Ends in a value with its unit, as a row that has one does: `Blade bolt 1/4-20 UNC 104 in-lb (12 N·m)`. */
export const ENDS_IN_VALUE =
  /\d\s*(?:(?:(?:ft|in)[.\s-]*lbs?\.?|(?:foot|inch)[\s-]*pounds?|(?:da|c)?n\W?m|kgf|hours?|hrs?|days?|psi|kpa|bar|(?:fl\.?\s*)?oz|qts?|quarts?|pints?|gal|gallons?|l|liters?|litres?|ml|cc|in|inch(?:es)?|mm|rpm)|")\s*(?:\([^()]*\))?$/i;
/** `Fuel tank capacity (L) 3.6` */
const HAS_OWN_UNIT = /\([\p{L}°³]{1,4}\) \d[\d.,/]*(?: \d[\d.,/]*)*$/u;
/** A table's head that has several units: `Item kg-cm in.-lb. ft.-lb.` */
const HEADS_WITH_UNITS = /(?<=\s)(?:(?:ft|in)\W{1,2}lbs?\b|n\W?m\b|kg\W?(?:c?m|f)\b|psi\b|kpa\b|bar\b)/giu;
/** A row of such a table: `Motor torque arm 15 13.0 - Apply Loctite`. */
const HAS_VALUES = /\p{L}.*\s\d[\d.~–-]*(?:\s+(?:\d[\d.~–-]*|-)(?=\s|$)|\s*$)/u;
/** What heads a table with the unit of its numbers: `Tightening torques (in daN.m)`. */
const HEADS_WITH_UNIT = /[([](?:(?:in|en|em)\s+)?([\p{L}µ°"./·-]{1,8})[)\]]\s*$/u;
/** Sentences before one that may name what it speaks of. */
const NEIGHBOURS = 2;
/** A cell that goes on behind its value, in the next line: `Fuel tank 3.6`, `capacity (L)`. */
const WRAPPED_CELL = /^(\p{L}[^\d\n]*?) (\d[\d.,/]*)\n((?:\p{Ll}[^\d\n]*)?\([\p{L}°³]{1,4}\))$/gmu;
/** Says what the lines under it are of: `Type and quantity of gear oil:`. */
const LEADS = /^\s*\p{Lu}\S*(?: [^\s.:]+){2,8}:$/u;
/** A line of a specification: `Power Consumption : Approx 19W`. */
const LABELLED = /^\s*(?=\p{Lu})[^:.!?]{2,40}:\s*\S/u;
/** A line of a list: `110 2 Diode`. */
const NUMBERED = /^\s*\d{1,4}[.)]?\s+\S/u;

export interface Unit {
  text: string;
  /** Of a row, what heads its table; else empty. */
  over: string;
  /** Of a row's last number, if what heads the table says it. */
  unit?: string;
  /** Of a sentence, it with those before it, the shortest first. */
  spans: readonly string[];
  /** What heads the row's table with several machines. */
  machines?: string;
}

interface Head {
  text: string;
  unit: string;
  hasSeveral: boolean;
}

export function readHead(line: string): Head | undefined {
  const units = line.match(HEADS_WITH_UNITS) ?? [];
  const hasSeveral = units.length > 1;
  const unit = hasSeveral ? units.at(-1) : HEADS_WITH_UNIT.exec(line)?.[1];
  return unit === undefined || /\d/.test(line) ? undefined : { text: line.trim(), unit, hasSeveral };
}

/**
 * Splits a text into the rows of its tables and the sentences between them. @param pageHead of a table that begins in
 * another piece of the page
 */
export function splitUnits(text: string, equipmentKeys: ReadonlySet<string> = new Set(), pageHead?: Head): Unit[] {
  const units: Unit[] = [];
  let paragraph: string[] = [];
  let machines: string | undefined;
  /** What the line before says these lines are of, and the last such line. */
  let [lead, lastLed] = ["", 0];
  const end = (): void => {
    if (paragraph.length > 0) units.push(...splitSentences(lead + paragraph.join(" ")));
    paragraph = [];
  };
  const lines = text.replace(WRAPPED_CELL, "$1 $3 $2").split("\n");
  /** What heads the rows below with the unit of their numbers. */
  let head = pageHead;
  const isValued = (line: string): boolean =>
    head !== undefined &&
    !HAS_OWN_UNIT.test(line) &&
    (head.hasSeveral ? HAS_VALUES : /\s\d+(?:[.,]\d+)?\s*$/).test(line);
  // Cells may be one blank apart, as words are: such rows end in a value.
  const isRow = (line: string, nextLine = ""): boolean =>
    /^\s*\p{Lu}(?!.*[.!?]\s+\p{Lu})/u.test(line) &&
    (ENDS_IN_VALUE.test(line.trim()) ||
      HAS_OWN_UNIT.test(line) ||
      isValued(line) ||
      (machines !== undefined && /\d[^.]*$/.test(line))) &&
    (head?.hasSeveral === true || !/^\s*\p{Ll}/u.test(nextLine));
  /** Whether a line and one beside it are written alike, as those of a list are. */
  const isListed = (index: number): boolean =>
    [LABELLED, NUMBERED].some(
      (form) => form.test(getAt(lines, index)) && [index - 1, index + 1].some((near) => form.test(lines[near] ?? "")),
    );
  for (const [index, line] of lines.entries()) {
    head = readHead(line) ?? head;
    if (index > lastLed) lead = "";
    const isOfKnown = (word: string): boolean => equipmentKeys.has(normalizePartNumber(word));
    if (line.split(/\s+/).filter(isOfKnown).length > 1) machines = line.trim();
    const isHeading =
      paragraph.length === 0 &&
      line.trim().split(/\s+/).length <= LONGEST_HEADING &&
      !/[.,;:!?]$/.test(line.trim()) &&
      /^\s*\p{Lu}/u.test(lines[index + 1] ?? "") &&
      !isValued(line);
    if (isHeading || /\S {2,}\S/.test(line) || isRow(line, lines[index + 1]) || isListed(index)) {
      end();
      const over = isHeading ? "" : (units.findLast(({ text: unitText }) => !/\d/.test(unitText))?.text ?? "");
      const valued = head && isValued(line) ? { over: head.text, unit: head.unit } : { over };
      units.push({ text: lead + line, spans: [], ...valued, ...(machines !== undefined && { machines }) });
    } else if (line.trim() === "" || LEADS.test(line)) {
      end();
      [lead, lastLed] = [line.trim() && `${line.trim()} `, index + MOST_LINES_OF_A_ROW];
    } else paragraph.push(line.trim());
  }
  end();
  return units;
}

/** Splits a paragraph into sentences, each with the spans that it and those before it make. */
function splitSentences(paragraph: string): Unit[] {
  const sentences = paragraph.split(/(?<=[.!?])\s+(?=\p{Lu})|\s+(?=\d{1,2}\)\s+\p{Lu})/u);
  return sentences.map((text, index) => {
    const spans: string[] = [];
    for (let distance = 1; distance <= Math.min(NEIGHBOURS, index); distance += 1)
      spans.push(sentences.slice(index - distance, index + 1).join(" "));
    return { text, over: "", spans };
  });
}
