import { fold, keepSized, normalizePartNumber, sortByOrder } from "@partline/parts-language";
import { toSingular } from "@partline/parts-language/terms";
import {
  dropCorrected,
  dropIntroductions,
  findNamingWords,
  isDescribing,
  type MachineMention,
  markCutNumbers,
  normalizeQuestion,
  type PriceWish,
  priceWish,
  readLanguage,
  readLinks,
  SAYS,
  understand,
  writeCounts,
  writePacks,
  writeSpokenNames,
  writeTyped,
} from "@partline/parts-language/words";
import {
  type CatalogMachines,
  cutTitle,
  findLastThing,
  type Facets,
  type MachineName,
  type Relaxed,
  relaxQuery,
  type SearchHit,
  type SearchPage,
  type SearchQuery,
} from "@partline/parts-search";
import { findNumbers } from "./interchange.ts";
import { toFits, type PartsOf } from "./query.ts";
import {
  dropUnwanted,
  findPartWords,
  listOtherSizes,
  readQuery,
  type Reading,
  toComparable,
  writeInches,
} from "./reading.ts";

/** What a search asked for instead of what was typed. */
export interface Instead extends Relaxed {
  query: SearchQuery;
  /** Read from the words. One that was asked for as such besides stands, in `query`. */
  bounds: PriceWish["bounds"];
  /** The hits fit these, by the catalog. */
  machines?: readonly string[];
  order?: Reading["order"];
  /** All hits in their order, where the index does not order them. */
  hits?: readonly SearchHit[];
  /** What the machines have no part of. */
  missing?: string;
  /** Of the machines' parts. */
  categories?: Facets["category"];
}

export interface InsteadDeps {
  search(query: SearchQuery): Promise<SearchPage>;
  count(query: SearchQuery): Promise<number>;
  readMachines(): Promise<CatalogMachines>;
  partsOf: PartsOf;
  /** Whether the operator's words stand in place of the product's own of a language. */
  hasOwnWords(language: string): Promise<boolean>;
}

/** Hits that are ordered by what the index does not know. */
const MOST_ORDERED = 500;
/** Hits of each part that a complaint may come from. */
const OF_EACH = 20;
const SHORTEST_NUMBER = 5;
const MOST_NUMBERS = 20;
const MOST_WORDS = 400;
/** Words of a query that may name a part. */
const MOST_NAMING = 8;

/** Finds what stands in for a query that finds nothing, with its filters. */
export async function findInstead(typed: SearchQuery, deps: InsteadDeps): Promise<Instead | undefined> {
  const text = markCutNumbers(writePacks(writeSpokenNames(writeTyped(dropIntroductions(readLinks(typed.q))))));
  const { q, bounds } = priceWish(text) ?? { q: text, bounds: {} };
  const query = { ...bounds, ...typed, q };
  if (q !== typed.q && (await deps.count(query)) > 0) return orderFound({ q, bounds, query }, readQuery(q, []), deps);
  // Of a car's brake pads, a tractor's are none.
  if (SAYS["talk other trade"].test(q)) return undefined;
  const { text: translated, language } = readLanguage(q);
  const english = dropCorrected((await deps.hasOwnWords(language)) ? q : translated);
  let best: Instead | undefined;
  for (const words of new Set([writeInches(english), q])) {
    const instead = await findRead(words, query, bounds, deps);
    if (instead && instead.missing === undefined) return instead;
    best ??= instead;
  }
  return best;
}

