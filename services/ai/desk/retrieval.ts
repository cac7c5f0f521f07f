import { setImmediate as nextTurn } from "node:timers/promises";
import { normalizePartNumber } from "@partline/parts-language";
import { editDistance } from "@partline/parts-search";
import { findParts, mostOf, nearestParts, type Retrieved } from "./find.ts";
import { areCalledSo, withKnownTerms } from "./known-terms.ts";
import { isMeantIn, isNamedIn, isThingIn, nameTerms, relevanceOf } from "./names.ts";
import { MOST_NUMBERS, type NumberMention } from "./numbers.ts";
import { saidOf, type CatalogHit, type DeskSources, type FitmentRow, type FoundPart, type Passage } from "./port.ts";
import { distinct, isStrangeMachine, namesOf, type Item, type Question } from "./question.ts";
import { quotesOf, type Quote } from "./quotes.ts";
import {
  EXACT_HITS,
  isSameMaker,
  MOST_MACHINES,
  numberOf,
  partsOf,
  rowsOfModels,
  rowsOfNumbers,
  toldOf,
  type RowsOf,
} from "./parts.ts";
import { partTerms, type Stranger } from "./piece.ts";
import { isAskingTerm, MACHINES, measureAsked, PART_WORDS, SAYS } from "./vocabulary.ts";

/** A number that was asked for and that nobody knows. */
export interface UnknownNumber {
  /** Which of those that were asked for it is, from 1. */
  place: number;
  near: FoundPart[];
}

/** What was found for one item, on one equipment if it names several. */
export interface Finding {
  item: Item;
  /** The best first. */
  parts: FoundPart[];
  /** How many parts there are, of which these are the first; at least so many of the catalog's. */
  total: number;
  isAtLeast: boolean;
  /** What the parts were replaced by, in the order of the parts. */
  successors: FoundPart[];
  isReplacementUnknown: boolean;
  quotes: Quote[];
  /** What was asked for and no text says: `torque`. */
  untold?: string;
  /** What is called a little like it, if nothing is relevant. */
  nearest: FoundPart[];
  /** Equipment that has such a part, if the one that was asked for has none. */
  elsewhere: string[];
  unknownNumbers: UnknownNumber[];
  /** Terms that nothing known is called by. */
  ignored: string[];
  /** Each of its words is one that parts are called by: what is not found is denied. */
  isUnderstood: boolean;
  /** It is one of several parts or machines that were asked for. */
  isOneOfSeveral: boolean;
}

export function isFound({ parts, quotes }: Finding): boolean {
  return parts.length + quotes.length > 0;
}

/** Passages, and catalog hits, that are looked at. */
const PASSAGES = 20;
const HITS = 20;
/** The cheapest of them may be any. */
const COMPARED_HITS = 100;
const MOST_ELSEWHERE = 3;
const MOST_NEAR = 3;
/** A shorter number is near to many. */
const SHORTEST_NEAR = 5;

/** The question's, made when it is first asked for. */
type Vector = () => Promise<Float32Array | undefined>;
const BY_WORDS: Vector = async () => undefined;

/** Looks up what a question asks for: each part and each equipment by itself. */
export async function retrieve({ text, items }: Question, sources: DeskSources): Promise<Finding[]> {
  let asked: ReturnType<Vector> | undefined;
  const vector: Vector = () => (asked ??= sources.vector?.(text) ?? Promise.resolve(undefined));
  const found = (await Promise.all(items.map((item) => forEachMachine(item, vector, sources)))).flat();
  const findings = withoutStories(found);
  const isOneOfSeveral = items.length > 1 && findings.length > 1;
  return findings.map((finding) => (isOneOfSeveral ? { ...finding, isOneOfSeveral } : finding));
}

/**
 * Returns the findings without those of a story beside its question. If the question is answered, the story keeps the
 * parts that it calls by their whole names; if it names nothing, the story keeps what it says goes wrong, and the parts
 * that it says. No answer denies what a story says.
 */
