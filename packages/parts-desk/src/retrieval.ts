import {
  MOST_NUMBERS,
  type NumberMention,
  createBareItem,
  extractPartTerms,
  isAskingTerm,
  findMeasure,
  PART_WORDS,
  SAYS,
  deduplicate,
  isUnknownMachine,
  listModelNames,
  type Item,
  type Request,
  type UnknownName,
} from "@partline/parts-language/words";
import { setImmediate as nextTurn } from "node:timers/promises";
import { cleanTitle, normalizePartNumber } from "@partline/parts-language";
import { isCalled, isNamedIn, isThingIn, scoreRelevance, cutTitle } from "@partline/parts-search";
import { getAt } from "@partline/toolkit";
import { findCompanions } from "./companions.ts";
import { findParts, getPartLimit, findNearestParts, type Retrieval } from "./find.ts";
import { areCalledSo, withKnownTerms } from "./known-terms.ts";
import { isIn, listPartMachines } from "./machines.ts";
import {
  describePart,
  type CatalogHit,
  type DeskSources,
  type FitmentRow,
  type FoundPart,
  type Passage,
} from "./port.ts";
import { findQuotes, type Quote, type QuoteResult } from "./quotes.ts";
import {
  EXACT_HITS,
  cutMachine,
  isSameMaker,
  MOST_MACHINES,
  toPnNorm,
  groupCandidates,
  findModelRows,
  createRowFinder,
  selectRows,
  type FindRows,
} from "./parts.ts";
import { isFound, type Finding, type UnknownNumber } from "./finding.ts";

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
export async function retrieve(request: Request, sources: DeskSources): Promise<Finding[]> {
  const { text, order, isBudget } = request;
  // What one has for all of it bounds no part.
  const constraints = isBudget ? { ...request.constraints, price: undefined } : request.constraints;
  const questionOrder = order === "cheapest" ? undefined : order;
  const items = request.items.map((item): Item => ({
    ...item,
    constraints,
    order: item.isPicked ? "cheapest" : questionOrder,
  }));
  const isForAll = SAYS["for all of them"].test(text) && !SAYS["same for both"].test(text);
  let pendingVector: ReturnType<Vector> | undefined;
  const getVector: Vector = () => (pendingVector ??= sources.vector?.(text) ?? Promise.resolve(undefined));
  const search = (item: Item): Promise<Finding[]> => searchMachines(item, isForAll, getVector, sources);
  const findings = dropStories((await joinAttributes(await Promise.all(items.map(search)), search)).flat());
  const isOneOfSeveral = items.length > 1 && findings.length > 1;
  const marked = findings.map((finding) => (isOneOfSeveral ? { ...finding, isOneOfSeveral } : finding));
  const task = request.task?.name;
  const isOfNumbers = items.every(({ mentions, isTold }) => mentions.length > 0 || isTold);
  if (task !== "companions" && !(task === "alternatives" && isOfNumbers)) return marked;
  const findMore = task === "companions" ? findCompanions : findAlternatives;
  return (await Promise.all(marked.map(async (finding) => [finding, ...(await findMore(finding, sources))]))).flat();
}

/** In front of a thing of its own. */
const ARTICLE = /^(?:also )?(?:an?|some|any|one)\b/i;

/**
 * Joins what finds nothing by itself to what stands before it, if parts are called by both: `a muffler, side outlet`.
 * @param groups findings of each item
 */
async function joinAttributes(groups: readonly Finding[][], search: (item: Item) => Promise<Finding[]>) {
  const joinedGroups: Finding[][] = [];
  for (const group of groups) {
    const [former] = joinedGroups.at(-1) ?? [];
    const [{ item }] = group as [Finding];
    const isAttribute = former && isFound(former) && !group.some(isFound) && mayBeAttribute(item);
    const joined = isAttribute
      ? await search({ ...former.item, terms: deduplicate([...former.item.terms, ...item.terms]) })
      : [];
    const parts = joined.flatMap((finding) => finding.parts);
    if (parts.length > 0 && parts.every((part) => isCalled(item.terms, describePart(part))))
      joinedGroups.splice(-1, 1, joined);
    else joinedGroups.push(group);
  }
  return joinedGroups;
}

