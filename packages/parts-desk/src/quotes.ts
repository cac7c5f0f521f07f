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
import { isIn } from "./machines.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import { NO_PAGE, type FitmentRow, type Passage } from "./port.ts";
import { ENDS_IN_VALUE, MOST_LINES_OF_A_ROW, readHead, splitUnits, type Unit } from "./text-units.ts";

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
/** Different values that one answer quotes: a manual may contradict itself. */
const MOST_VALUES = 4;
/** Says which number to order: no parts list has the whole of a kit. */
const NAMES_NUMBER = /\b(?:part|kit|order)\b[^.]{0,20}#\s?\d{4}/i;
/** Characters of a statement before the measure that it says. */
const MOST_BEFORE = 160;
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
  Partial<Pick<Item, "unknownNames">>;

/** What a line must say to answer an item. */
interface TextQuery extends Pick<Item, "text" | "terms" | "wanted" | "models" | "typed"> {
  unknownNames: Item["unknownNames"];
  measure?: Measure;
  /** Terms of the thing, without those of the measure. */
  subjectTerms: readonly string[];
  /** Something of the manual itself is asked for, as its number. */
  isOfManual: boolean;
  /** A part number is asked for. */
  isOfNumber: boolean;
  askedWords: ReadonlySet<string>;
  /** Manuals in the asker's language call things as the asker does. */
  toEnglish: (line: string) => string;
}

/** A line that says something of what is asked for. */
interface TellingLine {
  line: string;
  /** Long words that it shares with the question. */
  sharedWords: number;
  quotes: Quote[];
  /** Its sentences. */
  spans: readonly string[];
  toQuotes: (statement: string) => Quote[];
}

/**
 * Finds lines that have all that is asked for, with the unit where a measure is asked. What lists parts is no text: its
 * rows are answered as parts.
 * @param rows of parts, those on the passages' pages among them
 */
export function findQuotes(item: AskedOfText, searched: readonly Passage[], rows: readonly FitmentRow[]): QuoteResult {
  if (item.symptom) return { quotes: findSymptomQuotes(item, searched), isMeasured: true, isAnswer: false };
  const query = readTextQuery(item);
  if (!query) return { quotes: [], isMeasured: false, isAnswer: false };
  const { text, measure, subjectTerms, typed, toEnglish } = query;
  const telling = searched
    .filter((passage) => !(query.isOfManual && passage.page === NO_PAGE) && hasUnknownNames(passage, query))
    .flatMap((passage) => findTellingLines(query, passage, searched, rows))
    // Of lines that name the thing, the one with the question's verb answers it: `is fitted with`.
    .sort((a, b) => b.sharedWords - a.sharedWords);
  const bestQuotes = rankQuotes(query, telling).find((group) => group.length > 0);
  const distinct = [
    ...new Map(bestQuotes?.map((quote) => [`${quote.sha256} ${quote.page} ${quote.line}`, quote])).values(),
  ];
  // A line that is read word by word is sure where it names the measure.
  const namedLines = typed === undefined ? [] : distinct.filter(({ line }) => measure?.asked.test(toEnglish(line)));
  const quotes = measure
    ? pickDifferingQuotes(namedLines.length > 0 ? namedLines : distinct)
    : distinct.slice(0, MOST_QUOTES);
  const isAlike = (line: string): boolean => subjectTerms.some((term) => isCalled([term], line));
  const isUntold = measure?.name !== undefined && quotes.length === 0 && !isOfName(text, measure, subjectTerms);
  return {
    quotes,
    isMeasured: measure !== undefined,
    isAnswer: (measure?.isOfParts === false || SAYS["no part"].test(text)) && quotes.length > 0,
    ...(isUntold && { untold: measure.name }),
    ...(isUntold &&
      telling.some(({ line }) => isAlike(line) || !isOfOther(line, query)) && { mayBeTold: true as const }),
  };
}

/** Reads what text may answer of an item. @returns undefined for what parts alone answer */
function readTextQuery({ unknownNames = [], isTold, ...item }: AskedOfText): TextQuery | undefined {
  const { text, terms, wanted: intent, models, typed } = item;
  const measure = findMeasure(text);
  const isOfManual = measure?.isOfManual === true;
  const subjectTerms = isOfManual ? [] : terms.filter((term) => measure === undefined || !isAskingTerm(term));
  const isOfMachine = isOfManual || (measure?.name !== undefined && models.length > 0);
  const isWish = (intent === "part" || intent === "quantity") && !isTold;
  if (subjectTerms.length === 0 && !isOfMachine) return undefined;
  if (!measure && ((intent !== "page" && !isWish) || subjectTerms.every((term) => MACHINES.has(term))))
    return undefined;
  return {
    ...item,
    unknownNames,
    ...(measure && { measure }),
    subjectTerms,
    isOfManual,
    isOfNumber: SAYS["part number"].test(text),
    askedWords: listLongWords(text),
    toEnglish: (line) => (typed === undefined ? line : readLanguage(line).text),
  };
}