function withoutStories(found: readonly Finding[]): readonly Finding[] {
  if (found.length < 2) return found;
  const isAnswered = found.some(
    (each) => !each.item.isTold && (isFound(each) || (each.isUnderstood && each.item.terms.length > 0)),
  );
  const names = isAnswered ? isNamedIn : isThingIn;
  const isMeant = ({ item, parts }: Finding): boolean =>
    !item.isTold ||
    (!isAnswered && item.symptom !== undefined) ||
    parts.some(({ description }) => names(description, item.text));
  const meant = found.filter(isMeant);
  if (meant.some(isFound)) return meant;
  return found.map((each) =>
    each.item.isTold && !isFound(each) ? { ...each, item: { ...each.item, strangers: [] }, isUnderstood: false } : each,
  );
}

async function forEachMachine(item: Item, vector: Vector, sources: DeskSources): Promise<Finding[]> {
  const machines = item.models.slice(0, MOST_MACHINES);
  if (machines.length < 2) return [await lookUp(item, vector, sources)];
  const findings = await Promise.all(machines.map((model) => lookUp({ ...item, models: [model] }, vector, sources)));
  // Machines of which the same is found in the same places are one.
  const same = Map.groupBy(findings, (finding) => sameness(finding));
  return [...same.values()].map((alike) => ({
    ...alike[0]!,
    item: { ...alike[0]!.item, models: alike.flatMap((found) => found.item.models) },
    isOneOfSeveral: same.size > 1,
  }));
}