async function findRead(
  q: string,
  pageQuery: SearchQuery,
  bounds: PriceWish["bounds"],
  deps: InsteadDeps,
): Promise<Instead | undefined> {
  const query: SearchQuery = { ...pageQuery, q, offset: 0 };
  const catalogMachines = query.machines ? undefined : await deps.readMachines();
  const reading = catalogMachines ? readWithMachines(q, catalogMachines) : readQuery(q, []);
  const withMachines = reading.machines.length === 0 ? query : { ...query, machines: reading.machines };
  const finding =
    (await findSize(q, query, deps)) ??
    (await findListedNumbers(q, query, reading, deps)) ??
    (catalogMachines ? await findSeveral(q, withMachines, catalogMachines, deps) : undefined) ??
    (reading.isStory ? await findDescribed(withMachines, reading, deps) : undefined) ??
    (await findPlain(withMachines, reading, deps)) ??
    (reading.machines.length === 0 || reading.isStory
      ? undefined
      : await findAny(withMachines, findPartWords(reading.words), deps)) ??
    (await findDescribed(withMachines, reading, deps)) ??
    (await findWords(withMachines, reading, deps)) ??
    (reading.machines.length === 0 ? undefined : await findMissing(withMachines, reading, deps)) ??
    (await findRelaxed(query, q, deps)) ??
    // `630910284 Raven (sheet ate the leading zero)`
    (await findPlain(query, { words: /\S*\d{5}\S*/.exec(q)?.[0] ?? "" }, deps));
  if (!finding) return undefined;
  const machines = finding.query.machines === reading.machines ? { machines: reading.machines } : {};
  const instead = { ...finding, bounds, ...machines, query: { ...finding.query, offset: pageQuery.offset } };
  if (finding.hits) return { ...instead, hits: keepHere(finding.hits, reading) };
  return finding.missing === undefined ? orderFound(instead, reading, deps) : instead;
}

type Finding = Omit<Instead, "bounds">;

const toMention = ({ name, ...mention }: MachineName): MachineMention => ({
  ...mention,
  models: [{ equipment: name }],
});

/** Reads a query with its machines, also of what was spoken: `c h seven forty`. */
function readWithMachines(q: string, machines: CatalogMachines): Reading {
  const mentions = machines.findMentions(q);
  const writtenText = mentions.length === 0 ? writeCounts(findNamingWords(q).join(" ")) : q;
  const mentionsWritten = mentions.length === 0 ? machines.findMentions(writtenText) : [];
  return mentionsWritten.length > 0 ? readQuery(writtenText, mentionsWritten) : readQuery(q, mentions);
}

/** A size in another way to write it. */
async function findSize(q: string, query: SearchQuery, { count }: InsteadDeps): Promise<Finding | undefined> {
  for (const sized of listOtherSizes(q))
    if ((await count({ ...query, q: sized })) > 0) return { q: sized, query: { ...query, q: sized } };
  return undefined;
}

/** The numbers of a mail that parts have. */
async function findListedNumbers(
  q: string,
  query: SearchQuery,
  { isLong }: Reading,
  { search }: InsteadDeps,
): Promise<Finding | undefined> {
  if (!isLong) return undefined;
  const pieces = q
    .slice(0, MOST_WORDS * 20)
    .split(/\s+/)
    .slice(0, MOST_WORDS);
  // A number with blanks has a few pieces: each run of them is read.
  const runs = pieces.map((_, index) => pieces.slice(index, index + 4).join(" "));
  const norms = [...new Set(runs.flatMap((run) => findNumbers(run).map(({ pnNorm }) => pnNorm)))].filter(
    (norm) => norm.length >= SHORTEST_NUMBER,
  );
  const [first] = norms;
  if (first === undefined) return undefined;
  const keys = norms.map((pnNorm) => ({ pnNorm }));
  const { hits } = await search({ ...query, q: first, named: keys, limit: MOST_NUMBERS });
  const typedNorms = new Set(norms);
  const numbers = hits.flatMap(({ document: { pnNorm } }) => (typedNorms.has(pnNorm) ? [pnNorm] : []));
  const text = normalizePartNumber(q);
  const inOrder = [...new Set(numbers)].sort((a, b) => text.indexOf(a) - text.indexOf(b)).join(" ");
  return inOrder === "" ? undefined : { q: inOrder, query: { ...query, q: inOrder } };
}

/** Parts that are described, or that a complaint comes from: some of each, the likeliest first. */
async function findDescribed(query: SearchQuery, reading: Reading, deps: InsteadDeps): Promise<Finding | undefined> {
  const pages = await Promise.all(
    reading.described.map(async (name) => {
      const called = [...reading.makers, name].join(" ");
      const sized = [called, ...new Set(reading.sizes.map((size) => size.text))].join(" ");
      const q = (await deps.count({ ...query, q: sized })) > 0 ? sized : called;
      return { q, hits: selectThings((await deps.search({ ...query, q, limit: OF_EACH })).hits, name) };
    }),
  );
  const foundPages = pages.filter(({ hits }) => hits.length > 0);
  const [first] = foundPages;
  if (!first) return undefined;
  if (reading.described.length === 1) return { q: first.q, query: { ...query, q: first.q } };
  const hits = [...new Map(foundPages.flatMap((page) => page.hits).map((hit) => [hit.document.id, hit])).values()];
  return { q: foundPages.map((page) => page.q).join(", "), query: { ...query, q: first.q }, hits };
}

