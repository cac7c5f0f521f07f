import { isLongNumber, normalizePartNumber, quotableLine } from "@partline/parts-language";
import { termsOf } from "@partline/parts-search";
import { isCalled, relevanceOf } from "./names.ts";
import { NO_PAGE, type FitmentRow, type Passage } from "./port.ts";
import type { Item } from "./question.ts";
import { MACHINES, measureAsked, NOISE, SAYS, SYMPTOMS, isAskingTerm, type Measure } from "./vocabulary.ts";

/** What the text of a manual says to a question, word for word. */
export interface Quote {
  line: string;
  sha256: string;
  page: number;
  equipment: string;
  /** The same manual gives another value for what was asked, in another quote. */
  isOneOfSeveral?: true;
}

const MOST_QUOTES = 2;
/** Share of the words that a line has, if none has all of them. */
const MOST_OF_ALL = 0.66;
const MOST_LINES_OF_A_ROW = 5;
/** Different values that one answer quotes: a manual may contradict itself. */
const MOST_VALUES = 4;
/** Words of a heading that stands over a paragraph. */
const LONGEST_HEADING = 5;
/** Ends in a value with its unit, as a row that has one does: `Blade bolt 1/4-20 UNC 104 in-lb (12 N·m)`. */
const ENDS_IN_VALUE =
  /\d\s*(?:(?:(?:ft|in)[.\s-]*lbs?\.?|(?:foot|inch)[\s-]*pounds?|n\W?m|kgf|hours?|hrs?|days?|psi|kpa|bar|(?:fl\.?\s*)?oz|qts?|quarts?|pints?|gal|gallons?|l|liters?|litres?|ml|cc|in|inch(?:es)?|mm|rpm)|")\s*(?:\([^()]*\))?$/i;
const UNIT = /^(?:rpm|hours?|hrs?|psi|kpa|ft|in|mm|lbs?|cc|watts?|volts?)\b/i;

export interface Quoted {
  quotes: Quote[];
  /** A size, a torque or the like was asked for. */
  isMeasured: boolean;
  /** They answer what was asked, even if parts are called so. */
  isAnswer: boolean;
  /** What was asked for and no line has: `torque`. */
  untold?: string;
}

type AskedOfText = Pick<Item, "text" | "terms" | "wanted" | "models" | "symptom" | "isTold"> &
  Partial<Pick<Item, "strangers">>;

/**
 * Lines that have all that is asked for, with the unit where a measure is asked. What lists parts is no text: its rows
 * are answered as parts.
 * @param rows of parts, those on the passages' pages among them
 */
export function quotesOf(item: AskedOfText, searched: readonly Passage[], rows: readonly FitmentRow[]): Quoted {
  if (item.symptom) return { quotes: symptomQuotes(item, searched), isMeasured: true, isAnswer: false };
  const { text, terms, wanted, models, strangers = [] } = item;
  const measure = measureAsked(text);
  const isOfManual = measure?.isOfManual === true;
  const named = isOfManual ? [] : terms.filter((term) => measure === undefined || !isAskingTerm(term));
  const isOfMachine = isOfManual || (measure?.name !== undefined && models.length > 0);
  const isWish = wanted === "part" && !item.isTold && !SAYS["part number"].test(text);
  if (
    (named.length === 0 && !isOfMachine) ||
    !(measure || wanted === "page" || isWish) ||
    (!measure && named.every((term) => MACHINES.has(term)))
  )
    return { quotes: [], isMeasured: false, isAnswer: false };
  // A line of one machine answers for no machine that has no manual. A stored document is no manual.
  const isOfStrangers = (passage: Passage): boolean => {
    const said = normalizePartNumber([passage.text, ...passage.equipment].join(" "));
    return models.length > 0 || strangers.every(({ name }) => said.includes(normalizePartNumber(name)));
  };
  const telling = searched
    .filter((passage) => !(isOfManual && passage.page === NO_PAGE) && isOfStrangers(passage))
    .flatMap(({ sha256, page, text: passage, equipment }) => {
      const numbers = rows.filter((row) => row.sha256 === sha256 && row.page === page).map(({ pnNorm }) => pnNorm);
      const tells = ({ text: line, over }: Unit): boolean => {
        // A line of a table of contents, of a parts list.
        if (/\.{5}/.test(line) || (!isOfManual && hasLongNumber(line))) return false;
        if (numbers.some((number) => normalizePartNumber(line).includes(number))) return false;
        if (measure)
          return (
            measure.told.test(line) && (!measure.isByName || [line, over].some((each) => measure.asked.test(each)))
          );
        const isMore = line.split(/\s+/).length > named.length + 1 && !ENDS_IN_VALUE.test(line);
        return isMore && termsOf(line).some((term) => named.includes(term));
      };
      const of = models.find((model) => equipment.includes(model)) ?? equipment[0] ?? "";
      return unitsOf(passage)
        .filter(tells)
        .map(({ text: line }) => ({
          line,
          quotes: quotableLine(line).map((said) => ({ sha256, page, equipment: of, line: said })),
        }));
    });
  const quoted = (holds: (line: string) => boolean): Quote[] =>
    telling.flatMap(({ line, quotes }) => (holds(line) ? quotes : []));
  const shareOf = (line: string): number => named.filter((term) => isCalled([term], line)).length / named.length;
  const nearly = (models.length > 0 && named.length > 2 ? quoted(() => true) : [])
    .filter(({ line }) => shareOf(line) >= MOST_OF_ALL)
    .sort((a, b) => shareOf(b.line) - shareOf(a.line));
  const all = [
    quoted((line) => isCalled(named, line)),
    measure ? quoted((line) => namesPlainly(line, named)) : [],
    nearly,
  ].find((some) => some.length > 0);
  const distinct = [...new Map(all?.map((each) => [`${each.sha256} ${each.page} ${each.line}`, each])).values()];
  const quotes = measure ? differing(distinct) : distinct.slice(0, MOST_QUOTES);
  const isUntold = measure?.name !== undefined && quotes.length === 0 && !isOfName(text, measure, named);
  return {
    quotes,
    isMeasured: measure !== undefined,
    isAnswer: (measure?.isOfParts === false || SAYS["no part"].test(text)) && quotes.length > 0,
    ...(isUntold && { untold: measure.name }),
  };
}

/** Lines that speak of a symptom: the rows of a troubleshooting table before what is said of it elsewhere. */
function symptomQuotes({ symptom, models }: Pick<Item, "symptom" | "models">, passages: readonly Passage[]): Quote[] {
  const { asked } = symptom!;
  const said = passages.flatMap(({ sha256, page, text, equipment }) => {
    const rows = troubleRows(text, asked);
    const lines = rows.length > 0 ? rows : unitsOf(text).flatMap((unit) => (asked.test(unit.text) ? [unit.text] : []));
    const of = models.find((model) => equipment.includes(model)) ?? equipment[0] ?? "";
    return lines.flatMap(quotableLine).map((line) => ({ sha256, page, line, equipment: of, isRow: rows.length > 0 }));
  });
  return said
    .sort((a, b) => Number(b.isRow) - Number(a.isRow))
    .slice(0, MOST_QUOTES)
    .map(({ isRow: _, ...quote }) => quote);
}

/**
 * Rows that begin with the symptom, each with the lines under it, up to the next symptom: what causes it, what to do.
 * Cells may stand one blank apart, as words do; lines of a sentence go on in lower case.
 */
function troubleRows(text: string, asked: RegExp): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const begins = (line: string, symptom: RegExp): boolean => {
    const [cell = "", ...others] = line.split(/ {2,}/);
    const at = cell.search(symptom);
    return at >= 0 && (others.length > 0 || at < cell.length / 2);
  };
  const isRow = (line = ""): boolean => /^[\p{Lu}\d]/u.test(line) && !/[.,;:]$/.test(line);
  return lines.flatMap((line, at) => {
    if (!begins(line, asked) || !isRow(line) || !isRow(lines[at + 1] || "Last")) return [];
    const end = lines.findIndex(
      (next, behind) => behind > at && (!isRow(next) || SYMPTOMS.some((symptom) => begins(next, symptom.asked))),
    );
    const row = lines.slice(at, Math.min(end === -1 ? lines.length : end, at + MOST_LINES_OF_A_ROW));
    return [row.map((each) => each.replace(/ {2,}/g, "; ")).join("; ")];
  });
}