function sameness({ item, parts, quotes, nearest }: Finding): string {
  const own = new Set(item.models);
  return JSON.stringify([
    parts.map(({ pnNorm, rows }) => [
      pnNorm,
      rows
        .filter(({ equipment }) => own.has(equipment))
        .map(({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity]),
    ]),
    quotes.map(({ sha256, page, line }) => [sha256, page, line]),
    nearest.map(({ partNumber }) => partNumber),
  ]);
}

async function lookUp(item: Item, vector: Vector, sources: DeskSources): Promise<Finding> {
  const first = await lookUpOn(item, BY_WORDS, sources);
  // Of `deck and drive belts` the deck's is a belt, even if the text has lines about the deck.
  const isSaidOnly = item.context.length > 0 && measureAsked(item.text) === undefined;
  const readings = readingsOf(item);
  // Of `starting motor GT-2254` a starter motor is called all of it, and a recoil starter is not.
  const isBesideMachine = item.context.every((term) => MACHINES.has(term)) && !item.symptom && !item.role;
  const whole = isSaidOnly && isBesideMachine ? readings[0] : undefined;
  if (whole && first.parts.length > 0) {
    const found = await lookUpOn(whole.reading, BY_WORDS, sources);
    const parts = found.parts.filter((part) => {
      const { coverage, isThing } = relevanceOf({ terms: whole.reading.terms }, { description: part.description });
      return coverage === 1 && isThing;
    });
    if (parts.length > 0) return { ...found, parts, total: parts.length };
  }
  if (first.parts.length > 0 || (isFound(first) && !isSaidOnly)) return first;
  for (const { reading, holds } of readings) {
    const found = await lookUpOn(reading, BY_WORDS, sources);
    const parts = found.parts.filter(holds);
    const isLeft = (term: string): boolean =>
      PART_WORDS.has(term) && ![...reading.terms, ...parts.flatMap((part) => nameTerms(saidOf(part)))].includes(term);
    if (parts.length > 0) return { ...found, parts, ignored: [...found.ignored, ...[item.head ?? ""].filter(isLeft)] };
  }
  // What words find or deny, no meaning says better.
  const isForMeaning = sources.vector !== undefined && item.models.length === 0 && !first.isUnderstood;
  return isForMeaning && !isFound(first) ? lookUpOn(item, vector, sources) : first;
}

interface Reading {
  reading: Item;
  /** Of a part that it finds, whether that is what was asked for. */
  holds(part: FoundPart): boolean;
}

/** What else the words may mean. */
function readingsOf(item: Item): Reading[] {
  const { terms, context, models, symptom, role, head, isOfSession, maker } = item;
  // What is around it may be said of it, and stands for none of its own words. Of the conversation's machine is nothing
  // that others have, and what no manual lists may be meant: `and the price of the chain`.
  const isCalledAll = (part: FoundPart): boolean =>
    terms.every((term) => isMeantIn(term, [...terms, ...context], new Set(nameTerms(saidOf(part))))) &&
    (!isOfSession || part.rows.every(({ equipment }) => models.includes(equipment)));
  const readings: Reading[] = [];
  // `Starting motor GT-2254`: the motor may be the part's.
  if (context.length > 0 && !symptom) {
    const whole = { terms: [...terms, ...context], phrases: [], context: [], head: head ?? terms.at(-1) };
    readings.push({ reading: { ...item, ...whole }, holds: isCalledAll });
  }
  if (isOfSession) readings.push({ reading: { ...item, models: [] }, holds: isCalledAll });
  // `Fuel pump for a Kohler engine`
  if (maker && terms.some((term) => !MACHINES.has(term))) {
    const named = { models: [], terms: [...terms, ...context, ...maker], phrases: [] };
    readings.push({ reading: { ...item, ...named }, holds: isCalledAll });
  }
  if (models.length === 0 || symptom || role || measureAsked(item.text)) return readings;
  // `Count of hose clamps on the GT-2254 fuel system`: a part is found by its name, not by the other words.
  // What the thing is for is none: a plug for the oil pan is no oil pan.
  const thing = head !== undefined && PART_WORDS.has(head) ? [head] : [];
  // Behind a dash it is called again: `deck lid over the belts - belt cover`.
  const again = partTerms(item.text.replace(/^.*? [-–—] |.*/, ""));
  for (const phrase of item.phrases)
    if (phrase.length < terms.length && (head === undefined || phrase.length > 1))
      readings.push({
        reading: { ...item, terms: phrase, phrases: [phrase], head: undefined },
        holds: ({ description }) => {
          const isAgain = phrase.every((term) => again.includes(term));
          const named = { terms: isAgain ? phrase : [...phrase, ...thing] };
          const { coverage, isThing } = relevanceOf(named, { description });
          return coverage === 1 && isThing;
        },
      });
  return readings;
}

let turns = Promise.resolve();

/** Weighs thousands of rows, one look-up a turn: other requests of the thread come in between. */
async function lookUpOn(asked: Item, vector: Vector, sources: DeskSources): Promise<Finding> {
  await (turns = turns.then(() => nextTurn()));
  const rowsOf = rowsOfNumbers(asked.models, sources);
  const numbers = await lookUpNumbers(asked, rowsOf, sources);
  const isNumbered = numbers.rows.length + numbers.hits.length > 0;
  const strangers = asked.strangers.filter(
    ({ name }) => !numbers.known.some((number) => normalizePartNumber(name).endsWith(number)),
  );
  const terms = withSizes(asked, strangers);
  // A number that nobody knows, and nothing else, asks for no other part.
  const isNumberAlone = asked.mentions.length > 0 && terms.length === 0 && asked.place === undefined;
  const { item, retrieved, ignored }: WordsFound =
    isNumbered || isNumberAlone
      ? { item: { ...asked, strangers }, retrieved: { ...NOTHING, ...numbers, isNumbered }, ignored: [] }
      : await lookUpWords({ ...asked, strangers, terms }, vector, sources);
  const measure = measureAsked(item.text);
  const { quotes: said, isMeasured, isAnswer, untold } = quotesOf(item, retrieved.byWords, retrieved.rows);
  // What other machines' manuals say is not said of one that has none, except lines that name it.
  const others = item.models.length === 0 ? item.strangers.filter(isStrangeMachine) : [];
  const quotes = others.length === 0 ? said : said.filter(({ line }) => others.some(({ name }) => isIn(name, line)));
  // The size of a part may be in its name.
  const named = measure?.isOfParts === true ? item.terms.filter((term) => !isAskingTerm(term)) : [];
  const wanted = { ...item, terms: named.length > 0 ? named : item.terms };
  const relevant = findParts(wanted, retrieved, quotes);
  // An oil pressure switch is a part, even if the text has lines about pressure; an oil filter is no oil.
  const isNamed =
    !(isAnswer && SAYS["no part"].test(item.text)) &&
    relevant.some(({ description }) => {
      const { coverage, isThing } = relevanceOf({ terms: wanted.terms }, { description });
      return coverage === 1 && (isThing || (quotes.length === 0 && measure?.isOfParts !== false));
    });
  const all = (isAnswer || untold !== undefined) && !isNamed ? [] : relevant;
  const parts = await Promise.all(
    all
      .slice(0, mostOf(item))
      .map(async (part) => ({ ...part, rows: toldOf(await rowsIn(part, rowsOf), item.models) })),
  );
  const isNothing = parts.length === 0 && quotes.length === 0;
  const isElsewhere = isNothing && !isNumbered && item.models.length > 0 && item.terms.length > 0;
  const ofModels = item.models.length > 0 ? retrieved.rows : [];
  return {
    item,
    parts,
    total: all.length,
    isAtLeast: item.models.length === 0 && retrieved.hits.length === hitsOf(item),
    successors: [],
    isReplacementUnknown: false,
    quotes: (isMeasured && !isNamed) || parts.length === 0 ? quotes : [],
    ...(untold !== undefined && !isNumbered && !isNamed && { untold }),
    nearest: isNothing ? nearestParts(item, retrieved) : [],
    elsewhere: isElsewhere ? await elsewhereOf(item, sources) : [],
    unknownNumbers: await unknownNumbersOf({ ...asked, strangers }, numbers, sources),
    ignored: item.symptom || quotes.length > 0 ? [] : ignored,
    isUnderstood: !isNothing || (await areCalledSo(asked.terms, ofModels, sources)),
    isOneOfSeveral: false,
  };
}

/** What the catalog alone found may be in manuals too. */
async function rowsIn({ pnNorm, vendor, rows }: FoundPart, rowsOf: RowsOf): Promise<FitmentRow[]> {
  if (rows.length > 0) return rows;
  return (await rowsOf(pnNorm)).filter((row) => row.pnNorm === pnNorm && isSameMaker(row.vendor, vendor));
}

/** Glued or not, and no end of a longer name: `H740S` is not in `CH-740S`. */
function isIn(name: string, line: string): boolean {
  const glued = [...normalizePartNumber(name)].join(String.raw`[\s.-]*`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${glued}(?![\p{L}\p{N}])`, "iu").test(line);
}

const NOTHING: Retrieved = { rows: [], hits: [], isNumbered: false, byWords: [], byVector: [] };

async function lookUpNumbers({ mentions }: Item, rowsOf: RowsOf, sources: DeskSources) {
  const isWhole = (mention: NumberMention): boolean => !mentions.some((other) => holds(other, mention));
  const plausible = mentions.filter((each) => isWhole(each) || /^[A-Z&]*\d[A-Z0-9]{4,}$/.test(each.pnNorm));
  const asked = new Set(plausible.map(({ text }) => text).slice(0, MOST_NUMBERS));
  const looked = await Promise.all(
    mentions.map(async (mention) => {
      const like = asked.has(mention.text) ? await sources.catalog(mention.text, EXACT_HITS) : [];
      return { mention, rows: await rowsOf(mention.pnNorm), like, hits: exactHits(like, mention) };
    }),
  );
  // A part of a longer number that manuals list is no number by itself.
  const listed = looked.map((each) => ({
    ...each,
    rows: looked.some(({ rows, mention }) => rows.length > 0 && holds(mention, each.mention)) ? [] : each.rows,
  }));
  const known = listed.filter(({ rows, hits }) => rows.length + hits.length > 0);
  const typed = mentions.filter((each) => isWhole(each) && looksLikeNumber(each.text)).map(({ number }) => number);
  return {
    rows: listed.flatMap(({ rows }) => rows),
    hits: [...new Map(known.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit]))).values()],
    /** What else the catalog's search found for them. */
    like: looked.flatMap(({ like }) => like),
    /** By their `number`. */
    unknown: [...new Set(typed)].filter((number) => !known.some(({ mention }) => mention.number === number)),
    known: known.map(({ mention }) => mention.pnNorm),
  };
}

function holds(longer: NumberMention, { from, to }: NumberMention): boolean {
  return longer.from <= from && longer.to >= to && longer.to - longer.from > to - from;
}

/** The catalog's parts of a number, with its vendor's code or name or without; of several those written as typed. */
function exactHits(hits: readonly CatalogHit[], { pnNorm, text }: NumberMention): CatalogHit[] {
  const own = hits.filter((hit) => {
    const { code, name } = hit.manufacturer;
    return ["", `CT${code}`, code, normalizePartNumber(name)].some((maker) => maker + numberOf(hit) === pnNorm);
  });
  const written = own.filter(({ partNumber }) => text.toUpperCase().includes(partNumber.toUpperCase()));
  return written.length > 0 ? written : own;
}

function looksLikeNumber(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 4 && text.replace(/[^\p{L}\p{N}]/gu, "").length >= 5;
}

/** Words that were taken for numbers, and are none, are words: a size, for example. */
function withSizes({ mentions, terms }: Item, strangers: readonly Stranger[]): string[] {
  const sizes = mentions
    .filter(({ from, to, text }) => to - from === 1 && strangers.every(({ name }) => name !== text))
    .map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  return distinct([...terms, ...sizes]);
}

interface WordsFound {
  item: Item;
  retrieved: Retrieved;
  ignored: string[];
}

async function lookUpWords(item: Item, vector: Vector, sources: DeskSources): Promise<WordsFound> {
  const models = item.models.slice(0, MOST_MACHINES);
  const ofModels = await rowsOfModels(models, sources);
  const read = await withKnownTerms(item, ofModels, sources);
  const { terms, symptom, text } = read.item;
  const words = (symptom ? [...terms, text, "troubleshooting problem cause"] : terms).join(" ");
  // Of a machine without a manual, the parts alone that bear its name.
  const named = models.length > 0 ? [] : read.item.strangers.map(({ name }) => name);
  const among = { limit: PASSAGES, ...(models.length > 0 && { models }) };
  const [hits, byWords, byVector] = await Promise.all([
    words === "" || symptom ? [] : sources.catalog([words, ...named].join(" "), hitsOf(item)),
    words === "" ? [] : sources.passages({ words, ...among }),
    vector().then((known) => (known === undefined ? [] : sources.passages({ vector: known, ...among }))),
  ]);
  // The equipment's own rows are all there already.
  const rows = models.length > 0 ? ofModels : await rowsOnPages([...byWords, ...byVector], sources);
  return { ...read, retrieved: { rows, hits, isNumbered: false, byWords, byVector } };
}

function hitsOf({ isPicked }: Item): number {
  return isPicked ? COMPARED_HITS : HITS;
}

/** The parts that the pages list on which the words stand. */
async function rowsOnPages(passages: readonly Passage[], sources: DeskSources): Promise<FitmentRow[]> {
  const places = new Set(passages.map(({ sha256, page }) => `${sha256} ${page}`));
  const rows = await rowsOfModels(distinct(passages.flatMap((passage) => passage.equipment.slice(0, 1))), sources);
  return rows.filter(({ sha256, page }) => places.has(`${sha256} ${page}`));
}

/** Other equipment that has such a part. */
async function elsewhereOf(item: Item, sources: DeskSources): Promise<string[]> {
  const byWords = await sources.passages({ words: item.terms.join(" "), limit: PASSAGES });
  const parts = findParts(
    { ...item, models: [], strangers: [], symptom: undefined },
    { ...NOTHING, rows: await rowsOnPages(byWords, sources), byWords },
  );
  return namesOf(parts.flatMap((part) => part.rows)).slice(0, MOST_ELSEWHERE);
}

async function unknownNumbersOf(
  { mentions, strangers }: Item,
  { unknown, like }: Awaited<ReturnType<typeof lookUpNumbers>>,
  sources: DeskSources,
): Promise<UnknownNumber[]> {
  const machines = strangers.filter(isStrangeMachine).map(({ name }) => normalizePartNumber(name));
  const readingsOf = (number: number): string[] =>
    mentions.flatMap((each) => (each.number === number ? [each.pnNorm] : []));
  const numbers = unknown.filter((number) => !readingsOf(number).some((reading) => machines.includes(reading)));
  return Promise.all(
    numbers.map(async (number) => {
      const readings = distinct(readingsOf(number).filter(({ length }) => length >= SHORTEST_NEAR)).slice(0, MOST_NEAR);
      const rows = (await Promise.all(readings.map((reading) => sources.nearNumbers(reading)))).flat();
      const hits = like.filter((hit) => readings.some((reading) => editDistance(reading, numberOf(hit)) === 1));
      const near = partsOf(rows, hits).map(({ part }) => part);
      return { place: number + 1, near: near.slice(0, MOST_NEAR) };
    }),
  );
}