/** The words that name a part, for the machines that are named. */
async function findWords(query: SearchQuery, reading: Reading, deps: InsteadDeps): Promise<Finding | undefined> {
  const isRead = reading.machines.length > 0 || reading.order !== undefined || reading.unwanted.length > 0;
  if (!isRead) return undefined;
  const words = findNamingWords(reading.words).join(" ");
  if (findPartWords(words).length === 0)
    return reading.machines.length === 0 ? undefined : { q: "", query: { ...query, q: "" } };
  return findRelaxed(query, words, deps);
}

/** All words that name a part, and no others; then without those of machines as a whole. */
async function findPlain(
  query: SearchQuery,
  { words }: Pick<Reading, "words">,
  { count }: InsteadDeps,
): Promise<Finding | undefined> {
  const namings = [findNamingWords(words).join(" "), findPartWords(words).join(" ")];
  for (const q of new Set(namings))
    if (q !== "" && (await count({ ...query, q })) > 0) return { q, query: { ...query, q } };
  return undefined;
}

/** Parts of a text that asks for several, some of each: `GXV160 oil filter, FS730V muffler`. */
async function findSeveral(
  q: string,
  query: SearchQuery,
  machines: CatalogMachines,
  deps: InsteadDeps,
): Promise<Finding | undefined> {
  if (query.machines === undefined) return undefined;
  const { text } = normalizeQuestion(q);
  const { items } = understand(text, machines.findMentions(text).map(toMention));
  const hasPartWord = (phrase: readonly string[]) => !findPartWords(phrase.join(" ")).every(isDescribing);
  const askedItems = items
    .map(({ models, text: piece, phrases }) => ({ models, piece, words: phrases.filter(hasPartWord).flat() }))
    .filter(({ models, words }) => models.length > 0 && words.length > 0);
  // `Muffler, Side Outlet` is one.
  if (askedItems.length < 2 || (await findPlain(query, { words: q }, deps))) return undefined;
  const findings = await Promise.all(
    askedItems.map(async ({ models, piece, words }) => {
      const machineQuery = { ...query, machines: models };
      return (await findPlain(machineQuery, { words: piece }, deps)) ?? findAny(machineQuery, words, deps);
    }),
  );
  const pieceFindings = findings.filter((finding) => finding !== undefined);
  const [first] = pieceFindings;
  if (!first || pieceFindings.length < 2) return undefined;
  const pages = await Promise.all(
    pieceFindings.map(({ query: pieceQuery }) => deps.search({ ...pieceQuery, limit: OF_EACH })),
  );
  const inTurn = Array.from({ length: OF_EACH }, (_, index) =>
    pages.flatMap(({ hits }) => hits.slice(index, index + 1)),
  );
  const hits = [...new Map(inTurn.flat().map((hit) => [hit.document.id, hit])).values()];
  const texts = new Set(pieceFindings.map((finding) => finding.q));
  return { q: [...texts].join(", "), query: { ...query, q: first.q }, hits };
}

/**
 * As many words as possible of those that the machines' parts are called by, around the one that stands last of them:
 * `fuel pump` of `kawi fuel pump kit`, `flywheel side seal` of `flywheel side crank seal`.
 */
async function findAny(
  query: SearchQuery,
  typedWords: readonly string[],
  { search, count }: InsteadDeps,
): Promise<Finding | undefined> {
  const words = typedWords.slice(0, MOST_NAMING);
  const pages = await Promise.all(
    words.map(async (word) => ({ word, ...(await search({ ...query, q: word, limit: OF_EACH })) })),
  );
  const nouns = pages.filter(({ word, hits }) => hits.some((hit) => isCalled(hit, word))).map(({ word }) => word);
  let best: readonly string[] = [];
  for (const noun of nouns.toReversed()) {
    const getDistance = (word: string): number => Math.abs(words.indexOf(word) - words.indexOf(noun));
    let keptWords: readonly string[] = [noun];
    for (const word of words.toSorted((a, b) => getDistance(a) - getDistance(b))) {
      if (word === noun || !(nouns.includes(word) || isDescribing(word) || /\d/.test(word))) continue;
      const together = words.filter((otherWord) => otherWord === word || keptWords.includes(otherWord));
      if ((await count({ ...query, q: together.join(" ") })) > 0) keptWords = together;
    }
    if (keptWords.length > best.length) best = keptWords;
  }
  const q = best.join(" ");
  return q === "" ? undefined : { q, query: { ...query, q } };
}

