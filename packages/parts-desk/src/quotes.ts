import { isCalled, scoreRelevance } from "@partline/parts-search";
import { splitTerms } from "@partline/parts-language/terms";
import {
  MACHINES,
  findMeasure,
  NOISE,
  PART_WORDS,
  SAYS,
  SYMPTOMS,
  isAskingTerm,
  readLanguage,
  type Measure,
  type Item,
} from "@partline/parts-language/words";
import { isLongNumber, normalizePartNumber, cleanLine, findTireSize } from "@partline/parts-language";
import { getAt } from "@partline/toolkit";
import { isIn } from "./machines.ts";
import { NO_PAGE, type FitmentRow, type Passage } from "./port.ts";

/** What the text of a manual says to a question, word for word. */
export interface Quote {
  line: string;
  sha256: string;
  page: number;
  equipment: string;
  /** The same manual gives another value for what was asked, in another quote. */
  isOneOfSeveral?: true;
}

/** Numbers in words; of other languages the commonest. */
export const NUMBER_WORDS =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*(?:zehn|zwanzig|dreißig|vierzig|fünfzig)|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cien|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|trente|cent|mille)\b/iu;
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
  /\d\s*(?:(?:(?:ft|in)[.\s-]*lbs?\.?|(?:foot|inch)[\s-]*pounds?|(?:da|c)?n\W?m|kgf|hours?|hrs?|days?|psi|kpa|bar|(?:fl\.?\s*)?oz|qts?|quarts?|pints?|gal|gallons?|l|liters?|litres?|ml|cc|in|inch(?:es)?|mm|rpm)|")\s*(?:\([^()]*\))?$/i;
/** `Fuel tank capacity (L) 3.6` */
const HAS_OWN_UNIT = /\([\p{L}°³]{1,4}\) \d[\d.,/]*(?: \d[\d.,/]*)*$/u;
/** A table's head that has several units: `Item kg-cm in.-lb. ft.-lb.` */
const HEADS_WITH_UNITS = /(?<=\s)(?:(?:ft|in)\W{1,2}lbs?\b|n\W?m\b|kg\W?(?:c?m|f)\b|psi\b|kpa\b|bar\b)/giu;
/** Says which number to order: no parts list has the whole of a kit. */
const NAMES_NUMBER = /\b(?:part|kit|order)\b[^.]{0,20}#\s?\d{4}/i;
/** A row of such a table: `Motor torque arm 15 13.0 - Apply Loctite`. */
const HAS_VALUES = /\p{L}.*\s\d[\d.~–-]*(?:\s+(?:\d[\d.~–-]*|-)(?=\s|$)|\s*$)/u;
/** What heads a table with the unit of its numbers: `Tightening torques (in daN.m)`. */
const HEADS_WITH_UNIT = /[([](?:(?:in|en|em)\s+)?([\p{L}µ°"./·-]{1,8})[)\]]\s*$/u;
/** Sentences before one that may name what it speaks of. */
const NEIGHBOURS = 2;
/** Characters of a statement before the measure that it says. */
const MOST_BEFORE = 160;
/** A cell that goes on behind its value, in the next line: `Fuel tank 3.6`, `capacity (L)`. */
const WRAPPED_CELL = /^(\p{L}[^\d\n]*?) (\d[\d.,/]*)\n((?:\p{Ll}[^\d\n]*)?\([\p{L}°³]{1,4}\))$/gmu;
/** Says what the lines under it are of: `Type and quantity of gear oil:`. */
const LEADS = /^\s*\p{Lu}\S*(?: [^\s.:]+){2,8}:$/u;
/** A line of a specification: `Power Consumption : Approx 19W`. */
const LABELLED = /^\s*(?=\p{Lu})[^:.!?]{2,40}:\s*\S/u;
/** A line of a list: `110 2 Diode`. */
const NUMBERED = /^\s*\d{1,4}[.)]?\s+\S/u;
const CAPTION = /^\s*(?:fig(?:ure|ura)?|abb(?:ildung)?)\b\.?\s*\d/iu;
/** `1366x768` */
const DIMENSIONS = /^\d+[x×]\d+$/i;
const UNIT = /^(?:rpm|hours?|hrs?|psi|kpa|ft|in|mm|lbs?|cc|watts?|volts?)\b/i;

export interface QuoteResult {
  quotes: Quote[];
  /** A size, a torque or the like was asked for. */
  isMeasured: boolean;
  /** They answer what was asked, even if parts are called so. */
  isAnswer: boolean;
  /** What was asked for and no line has: `torque`. */
  untold?: string;
  /** Some line says it of something that is called like it. */
  mayBeTold?: true;
}

type AskedOfText = Pick<Item, "text" | "terms" | "wanted" | "models" | "symptom" | "isTold" | "typed"> &
  Partial<Pick<Item, "strangers">>;

/**
 * Finds lines that have all that is asked for, with the unit where a measure is asked. What lists parts is no text: its rows
 * are answered as parts.
 * @param rows of parts, those on the passages' pages among them
 */
export function findQuotes(item: AskedOfText, searched: readonly Passage[], rows: readonly FitmentRow[]): QuoteResult {
  if (item.symptom) return { quotes: findSymptomQuotes(item, searched), isMeasured: true, isAnswer: false };
  const { text, terms, wanted: intent, models, strangers = [], typed } = item;
  // Manuals in the asker's language call things as the asker does.
  const toEnglish = (line: string): string => (typed === undefined ? line : readLanguage(line).text);
  const measure = findMeasure(text);
  const isOfManual = measure?.isOfManual === true;
  const subjectTerms = isOfManual ? [] : terms.filter((term) => measure === undefined || !isAskingTerm(term));
  const isOfMachine = isOfManual || (measure?.name !== undefined && models.length > 0);
  const isOfNumber = SAYS["part number"].test(text);
  const isWish = (intent === "part" || intent === "quantity") && !item.isTold;
  if (
    (subjectTerms.length === 0 && !isOfMachine) ||
    !(measure || intent === "page" || isWish) ||
    (!measure && subjectTerms.every((term) => MACHINES.has(term)))
  )
    return { quotes: [], isMeasured: false, isAnswer: false };
  // A line of one machine answers for no machine that has no manual. A stored document is no manual.
  const isOfStrangers = (passage: Passage): boolean => {
    const normalizedText = normalizePartNumber([passage.text, ...passage.equipment].join(" "));
    return models.length > 0 || strangers.every(({ name }) => normalizedText.includes(normalizePartNumber(name)));
  };
  const telling = searched
    .filter((passage) => !(isOfManual && passage.page === NO_PAGE) && isOfStrangers(passage))
    .flatMap(({ sha256, page, text: passage, equipment }) => {
      const numbers = rows.filter((row) => row.sha256 === sha256 && row.page === page).map(({ pnNorm }) => pnNorm);
      const isAnswerLine = ({ text: line, over, unit, machines }: Unit): boolean => {
        // Of a table that other machines head.
        if (machines !== undefined && models.length > 0 && !models.some((model) => isIn(model, machines))) return false;
        // A line of a table of contents, a figure's name.
        if (/\.{5}/.test(line) || CAPTION.test(line)) return false;
        if (!measure && NAMES_NUMBER.test(line)) return true;
        if ((isOfNumber && !measure) || (!isOfManual && hasLongNumber(line))) return false;
        if (numbers.some((number) => normalizePartNumber(line).includes(number))) return false;
        if (measure)
          return (
            measure.told.test(unit === undefined ? line : `${line} 1 ${unit}`) &&
            (!measure.isByName || [line, over].some((part) => measure.asked.test(toEnglish(part))))
          );
        if (intent === "quantity" && !/\d/.test(line) && !NUMBER_WORDS.test(line)) return false;
        const isMore = line.split(/\s+/).length > subjectTerms.length + 1 && !ENDS_IN_VALUE.test(line);
        return isMore && splitTerms(line).some((term) => subjectTerms.includes(term));
      };
      const sourceModel = models.find((model) => equipment.includes(model)) ?? equipment[0] ?? "";
      const pagePieces = searched.filter((piece) => piece.sha256 === sha256 && piece.page === page);
      const [pageHead] = pagePieces.flatMap((piece) => piece.text.split("\n").flatMap((line) => readHead(line) ?? []));
      const equipmentKeys = new Set(equipment.map(normalizePartNumber));
      return splitUnits(passage, equipmentKeys, pageHead?.hasSeveral ? pageHead : undefined)
        .filter(isAnswerLine)
        .map(({ text: line, over, unit, spans, machines }) => {
          const toQuotes = (statement: string): Quote[] =>
            cleanLine(cutBefore(statement, measure)).map((quotedLine) => ({
              sha256,
              page,
              equipment: sourceModel,
              line: quotedLine,
            }));
          const head = machines ?? (unit === undefined ? undefined : over);
          return {
            line: toEnglish(line),
            quotes: toQuotes(head === undefined ? line : `${head}: ${line}`),
            spans,
            toQuotes,
          };
        });
    });
  // Of lines that name the thing, the one that has the question's verb, too, says what it is asked: `is fitted with`.
  const askedWords = new Set(text.toLowerCase().match(/\p{L}{4,}/gu));
  const countAskedWords = (line: string): number =>
    new Set(
      line
        .toLowerCase()
        .match(/\p{L}{4,}/gu)
        ?.filter((word) => askedWords.has(word)),
    ).size;
  if (!measure) telling.sort((a, b) => countAskedWords(b.line) - countAskedWords(a.line));
  const selectQuotes = (holds: (line: string) => boolean): Quote[] =>
    telling.flatMap(({ line, quotes }) => (holds(line) ? quotes : []));
  const askedTerms = new Set([...splitTerms(text), ...terms]);
  /** Returns whether a sentence names a part that is not asked for: what stands before it says nothing of that. */
  const isOfOther = (line: string): boolean =>
    splitTerms(line).some((term) => PART_WORDS.has(term) && !askedTerms.has(term));
  const selectSpan = (spans: readonly string[]): string[] =>
    spans.filter((span) => subjectTerms.length > 0 && isCalled(subjectTerms, span)).slice(0, 1);
  const getShare = (line: string): number =>
    subjectTerms.filter((term) => isCalled([term], line)).length / subjectTerms.length;
  const askingTerms = splitTerms(measure?.asked.exec(text)?.[0] ?? "");
  const thingTerms = subjectTerms.filter((term) => !askingTerms.includes(term));
  const nearly = (models.length > 0 && subjectTerms.length > 2 ? telling : [])
    .filter(({ line }) => getShare(line) >= MOST_OF_ALL)
    .sort((a, b) => getShare(b.line) - getShare(a.line))
    .flatMap(({ quotes }) => quotes);
  const bestQuotes = [
    // `Parking stand kit: … Order part #102170.`
    telling.flatMap(({ line, spans, toQuotes }) =>
      !measure && NAMES_NUMBER.test(line) ? selectSpan([line, ...spans]).flatMap(toQuotes) : [],
    ),
    selectQuotes((line) => isCalled(subjectTerms, line)),
    measure ? selectQuotes((line) => isPlainlyNamed(line, subjectTerms)) : [],
    measure
      ? telling.flatMap(({ line, spans, toQuotes }) => (isOfOther(line) ? [] : selectSpan(spans).flatMap(toQuotes)))
      : [],
    nearly,
    // `How much oil does the gearbox hold?` of `Gearbox holds 168 fluid oz.`
    thingTerms.some((term) => !MACHINES.has(term)) && thingTerms.length < subjectTerms.length
      ? selectQuotes((line) => isCalled(thingTerms, line))
      : [],
  ].find((group) => group.length > 0);
  const distinct = [
    ...new Map(bestQuotes?.map((quote) => [`${quote.sha256} ${quote.page} ${quote.line}`, quote])).values(),
  ];
  // A line that is read word by word is sure where it names the measure.
  const namedLines = typed === undefined ? [] : distinct.filter(({ line }) => measure?.asked.test(toEnglish(line)));
  const quotes = measure
    ? pickDifferingQuotes(namedLines.length > 0 ? namedLines : distinct)
    : distinct.slice(0, MOST_QUOTES);
  const isAlike = (text: string): boolean => subjectTerms.some((term) => isCalled([term], text));
  const isUntold = measure?.name !== undefined && quotes.length === 0 && !isOfName(text, measure, subjectTerms);
  return {
    quotes,
    isMeasured: measure !== undefined,
    isAnswer: (measure?.isOfParts === false || SAYS["no part"].test(text)) && quotes.length > 0,
    ...(isUntold && { untold: measure.name }),
    ...(isUntold && telling.some(({ line }) => isAlike(line) || !isOfOther(line)) && { mayBeTold: true as const }),
  };
}

/** Cuts what a long statement says before the measure, which would be cut off behind it. */
function cutBefore(statement: string, measure: Measure | undefined): string {
  const place = measure ? statement.search(measure.told) : -1;
  return place > MOST_BEFORE ? `…${statement.slice(place - MOST_BEFORE).replace(/^\S*/, "")}` : statement;
}

/** Finds lines that speak of a symptom: the rows of a troubleshooting table before what is said of it elsewhere. */
function findSymptomQuotes(
  { symptom, models }: Pick<Item, "symptom" | "models">,
  passages: readonly Passage[],
): Quote[] {
  const { asked: pattern } = symptom!;
  const quotes = passages.flatMap(({ sha256, page, text, equipment }) => {
    const rows = findTroubleRows(text, pattern);
    const lines =
      rows.length > 0 ? rows : splitUnits(text).flatMap((unit) => (pattern.test(unit.text) ? [unit.text] : []));
    const sourceModel = models.find((model) => equipment.includes(model)) ?? equipment[0] ?? "";
    return lines
      .flatMap(cleanLine)
      .map((line) => ({ sha256, page, line, equipment: sourceModel, isRow: rows.length > 0 }));
  });
  return quotes
    .sort((a, b) => Number(b.isRow) - Number(a.isRow))
    .slice(0, MOST_QUOTES)
    .map(({ isRow: _, ...quote }) => quote);
}

/**
 * Finds rows that begin with the symptom, each with the lines under it, up to the next symptom: what causes it, what to do.
 * Cells may stand one blank apart, as words do; lines of a sentence go on in lower case.
 */
function findTroubleRows(text: string, pattern: RegExp): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const hasSymptom = (line: string, symptom: RegExp): boolean => {
    const [cell = "", ...otherCells] = line.split(/ {2,}/);
    const position = cell.search(symptom);
    return position >= 0 && (otherCells.length > 0 || position < cell.length / 2);
  };
  const isRow = (line = ""): boolean => /^[\p{Lu}\d]/u.test(line) && !/[.,;:]$/.test(line);
  return lines.flatMap((line, index) => {
    if (!hasSymptom(line, pattern) || !isRow(line) || !isRow(lines[index + 1] || "Last")) return [];
    const end = lines.findIndex(
      (next, nextIndex) =>
        nextIndex > index && (!isRow(next) || SYMPTOMS.some((symptom) => hasSymptom(next, symptom.asked))),
    );
    const row = lines.slice(index, Math.min(end === -1 ? lines.length : end, index + MOST_LINES_OF_A_ROW));
    return [row.map((rowLine) => rowLine.replace(/ {2,}/g, "; ")).join("; ")];
  });
}

/**
 * Picks one quote for each value that a manual gives, and marks the quotes of a manual that gives several.
 */
function pickDifferingQuotes(quotes: readonly Quote[]): Quote[] {
  const toValueKey = ({ sha256, line }: Quote): string =>
    `${sha256} ${(line.match(/\d+(?:[.,/]\d+)*/g) ?? []).join(" ")}`;
  const different = quotes
    .filter((quote, index) => quotes.findIndex((otherQuote) => toValueKey(otherQuote) === toValueKey(quote)) === index)
    .slice(0, MOST_VALUES);
  return different.map((quote) =>
    different.filter(({ sha256 }) => sha256 === quote.sha256).length > 1
      ? { ...quote, isOneOfSeveral: true as const }
      : quote,
  );
}

/** Returns whether the word for a measure is part of a part's name: a torque converter. */
function isOfName(text: string, { asked: pattern }: Measure, subjectTerms: readonly string[]): boolean {
  const nextWord = /^ (\S+)/.exec(text.slice(text.search(pattern)).replace(pattern, ""))?.[1] ?? "";
  return splitTerms(nextWord).some((term) => subjectTerms.includes(term));
}

/**
 * Whether a line calls by its bare name what is asked for as the machine's: `the oil` is the engine oil, `the hydraulic
 * oil` is another.
 */
function isPlainlyNamed(line: string, subjectTerms: readonly string[]): boolean {
  const bare = subjectTerms.filter((term) => !MACHINES.has(term));
  if (bare.length === 0 || bare.length === subjectTerms.length) return false;
  const words = splitTerms(line);
  const things = subjectTerms.filter(
    (term, index) => MACHINES.has(subjectTerms[index - 1] ?? "") && !MACHINES.has(term),
  );
  const isBare = (thing: string): boolean =>
    words.some(
      (word, index) =>
        word === thing && (index === 0 || NOISE.has(words[index - 1]!) || subjectTerms.includes(words[index - 1]!)),
    );
  return scoreRelevance({ terms: bare }, { description: line }).coverage === 1 && things.every(isBare);
}

interface Unit {
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

function readHead(line: string): Head | undefined {
  const units = line.match(HEADS_WITH_UNITS) ?? [];
  const hasSeveral = units.length > 1;
  const unit = hasSeveral ? units.at(-1) : HEADS_WITH_UNIT.exec(line)?.[1];
  return unit === undefined || /\d/.test(line) ? undefined : { text: line.trim(), unit, hasSeveral };
}

/**
 * Splits a text into the rows of its tables and the sentences between them. @param pageHead of a table that begins in
 * another piece of the page
 */
function splitUnits(text: string, equipmentKeys: ReadonlySet<string> = new Set(), pageHead?: Head): Unit[] {
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

/** Returns whether a line has a number as long as a part's that counts no unit. */
function hasLongNumber(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.some(
    (word, index) =>
      isLongNumber(word.replace(/^[(,;]+|[),;:.]+$/g, "")) &&
      !UNIT.test(words[index + 1] ?? "") &&
      !DIMENSIONS.test(word) &&
      !findTireSize(word),
  );
}