function mayBeAttribute({ terms, mentions, unknownNames, place, symptom, role, count, text }: Item): boolean {
  const isNumbered = mentions.length + unknownNames.length > 0 || count !== undefined || place !== undefined;
  return terms.length > 0 && !isNumbered && !symptom && !role && !ARTICLE.test(text);
}

/** Finds what is called as the part that was found, and fits its machines. */
async function findAlternatives({ item, parts }: Finding, sources: DeskSources): Promise<Finding[]> {
  const [part] = item.mentions.length > 0 ? parts : [];
  if (!part) return [];
  const partTerms = item.terms.filter((term) => PART_WORDS.has(term));
  const terms =
    partTerms.length > 0 ? partTerms : extractPartTerms(cutTitle(part.catalog?.title ?? part.description).head);
  const models = item.models.length > 0 ? item.models : listPartMachines(part);
  const constraints = { ...item.constraints, without: parts.map(({ pnNorm }) => pnNorm) };
  const alike = { ...createBareItem(""), terms, phrases: [terms], models, constraints };
  return (await searchMachines(alike, true, BY_WORDS, sources)).filter(
    ({ parts: alternatives }) => alternatives.length > 0,
  );
}

/**
 * Returns the findings without those of a story beside its question. If the question is answered, the story keeps the
 * parts that it calls by their whole names; if it names nothing, the story keeps what it says goes wrong, and the parts
 * that it says. No answer denies what a story says.
 */
function dropStories(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  const isAnswered = findings.some(
    (finding) => !finding.item.isTold && (isFound(finding) || (finding.isUnderstood && finding.item.terms.length > 0)),
  );
  const names = isAnswered ? isNamedIn : isThingIn;
  const isMeant = ({ item, parts }: Finding): boolean =>
    !item.isTold ||
    (!isAnswered && item.symptom !== undefined) ||
    parts.some(({ description }) => names(description, item.text));
  const relevantFindings = findings.filter(isMeant);
  if (relevantFindings.some(isFound)) return relevantFindings;
  return findings.map((finding) =>
    finding.item.isTold ? { ...finding, item: { ...finding.item, unknownNames: [] }, isUnderstood: false } : finding,
  );
}

async function searchMachines(item: Item, isForAll: boolean, vector: Vector, sources: DeskSources): Promise<Finding[]> {
  const machines = item.models.slice(0, MOST_MACHINES);
  if (machines.length < 2) return [await lookUp(item, vector, sources)];
  const lookUpEach = (fitsAll: readonly string[]): Promise<Finding[]> =>
    Promise.all(
      machines.map((model) =>
        lookUp(
          { ...item, models: [model], constraints: { without: [], ...item.constraints, fitsAll } },
          vector,
          sources,
        ),
      ),
    );
  // `One filter for both`: what fits all of them, if there is such a part.
  const shared = isForAll ? await lookUpEach(machines) : [];
  const findings = shared.some(({ parts }) => parts.length > 0) ? shared : await lookUpEach([]);
  // Machines of which the same is found in the same places are one.
  const same = Map.groupBy(findings, (finding) => toComparisonKey(finding));
  return [...same.values()].map((alike) => ({
    ...getAt(alike, 0),
    item: { ...getAt(alike, 0).item, models: alike.flatMap((finding) => finding.item.models) },
    isOneOfSeveral: same.size > 1,
  }));
}