/**
 * Of quotes one for each value that a manual gives for a subject, those of a manual that gives several for one marked.
 */
function differing(quotes: readonly Quote[]): Quote[] {
  const valuesOf = ({ sha256, line }: Quote): string =>
    `${sha256} ${(line.match(/\d+(?:[.,/]\d+)*/g) ?? []).join(" ")}`;
  const different = quotes
    .filter((quote, at) => quotes.findIndex((other) => valuesOf(other) === valuesOf(quote)) === at)
    .slice(0, MOST_VALUES);
  return different.map((quote) =>
    different.filter(({ sha256 }) => sha256 === quote.sha256).length > 1
      ? { ...quote, isOneOfSeveral: true as const }
      : quote,
  );
}

/** Whether the word for a measure is part of a part's name: a torque converter. */
function isOfName(text: string, { asked }: Measure, named: readonly string[]): boolean {
  const behind = /^ (\S+)/.exec(text.slice(text.search(asked)).replace(asked, ""))?.[1] ?? "";
  return termsOf(behind).some((term) => named.includes(term));
}

/**
 * Whether a line calls by its bare name what is asked for as the machine's: `the oil` is the engine oil, `the hydraulic
 * oil` is another.
 */
function namesPlainly(line: string, named: readonly string[]): boolean {
  const bare = named.filter((term) => !MACHINES.has(term));
  if (bare.length === 0 || bare.length === named.length) return false;
  const words = termsOf(line);
  const things = named.filter((term, at) => MACHINES.has(named[at - 1] ?? "") && !MACHINES.has(term));
  const isBare = (thing: string): boolean =>
    words.some(
      (word, at) => word === thing && (at === 0 || NOISE.has(words[at - 1]!) || named.includes(words[at - 1]!)),
    );
  return relevanceOf({ terms: bare }, { description: line }).coverage === 1 && things.every(isBare);
}