/** A line of one machine answers for no machine that has no manual. A stored document is no manual. */
function hasUnknownNames(passage: Passage, { models, unknownNames }: TextQuery): boolean {
  const normalizedText = normalizePartNumber([passage.text, ...passage.equipment].join(" "));
  return models.length > 0 || unknownNames.every(({ name }) => normalizedText.includes(normalizePartNumber(name)));
}

function findTellingLines(
  query: TextQuery,
  { sha256, page, text, equipment }: Passage,
  searched: readonly Passage[],
  rows: readonly FitmentRow[],
): TellingLine[] {
  const { models, measure, askedWords, toEnglish } = query;
  const numbers = rows.filter((row) => row.sha256 === sha256 && row.page === page).map(({ pnNorm }) => pnNorm);
  const model = models.find((name) => equipment.includes(name)) ?? equipment[0] ?? "";
  const pagePieces = searched.filter((piece) => piece.sha256 === sha256 && piece.page === page);
  const [pageHead] = pagePieces.flatMap((piece) => piece.text.split("\n").flatMap((line) => readHead(line) ?? []));
  const equipmentKeys = new Set(equipment.map(normalizePartNumber));
  return splitUnits(text, equipmentKeys, pageHead?.hasSeveral ? pageHead : undefined)
    .filter((unit) => isAnswerLine(unit, query, numbers))
    .map(({ text: line, over, unit, spans, machines }) => {
      const toQuotes = (statement: string): Quote[] =>
        cleanLine(cutBefore(statement, measure)).map((quoted) => ({ sha256, page, equipment: model, line: quoted }));
      const head = machines ?? (unit === undefined ? undefined : over);
      const english = toEnglish(line);
      return {
        line: english,
        sharedWords: measure ? 0 : [...listLongWords(english)].filter((word) => askedWords.has(word)).length,
        quotes: toQuotes(head === undefined ? line : `${head}: ${line}`),
        spans,
        toQuotes,
      };
    });
}

/** Returns whether a line may answer. @param numbers of the parts that its page lists */
function isAnswerLine(
  { text: line, over, unit, machines }: Unit,
  query: TextQuery,
  numbers: readonly string[],
): boolean {
  const { models, measure, wanted: intent, isOfManual, isOfNumber, subjectTerms, toEnglish } = query;
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
}

/** Groups quotes by how well their lines name what is asked for, the best ones first. */
function rankQuotes(query: TextQuery, telling: readonly TellingLine[]): Quote[][] {
  const { text, measure, models, subjectTerms } = query;
  const selectQuotes = (isNamed: (line: string) => boolean): Quote[] =>
    telling.flatMap(({ line, quotes }) => (isNamed(line) ? quotes : []));
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
  return [
    // `Parking stand kit: … Order part #102170.`
    telling.flatMap(({ line, spans, toQuotes }) =>
      !measure && NAMES_NUMBER.test(line) ? selectSpan([line, ...spans]).flatMap(toQuotes) : [],
    ),
    selectQuotes((line) => isCalled(subjectTerms, line)),
    measure ? selectQuotes((line) => isPlainlyNamed(line, subjectTerms)) : [],
    measure
      ? telling.flatMap(({ line, spans, toQuotes }) =>
          isOfOther(line, query) ? [] : selectSpan(spans).flatMap(toQuotes),
        )
      : [],
    nearly,
    // `How much oil does the gearbox hold?` of `Gearbox holds 168 fluid oz.`
    thingTerms.some((term) => !MACHINES.has(term)) && thingTerms.length < subjectTerms.length
      ? selectQuotes((line) => isCalled(thingTerms, line))
      : [],
  ];
}

/** Returns whether a line names a part that is not asked for: what stands before it says nothing of that. */
function isOfOther(line: string, { text, terms }: TextQuery): boolean {
  const askedTerms = new Set([...splitTerms(text), ...terms]);
  return splitTerms(line).some((term) => PART_WORDS.has(term) && !askedTerms.has(term));
}

const listLongWords = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu));

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
 * Finds rows that begin with the symptom, each with the lines under it, up to the next symptom: what causes it, what to
 * do. Cells may stand one blank apart, as words do; lines of a sentence go on in lower case.
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