function toComparisonKey({ item, parts, quotes, nearest }: Finding): string {
  const itemModels = new Set(item.models);
  return JSON.stringify([
    parts.map(({ pnNorm, rows }) => [
      pnNorm,
      rows
        .filter(({ equipment }) => itemModels.has(equipment))
        .map(({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity]),
    ]),
    quotes.map(({ sha256, page, line }) => [sha256, page, line]),
    nearest.map(({ partNumber }) => partNumber),
  ]);
}

async function lookUp(item: Item, vector: Vector, sources: DeskSources): Promise<Finding> {
  const first = await lookUpOn(item, BY_WORDS, sources);
  if (isFound(first)) return first;
  const { maker, isOfSession, terms, context } = item;
  // Of the conversation's machine is nothing that others have, and what no manual lists may be meant: `and the price of
  // the chain`. `Fuel pump for a Kohler engine` is of any of the maker's.
  const anyMachine = maker ? { ...item, terms: [...terms, ...context, ...maker], phrases: [] } : item;
  if (maker || isOfSession) {
    const finding = await lookUpOn({ ...anyMachine, models: [] }, BY_WORDS, sources);
    const isForOthers = (part: FoundPart): boolean =>
      listPartMachines(part).some((name) => !item.models.includes(name));
    const parts = finding.parts.filter(
      (part) => isCalled(terms, describePart(part)) && !(isOfSession && isForOthers(part)),
    );
    if (parts.length > 0) return { ...finding, parts };
  }
  for (const phrase of listPhrases(item)) {
    const finding = await lookUpOn({ ...item, terms: phrase, phrases: [phrase], head: undefined }, BY_WORDS, sources);
    // What the thing is for is none: a plug for the oil pan is no oil pan.
    const thing = item.head !== undefined && PART_WORDS.has(item.head) ? [item.head] : [];
    const parts = finding.parts.filter(({ description }) => {
      const { coverage, isThing } = scoreRelevance({ terms: [...phrase, ...thing] }, { description });
      return coverage === 1 && isThing;
    });
    if (parts.length > 0) return { ...finding, parts };
  }
  // What words find or deny, no meaning says better.
  const isForMeaning = sources.vector !== undefined && item.models.length === 0 && !first.isUnderstood;
  return isForMeaning ? lookUpOn(item, vector, sources) : first;
}

/** `Count of hose clamps on the GT-2254 fuel system`: a part is found by its name, not by the other words. */
function listPhrases({ terms, phrases, models, symptom, role, head, text }: Item): string[][] {
  if (models.length === 0 || symptom || role || findMeasure(text)) return [];
  return phrases.filter(({ length }) => length < terms.length && (head === undefined || length > 1));
}

let turns = Promise.resolve();

/** Weighs thousands of rows, one look-up per turn of the event loop, so that other requests come in between. */
async function lookUpOn(typedItem: Item, vector: Vector, sources: DeskSources): Promise<Finding> {
  await (turns = turns.then(() => nextTurn()));
  const findRows = createRowFinder(typedItem.models, sources);
  const { originalItem, numbers, item, retrieved, ignored } = await retrieveItem(typedItem, findRows, vector, sources);
  const text = findQuotes(item, retrieved.byWords, retrieved.rows);
  const quotes = dropQuotesOfOthers(text.quotes, item);
  const { allParts, isNamed, isCounted } = weighParts(item, retrieved, { ...text, quotes });
  const parts = await Promise.all(
    allParts
      .slice(0, getPartLimit(item))
      .map(async (part) => ({ ...part, rows: selectRows(await findPartRows(part, findRows), item.models) })),
  );
  const isNumbered = retrieved.isNumbered;
  const isNothing = parts.length === 0 && quotes.length === 0;
  const choices = isMachineAlone(item) && allParts.length > parts.length ? listChoices(allParts, item.models) : [];
  const isElsewhere = isNothing && !isNumbered && item.models.length > 0 && item.terms.length > 0;
  const modelRows = item.models.length > 0 ? retrieved.rows : [];
  const { untold, mayBeTold } = text;
  return {
    item,
    ...(choices.length > 0 && { choices }),
    parts: choices.length > 0 ? [] : parts,
    total: allParts.length,
    isAtLeast: item.models.length === 0 && retrieved.hits.length === getHitLimit(item),
    successors: [],
    isReplacementUnknown: false,
    quotes: (text.isMeasured && (!isNamed || isCounted)) || parts.length === 0 ? quotes : [],
    ...(untold !== undefined && !isNumbered && !isNamed && { untold, ...(mayBeTold && { mayBeTold }) }),
    nearest: isNothing ? findNearestParts(item, retrieved) : [],
    elsewhere: isElsewhere ? await findOtherEquipment(item, sources) : [],
    unknownNumbers: await findUnknownNumbers(originalItem, omitNamed(numbers, item, parts), sources),
    ignored: item.symptom || quotes.length > 0 ? [] : ignored,
    isUnderstood: !isNothing || (await areCalledSo(originalItem.terms, modelRows, sources)),
    isOneOfSeveral: false,
  };
}

interface ItemRetrieval extends WordSearchResult {
  /** As it was asked, with numbers that a manual says. */
  originalItem: Item;
  numbers: Awaited<ReturnType<typeof lookUpNumbers>>;
}

/** Retrieves what may answer an item: by its numbers, or if nobody knows one of them, by its words. */
async function retrieveItem(
  typedItem: Item,
  findRows: FindRows,
  vector: Vector,
  sources: DeskSources,
): Promise<ItemRetrieval> {
  const typedNumbers = await lookUpNumbers(typedItem, findRows, sources);
  const numberedItem = await withPartNumbers(typedItem, typedNumbers.unknown, sources);
  const numbers = numberedItem === typedItem ? typedNumbers : await lookUpNumbers(numberedItem, findRows, sources);
  const isNumbered = numbers.rows.length + numbers.hits.length > 0;
  const unknownNames = numberedItem.unknownNames.filter(
    ({ name }) => !numbers.known.some((number) => normalizePartNumber(name).endsWith(number)),
  );
  const originalItem = { ...numberedItem, unknownNames };
  const terms = withSizes(originalItem, unknownNames);
  // A number that nobody knows, and nothing else, asks for no other part.
  const isNumberAlone = originalItem.mentions.length > 0 && terms.length === 0 && originalItem.place === undefined;
  const result =
    isNumbered || isNumberAlone
      ? { item: originalItem, retrieved: { ...NOTHING, ...numbers, isNumbered }, ignored: [] }
      : await lookUpWords({ ...originalItem, terms }, vector, sources);
  return { originalItem, numbers, ...result };
}

/** What other machines' manuals say is not said of one that has none, except lines that name it. */
function dropQuotesOfOthers(quotes: Quote[], { models, unknownNames }: Item): Quote[] {
  const unknownMachines = models.length === 0 ? unknownNames.filter(isUnknownMachine) : [];
  if (unknownMachines.length === 0) return quotes;
  return quotes.filter(({ line }) => unknownMachines.some(({ name }) => isIn(name, line)));
}

interface WeighedParts {
  allParts: FoundPart[];
  /** A part is called as the question says: an oil pressure switch is a part, even if lines are about pressure. */
  isNamed: boolean;
  /** How many of it there are is asked for, and something else. */
  isCounted: boolean;
}

/** Weighs the parts of an item against what text answers. */
function weighParts(item: Item, retrieved: Retrieval, { quotes, isAnswer, untold }: QuoteResult): WeighedParts {
  const measure = findMeasure(item.text);
  // The size of a part may be in its name.
  const isCounted = item.wanted === "quantity" && measure !== undefined && SAYS["count and more"].test(item.text);
  const specificTerms =
    isCounted || measure?.isOfParts === true ? item.terms.filter((term) => !isAskingTerm(term)) : [];
  const partQuery = { ...item, terms: specificTerms.length > 0 ? specificTerms : item.terms };
  const relevant = findParts(partQuery, retrieved, quotes);
  // An oil filter is no oil.
  const isNamed =
    !(isAnswer && SAYS["no part"].test(item.text)) &&
    relevant.some(({ description }) => {
      const { coverage, isThing } = scoreRelevance({ terms: partQuery.terms }, { description });
      return coverage === 1 && (isThing || (quotes.length === 0 && measure?.isOfParts !== false));
    });
  const isText = (isAnswer || untold !== undefined) && !isNamed && !isCounted;
  return { allParts: isText ? [] : relevant, isNamed, isCounted };
}

/** Leaves out the numbers that stand in the name of a part that was found: `GT2 610`. */
function omitNamed<T extends { unknown: number[] }>(numbers: T, { mentions }: Item, parts: readonly FoundPart[]): T {
  const names = parts.map((part) => normalizePartNumber(describePart(part)));
  const isNamed = (number: number): boolean =>
    mentions.some((mention) => mention.number === number && names.some((name) => name.includes(mention.pnNorm)));
  return { ...numbers, unknown: numbers.unknown.filter((number) => !isNamed(number)) };
}

/** Returns whether a machine is named, and nothing of it. */
function isMachineAlone({ isList, text, terms, place, models, constraints, order }: Item): boolean {
  return (
    isList &&
    order === undefined &&
    !SAYS.list.test(text) &&
    terms.length === 0 &&
    !place &&
    models.length > 0 &&
    constraints?.stock === undefined
  );
}

const MOST_CHOICES = 16;

/** Lists the figures of a machine, or if no manual has any, what its parts are called. */
function listChoices(parts: readonly FoundPart[], models: readonly string[]): string[] {
  const rows = parts.flatMap((part) => part.rows.filter(({ equipment }) => models.includes(equipment)));
  const figures = rows.toSorted((a, b) => a.page - b.page).flatMap(({ schema }) => cleanTitle(schema) ?? []);
  const names = parts.map(({ catalog, description }) => cutTitle(catalog?.title ?? description).head.trim());
  const choices = deduplicate(figures.length > 0 ? figures : names);
  return choices.slice(0, MOST_CHOICES);
}

/** Finds the rows of a part that the catalog alone found: manuals may list it too. */
async function findPartRows({ pnNorm, vendor, rows }: FoundPart, findRows: FindRows): Promise<FitmentRow[]> {
  if (rows.length > 0) return rows;
  return (await findRows(pnNorm)).filter((row) => row.pnNorm === pnNorm && isSameMaker(row.vendor, vendor));
}

const NOTHING: Retrieval = { rows: [], hits: [], fitting: [], isNumbered: false, byWords: [], byVector: [] };

async function lookUpNumbers({ mentions }: Item, findRows: FindRows, sources: DeskSources) {
  const isWhole = (mention: NumberMention): boolean =>
    !mentions.some((otherMention) => containsMention(otherMention, mention));
  const plausible = mentions.filter((mention) => isWhole(mention) || /^[A-Z&]*\d[A-Z0-9]{4,}$/.test(mention.pnNorm));
  const lookedUpTexts = new Set(plausible.map(({ text }) => text).slice(0, MOST_NUMBERS));
  const looked = await Promise.all(
    mentions.map(async (mention) => {
      const hits = lookedUpTexts.has(mention.text) ? await sources.catalog(mention.text, EXACT_HITS) : [];
      return { mention, rows: await findRows(mention.pnNorm), hits: filterExactHits(hits, mention) };
    }),
  );
  const knownNumbers = looked.filter(({ rows, hits }) => rows.length + hits.length > 0);
  const typed = mentions
    .filter((mention) => isWhole(mention) && isNumberLike(mention.text))
    .map(({ number }) => number);
  return {
    rows: looked.flatMap(({ rows }) => rows),
    hits: [...new Map(knownNumbers.flatMap(({ hits }) => hits.map((hit) => [hit.id, hit]))).values()],
    /** By their `number`. */
    unknown: [...new Set(typed)].filter((number) => !knownNumbers.some(({ mention }) => mention.number === number)),
    known: knownNumbers.map(({ mention }) => mention.pnNorm),
  };
}

/** Reads a number that nobody knows as the part's in the same line of a manual: `LU02-50 Grease 0150-1954`. */
async function withPartNumbers(item: Item, unknown: readonly number[], sources: DeskSources): Promise<Item> {
  const isUnknown = ({ number, from, to, text }: NumberMention): boolean =>
    unknown.includes(number) && to - from === 1 && item.unknownNames.every(({ name }) => !name.includes(text));
  if (!item.mentions.some(isUnknown)) return item;
  const findPartNumber = async (mention: NumberMention): Promise<NumberMention> => {
    const passages = await sources.passages({ words: mention.pnNorm.toLowerCase(), limit: PASSAGES });
    const lines = passages.flatMap(({ text }) => text.split("\n")).filter((line) => isIn(mention.text, line));
    const rows = lines.length > 0 ? await findRowsOnPages(passages, sources) : [];
    const row = rows.find(({ partNumber }) => lines.some((line) => isIn(partNumber, line)));
    return row ? { ...mention, pnNorm: row.pnNorm } : mention;
  };
  const mentions = await Promise.all(
    item.mentions.map(async (mention) => (isUnknown(mention) ? findPartNumber(mention) : mention)),
  );
  return { ...item, mentions };
}

function containsMention(longer: NumberMention, { from, to }: NumberMention): boolean {
  return longer.from <= from && longer.to >= to && longer.to - longer.from > to - from;
}

/**
 * Keeps the catalog's parts of a number, with or without the vendor's code or name; of several those written as typed.
 */
function filterExactHits(hits: readonly CatalogHit[], { pnNorm, text }: NumberMention): CatalogHit[] {
  const numberHits = hits.filter((hit) => {
    const { code, name } = hit.manufacturer;
    return ["", `CT${code}`, code, normalizePartNumber(name)].some((maker) => maker + toPnNorm(hit) === pnNorm);
  });
  const spelledHits = numberHits.filter(({ partNumber }) => text.toUpperCase().includes(partNumber.toUpperCase()));
  return spelledHits.length > 0 ? spelledHits : numberHits;
}

function isNumberLike(text: string): boolean {
  return (text.match(/\d/g)?.length ?? 0) >= 4 && text.replace(/[^\p{L}\p{N}]/gu, "").length >= 5;
}

/** Returns the terms with words that looked like numbers and are none: a size, for example. */
function withSizes({ mentions, terms }: Item, unknownNames: readonly UnknownName[]): string[] {
  const sizes = mentions
    .filter(({ from, to, text }) => to - from === 1 && unknownNames.every(({ name }) => name !== text))
    .map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  return deduplicate([...terms, ...sizes]);
}

interface WordSearchResult {
  item: Item;
  retrieved: Retrieval;
  ignored: string[];
}

async function lookUpWords(item: Item, vector: Vector, sources: DeskSources): Promise<WordSearchResult> {
  const models = item.models.slice(0, MOST_MACHINES);
  const [modelRows, fitting] = await Promise.all([
    findModelRows(models, sources),
    models.length > 0 ? sources.findPartsFor(models) : [],
  ]);
  const corrected = await withKnownTerms(item, [...modelRows, ...fitting.map(toNamedRow)], sources);
  const { terms, symptom, text } = corrected.item;
  const measure = findMeasure(text);
  // `How heavy` is the weight.
  const measureNames = measure?.name === undefined ? [] : [measure.name];
  const words = (
    symptom ? [...terms, text, "troubleshooting problem cause"] : deduplicate([...terms, ...measureNames])
  ).join(" ");
  // A manual may be in the asker's language. The rarest words find pages, so each language's are asked alone.
  const typedWords = measure ? listTypedWords(corrected.item).join(" ") : "";
  // Of a machine without a manual, the parts alone that bear its name.
  const unknownNames = models.length > 0 ? [] : corrected.item.unknownNames.map(({ name }) => name);
  const catalogWords = [...terms, ...unknownNames, ...(item.constraints?.numberParts ?? [])].join(" ");
  const among = { limit: PASSAGES, ...(models.length > 0 && { models }) };
  const [hits, wordPassages, vectorPassages] = await Promise.all([
    catalogWords === "" || symptom ? [] : sources.catalog(catalogWords, getHitLimit(item)),
    Promise.all(
      [words, typedWords].map(async (query) => (query === "" ? [] : sources.passages({ words: query, ...among }))),
    ),
    vector().then((queryVector) =>
      queryVector === undefined ? [] : sources.passages({ vector: queryVector, ...among }),
    ),
  ]);
  // The equipment's own rows are all there already.
  const rows =
    models.length > 0 ? modelRows : await findRowsOnPages([...wordPassages.flat(), ...vectorPassages], sources);
  const machineWords = new Set(rows.map((row) => cutMachine(row.description ?? "", row).glued));
  return {
    ...corrected,
    item: dropTerms(corrected.item, machineWords),
    retrieved: { rows, hits, fitting, isNumbered: false, byWords: wordPassages.flat(), byVector: vectorPassages },
  };
}

/** Lists the longer words of a question in another language, without those of its machines' names. */
function listTypedWords({ typed = "", models }: Item): string[] {
  const names = models.join(" ").toLowerCase();
  return (typed.match(/\p{L}{5,}/gu) ?? []).filter((word) => !names.includes(word.toLowerCase()));
}

function dropTerms(item: Item, unwanted: ReadonlySet<string>): Item {
  const drop = (terms: readonly string[]): string[] => terms.filter((term) => !unwanted.has(term));
  return { ...item, terms: drop(item.terms), phrases: item.phrases.map(drop).filter(({ length }) => length > 0) };
}

/** A part of the catalog as a row that names it. */
function toNamedRow({ title }: CatalogHit): { description: string; schema: string } {
  return { description: title, schema: "" };
}

function getHitLimit({ isPicked }: Item): number {
  return isPicked ? COMPARED_HITS : HITS;
}

/** Finds the rows on the pages of some passages. */
async function findRowsOnPages(passages: readonly Passage[], sources: DeskSources): Promise<FitmentRow[]> {
  const places = new Set(passages.map(({ sha256, page }) => `${sha256} ${page}`));
  const rows = await findModelRows(deduplicate(passages.flatMap((passage) => passage.equipment.slice(0, 1))), sources);
  return rows.filter(({ sha256, page }) => places.has(`${sha256} ${page}`));
}

/** Finds other equipment that has such a part. */
async function findOtherEquipment(item: Item, sources: DeskSources): Promise<string[]> {
  const passages = await sources.passages({ words: item.terms.join(" "), limit: PASSAGES });
  const parts = findParts(
    { ...item, models: [], unknownNames: [], symptom: undefined },
    { ...NOTHING, rows: await findRowsOnPages(passages, sources), byWords: passages },
  );
  return listModelNames(parts.flatMap((part) => part.rows)).slice(0, MOST_ELSEWHERE);
}

async function findUnknownNumbers(
  { mentions, unknownNames }: Item,
  { unknown }: Awaited<ReturnType<typeof lookUpNumbers>>,
  sources: DeskSources,
): Promise<UnknownNumber[]> {
  const machines = unknownNames.filter(isUnknownMachine).map(({ name }) => normalizePartNumber(name));
  const getReadings = (number: number): string[] =>
    mentions.flatMap((mention) => (mention.number === number ? [mention.pnNorm] : []));
  const numbers = unknown.filter((number) => !getReadings(number).some((reading) => machines.includes(reading)));
  return Promise.all(
    numbers.map(async (number) => {
      const readings = deduplicate(getReadings(number).filter(({ length }) => length >= SHORTEST_NEAR)).slice(
        0,
        MOST_NEAR,
      );
      const rows = (await Promise.all(readings.map((reading) => sources.findNearNumbers(reading)))).flat();
      const hits = (await Promise.all(readings.map((reading) => sources.findNearParts(reading)))).flat();
      const near = groupCandidates(rows, hits).map(({ part }) => part);
      return { place: number + 1, near: near.slice(0, MOST_NEAR) };
    }),
  );
}