/** Whether the head of a hit's title has the word. */
function isCalled({ document: { title } }: SearchHit, word: string): boolean {
  const words = fold(cutTitle(title).head).split(/[^\p{L}\p{N}]+/u);
  return words.some(
    (headWord) => headWord === toSingular(word) || (word.length > 4 && headWord.startsWith(word.slice(0, 5))),
  );
}

/** What the machines have no part of, and the categories that they have parts of. */
async function findMissing(
  query: SearchQuery,
  { words }: Reading,
  { search }: InsteadDeps,
): Promise<Finding | undefined> {
  const { total, facets } = await search({ ...query, q: "", limit: 0 });
  const missing = findPartWords(words).join(" ");
  if (total === 0 || missing === "") return undefined;
  return { q: missing, query: { ...query, q: missing }, missing, categories: facets.category };
}

async function findRelaxed(
  query: SearchQuery,
  q: string,
  { count, partsOf }: InsteadDeps,
): Promise<Finding | undefined> {
  // Without what manuals say, a model is a word as others.
  const toEquipmentFilter = (model: string) => toFits(model, partsOf).catch(() => ({ fits: undefined }));
  const toQuery = async (words: string, equipment?: string): Promise<SearchQuery> => ({
    ...query,
    q: words,
    ...(equipment === undefined ? {} : await toEquipmentFilter(equipment)),
  });
  const relaxation = await relaxQuery(q, {
    count: async (words, equipment) => count(await toQuery(words, equipment)),
    isEquipment: async (model) =>
      !query.fits && !query.machines && ((await toEquipmentFilter(model)).fits?.parts.length ?? 0) > 0,
  });
  return relaxation && { ...relaxation, query: await toQuery(relaxation.q, relaxation.equipment) };
}

/** In the order that was asked for, without what is not wanted. */
async function orderFound(instead: Instead, reading: Reading, { search }: InsteadDeps): Promise<Instead> {
  const { query, q } = instead;
  const { order, unwanted, machines, sizes } = reading;
  const isPriced = Object.keys(instead.bounds).length > 0 || reading.isInStock;
  const isBound = isPriced || unwanted.length + sizes.length > 0 || Object.keys(reading.bounds).length > 0;
  if (order === undefined && machines.length < 2 && !isBound) return instead;
  if (order === "newest") return { ...instead, order, query: { ...query, sort: "newest" } };
  const { hits } = await search({ ...query, offset: 0, limit: MOST_ORDERED });
  const countFits = ({ document: { fits = [] } }: SearchHit) => machines.filter((name) => fits.includes(name)).length;
  // What fits several of the machines stands first.
  const sizedHits = keepSized(keepHere(dropUnwanted(hits, reading), reading), sizes, (hit) => toComparable(hit).name);
  const wantedHits = sizedHits.sort((a, b) => countFits(b) - countFits(a));
  const sharedHits = reading.isForAll ? wantedHits.filter((hit) => countFits(hit) === machines.length) : [];
  if (wantedHits.length === 0 && order === undefined) return instead;
  // What is so, or costs so little, is rather the thing itself than a kit for it.
  const chosenHits = sharedHits.length > 0 ? sharedHits : wantedHits;
  const things = selectThings(chosenHits, q);
  return { ...instead, ...(order && { order }), hits: order ? sortByOrder(things, order, toComparable) : things };
}

/** Hits that are in stock, if that is asked for and some are. */
function keepHere(hits: readonly SearchHit[], { isInStock }: Reading): readonly SearchHit[] {
  const here = isInStock
    ? hits.filter(({ document: { availability } }) => availability === "in_stock" || availability === "low_stock")
    : [];
  return here.length > 0 ? here : hits;
}

/** Hits that are the thing itself: of `spark plug` no spark plug wire. */
function selectThings(hits: readonly SearchHit[], name: string): SearchHit[] {
  const things = hits.filter(({ document: { title } }) => {
    const thing = findLastThing(cutTitle(title).head);
    return thing !== undefined && name.toLowerCase().includes(thing.replace(/s$/, ""));
  });
  return things.length > 0 ? things : [...hits];
}