interface Unit {
  text: string;
  /** Of a row, what heads its table; else empty. */
  over: string;
}

/** Rows of a table as they stand, and the sentences of what stands between them. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0)
      units.push(
        ...paragraph
          .join(" ")
          .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
          .map((sentence) => ({ text: sentence, over: "" })),
      );
    paragraph = [];
  };
  const lines = text.split("\n");
  // Cells may be one blank apart, as words are: such rows end in a value.
  const isRow = (at: number): boolean =>
    /^\s*\p{Lu}(?!.*[.!?]\s+\p{Lu})/u.test(lines[at]!) &&
    ENDS_IN_VALUE.test(lines[at]!.trim()) &&
    !/^\s*\p{Ll}/u.test(lines[at + 1] ?? "");
  for (const [at, line] of lines.entries()) {
    const isHeading =
      paragraph.length === 0 &&
      line.trim().split(/\s+/).length <= LONGEST_HEADING &&
      !/[.,;:!?]$/.test(line.trim()) &&
      /^\s*\p{Lu}/u.test(lines[at + 1] ?? "");
    if (isHeading || /\S {2,}\S/.test(line) || isRow(at)) {
      end();
      units.push({ text: line, over: isHeading ? "" : (units.findLast((unit) => !/\d/.test(unit.text))?.text ?? "") });
    } else if (line.trim() === "") end();
    else paragraph.push(line.trim());
  }
  end();
  return units;
}

/** A number as long as a part's that counts no unit. */
function hasLongNumber(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.some(
    (word, at) => isLongNumber(word.replace(/^[(,;]+|[),;:.]+$/g, "")) && !UNIT.test(words[at + 1] ?? ""),
  );
}
