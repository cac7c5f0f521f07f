import { isCalled, isNamedIn, RELEVANT, scoreRelevance } from "@partline/parts-search";
import { type Constraints, MACHINES, OPPOSITES, type Item } from "@partline/parts-language/words";
import {
  cleanTitle,
  findMeasures,
  isByWeight,
  isWithin,
  keepSized,
  normalizePartNumber,
  sortByOrder,
} from "@partline/parts-language";
import { getAt } from "@partline/toolkit";
import { fitsOne, isMachineInTitle, listPartMachines } from "./machines.ts";
import { toPnNorm, groupCandidates, type Candidate, toComparable } from "./parts.ts";
import { describePart, type CatalogHit, type FitmentRow, type FoundPart, type Passage } from "./port.ts";
import type { Quote } from "./quotes.ts";

export interface Retrieval {
  /** Of mentioned numbers and what they replace; else of the equipment; else of the pages that were found. */
  rows: readonly FitmentRow[];
  hits: readonly CatalogHit[];
  /** All that the catalog says fits the equipment. */
  fitting: readonly CatalogHit[];
  /** The rows and hits are those of numbers that it mentions. */
  isNumbered: boolean;
  byWords: readonly Passage[];
  byVector: readonly Passage[];
}

/** Parts that an answer names for one item, at most; of a list more, and of numbers all that are looked up. */
const MOST_PARTS = 5;
const MOST_OF_A_LIST = 10;
const MOST_NUMBERED = 24;
const MOST_OF_A_FIGURE = 60;
/** Parts whose price and stock are asked for, if only some are wanted. */
const MOST_WEIGHED = 150;
const MOST_COMPARED = 20;
const MOST_OF_A_SYMPTOM = 6;
/** A part whose words fit so much less than the best one's is another thing. */
const BESIDE_THE_BEST = 0.8;
const MOST_NEAREST = 3;
/** Vectors alone make a part relevant if its page is among the first so many. */
const NEAR = 3;

/**
 * Returns whether parts come in an order that their offers alone say: by weight, or by price of all that a machine has.
 */
export function isByOffer({ order, isList, terms }: Item): boolean {
  return isByWeight(order) || (isList && terms.length === 0 && (order === "cheapest" || order === "dearest"));
}

export function getPartLimit(item: Item): number {
  const { terms, place, isList, isPlural, isPicked, models, mentions, constraints } = item;
  if (mentions.length > 0) return MOST_NUMBERED;
  // Of all of them some have the price, or are here; one is the heaviest.
  const { price, stock, pieces } = constraints ?? {};
  if ([price, stock, pieces].some((wish) => wish !== undefined) || isByOffer(item)) return MOST_WEIGHED;
  if (place !== undefined || (isList && terms.length > 0)) return MOST_OF_A_FIGURE;
  if (isPicked && models.length > 0) return MOST_COMPARED;
  return terms.length === 0 || place !== undefined || isList || isPlural ? MOST_OF_A_LIST : MOST_PARTS;
}

/**
 * Finds all parts that answer an item, the best first; none if nothing is relevant. @param quotes lines about a symptom
 */
export function findParts(item: Item, retrieval: Retrieval, quotes: readonly Quote[] = []): FoundPart[] {
  const parts = findNamedParts(item, retrieval, quotes);
  // A number names its part, regardless of the rest.
  const met = retrieval.isNumbered ? parts : keepMeant(parts, item);
  const sized = keepSized(met, item.constraints?.sizes ?? [], (part) => part.catalog?.title ?? part.description);
  const left = leaveOut(sized, item.constraints?.without ?? []);
  return item.order === undefined ? left : sortByOrder(left, item.order, toComparable, retrieval.isNumbered);
}

const NO_CONSTRAINTS: Constraints = { without: [] };

/** Keeps what is not for another place, and has the measures that are asked for. */
function keepMeant(parts: readonly FoundPart[], { terms, constraints }: Item): FoundPart[] {
  const { cylinder, least, most, fitsAll = [], fitsNone = [], numberParts = [] } = constraints ?? NO_CONSTRAINTS;
  return parts.filter((part) => {
    if (!numberParts.every((piece) => part.pnNorm.includes(piece))) return false;
    if (!fitsAll.every((model) => fitsOne(listPartMachines(part), [model]))) return false;
    if (fitsOne(listPartMachines(part), fitsNone)) return false;
    const name = part.catalog?.title ?? part.description;
    const isElsewhere = terms.some((term) => {
      const opposite = OPPOSITES.get(term);
      return opposite !== undefined && isCalled([opposite], name) && !isCalled([term], name);
    });
    const [, namedCylinder] = /\bcyl(?:inder)?\.? ?(\d)\b/i.exec(name) ?? [];
    if (isElsewhere || (cylinder !== undefined && namedCylinder !== undefined && Number(namedCylinder) !== cylinder))
      return false;
    return isWithin(findMeasures(name), { least, most });
  });
}

/** Numbers in a text, with what stands behind them; not those of a price or an amount. */
const NUMBERS = /(?<![\d.$€#-])\d+(?:[.,/]\d+)*(?![\d%])/g;

/**
 * Keeps the candidates whose names have most of the numbers that are asked for: of `timing belt GT2 610` no `GT2 200`.
 * A number of a machine, a place, a price or a count names no part.
 */
function keepNumbered(
  candidates: Candidate[],
  { text, mentions, place, count, constraints, models }: Item,
): Candidate[] {
  if (place !== undefined || constraints?.price !== undefined) return candidates;
  const otherNumbers = new Set([...models.flatMap((model) => model.match(NUMBERS) ?? []), String(count)]);
  const typed = [text, ...mentions.map((mention) => mention.text)].join(" ").match(NUMBERS);
  const numbers = [...new Set(typed)].filter((number) => !otherNumbers.has(number));
  if (numbers.length === 0 || candidates.length < 2) return candidates;
  const counted = candidates.map((candidate) => {
    const { catalog, description } = candidate.part;
    const nameNumbers = new Set((catalog?.title ?? description).match(NUMBERS));
    return { candidate, met: numbers.filter((number) => nameNumbers.has(number)).length };
  });
  const most = Math.max(...counted.map(({ met }) => met));
  return counted.filter(({ met }) => met === most).map(({ candidate }) => candidate);
}

/** Leaves out what is not wanted: what is such a thing, or if nothing is, what is called so. */
function leaveOut(parts: FoundPart[], without: readonly string[]): FoundPart[] {
  return without.reduce((left, term) => {
    const isThing = (part: FoundPart): boolean =>
      part.pnNorm === term || scoreRelevance({ terms: [term] }, { description: part.description }).isThing;
    const isUnwanted = left.some(isThing)
      ? isThing
      : (part: FoundPart) =>
          isCalled([term], describePart(part)) || (/^\d/.test(term) && ` ${describePart(part)}`.includes(` ${term}`));
    // `Not the electric one`, where none is called so: the recoil starter is meant.
    const opposite = OPPOSITES.get(term);
    const meantParts = opposite === undefined ? [] : left.filter((part) => isCalled([opposite], describePart(part)));
    if (meantParts.length > 0 && !left.some(isUnwanted)) return meantParts;
    return left.filter((part) => !isUnwanted(part));
  }, parts);
}

function findNamedParts(item: Item, retrieval: Retrieval, quotes: readonly Quote[]): FoundPart[] {
  const { models, terms, head } = item;
  if (retrieval.isNumbered) return findByNumber(item, retrieval);
  if (item.symptom) return findBySymptom(item, retrieval, quotes);
  if (item.role) return findByRole(item, retrieval);
  const modelRows = models.length > 0 ? retrieval.rows : [];
  const listed = item.place
    ? findPlaceRows(item, modelRows)
    : modelRows.filter(({ schema }) => item.isList && terms.length > 0 && isCalled(terms, schema));
  if (item.place || listed.length > 0) return toParts(listed, retrieval);
  if (terms.length + models.length === 0 && item.unknownNames.length > 0)
    return groupCandidates([], retrieval.hits).flatMap(({ part }) => (isNamedForStrangers(item, part) ? [part] : []));
  const near = new Set(retrieval.byVector.slice(0, NEAR).map(toPlaceKey));
  const noun = findNoun(item);
  const namedCandidates = listCandidates(item, retrieval).filter(
    ({ relevance: { coverage }, part }) =>
      isNamedForStrangers(item, part) &&
      (coverage === 1 || noun === undefined || isCalled([noun], describePart(part))) &&
      (coverage >= RELEVANT ||
        (models.length === 0 &&
          head === undefined &&
          coverage > 0 &&
          part.rows.some((row) => near.has(toPlaceKey(row))))),
  );
  const best = Math.max(...namedCandidates.map(({ relevance }) => relevance.coverage));
  // An engine is none of the parts that are for one, and oil no filter of it; a ring may come as a set.
  const isOfMachine = terms.length > 0 && terms.every((term) => MACHINES.has(term));
  const isOne: Preference = ({ relevance, part }) =>
    relevance.isThing ||
    (!isOfMachine && (terms.length !== 1 || /\d/.test(getAt(terms, 0)) || /\b(?:kit|set)\b/i.test(part.description)));
  return listPreferences(item)
    .reduce(
      (left, holds) => (left.some(holds) ? left.filter(holds) : left),
      keepNumbered(
        namedCandidates.filter(
          (candidate) => candidate.relevance.coverage >= best * BESIDE_THE_BEST && isOne(candidate),
        ),
        item,
      ),
    )
    .sort(
      (a, b) =>
        getTier(b) - getTier(a) ||
        rankIn(retrieval, a.part) - rankIn(retrieval, b.part) ||
        a.part.pnNorm.localeCompare(b.part.pnNorm),
    )
    .map(({ part }) => part);
}

/** Finds the noun of what is asked for, which stands last: a float bracket is no float. */
export function findNoun({ head, phrases }: Item): string | undefined {
  return head ?? phrases[0]?.at(-1);
}

type Preference = (candidate: Candidate) => boolean;

/** Lists preferences; each counts among what the one before left, if any candidate meets it. */
function listPreferences(item: Item): Preference[] {
  const { context, wanted: intent, models } = item;
  const noun = findNoun(item);
  return [
    // The thing itself; all of the words in its own name, and not in its figure's; what is of the words beside it, too.
    ({ relevance }) => relevance.isThing,
    // The noun stands last: an air filter with a pre-cleaner is no air filter pre-cleaner.
    ({ name }) => noun === undefined || scoreRelevance({ terms: [noun] }, { description: name }).isThing,
    ({ relevance }) => relevance.coverage === 1,
    ...context.map(
      (term): Preference =>
        ({ name }) =>
          isCalled([term], name),
    ),
    // A question for what the shop has, and of no equipment, is for what it sells.
    ({ part }) => intent === "offer" && models.length === 0 && part.catalog !== undefined,
  ];
}

function listCandidates(item: Item, { rows, hits, fitting }: Retrieval): Candidate[] {
  return groupCandidates(rows, item.models.length === 0 ? hits : mergeHits(fitting, filterListed(rows, hits)), item);
}

function mergeHits(...lists: readonly (readonly CatalogHit[])[]): CatalogHit[] {
  return [...new Map(lists.flat().map((hit) => [hit.id, hit])).values()];
}

function toParts(rows: readonly FitmentRow[], { hits }: Retrieval): FoundPart[] {
  return groupCandidates(rows, filterListed(rows, hits)).map(({ part }) => part);
}

/** Keeps the catalog parts that the manuals' rows name too: others are not known to fit. */
function filterListed(rows: readonly FitmentRow[], hits: readonly CatalogHit[]): CatalogHit[] {
  return hits.filter((hit) => rows.some(({ pnNorm }) => pnNorm === toPnNorm(hit)));
}

/** Ranks what is called exactly as asked before what is called so and more. */
function getTier({ relevance: { coverage, focus } }: Candidate): number {
  return Math.round((coverage + focus) * 5);
}

/** Finds parts whose names are a little like what is asked for. */
export function findNearestParts(item: Item, retrieval: Retrieval): FoundPart[] {
  if (item.terms.every((term) => MACHINES.has(term))) return [];
  return listCandidates(item, retrieval)
    .map(({ part, name }) => ({ part, ...scoreRelevance({ terms: item.terms }, { description: name }) }))
    .filter(({ coverage, isThing }) => coverage > 0 && (isThing || item.terms.length === 1))
    .filter(({ part }) => cleanTitle(part.description) !== undefined)
    .sort((a, b) => b.coverage - a.coverage || b.focus - a.focus)
    .slice(0, MOST_NEAREST)
    .map(({ part }) => part);
}

/**
 * Finds the rows of a place; of those that the other words name, their figure or they themselves, if such words are
 * there.
 */
function findPlaceRows({ place: { reference, figure } = {}, terms }: Item, rows: readonly FitmentRow[]): FitmentRow[] {
  const normalizeLabel = (label = ""): string =>
    label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "-")
      .replace(/^-|-$|(?<![^-])0+(?=\d)/g, "");
  const isSame = (typed: string | undefined, ...printed: (string | undefined)[]): boolean =>
    typed === undefined || printed.map(normalizeLabel).includes(normalizeLabel(typed));
  const there = rows.filter(
    (row) =>
      isSame(reference, row.reference) && isSame(figure, row.figure, /^Figure (\S+?)(?::|$)/.exec(row.schema)?.[1]),
  );
  const drawn = there.filter(({ schema }) => isCalled(terms, schema));
  const namedRows = there.filter(({ description }) => isCalled(terms, description));
  if (namedRows.length > 0 && reference === undefined && terms.length > 0) return namedRows;
  if (drawn.length > 0) return drawn;
  // Item and figure together need no other word.
  if (reference !== undefined && figure !== undefined) return there;
  return namedRows.length > 0
    ? namedRows
    : there.filter(({ description = "", schema }) => isCalled(terms, `${description}; ${schema}`));
}

/**
 * Finds parts that the manual names for a symptom; then those that it often comes from, in the order in which one
 * looks.
 */
function findBySymptom({ terms, symptom, models }: Item, retrieval: Retrieval, quotes: readonly Quote[]): FoundPart[] {
  const rows = models.length > 0 ? retrieval.rows : [];
  const createMatcher = (names: readonly string[]) => {
    const termSets = names.map((term) => [term]);
    return (text: string): boolean => termSets.some((termSet) => isCalled(termSet, text));
  };
  const isMatch = createMatcher(terms);
  const about = rows.filter(
    ({ description = "", schema }) => terms.length === 0 || isMatch(`${description} ${schema}`),
  );
  const findThingRows = (among: readonly FitmentRow[]): FitmentRow[] =>
    symptom!.parts.flatMap((thing) => {
      const words = thing.split(" ");
      return among.filter((row) => {
        const { coverage, isThing } = scoreRelevance({ terms: words, head: getAt(words, -1) }, row);
        return coverage === 1 && (isThing || words.length > 1);
      });
    });
  const quotedText = quotes.map(({ line }) => line).join(" ");
  const likely = [
    ...rows.filter(({ description = "" }) => isNamedIn(description, quotedText)),
    ...findThingRows(about),
  ];
  const isAt = createMatcher(terms.filter((term) => !MACHINES.has(term)));
  const placeRows = rows.filter(({ schema }) => isAt(schema.replace(/^.*:/, "")));
  const groups = [
    likely,
    likely.length > 0 ? [] : placeRows,
    [...likely, ...findThingRows(rows)],
    terms.length > 0 ? about : [],
  ].map((group) => toParts(group, retrieval));
  const parts = groups.find(({ length }) => length > 1) ?? groups.find(({ length }) => length > 0) ?? [];
  return parts.slice(0, MOST_OF_A_SYMPTOM);
}

/** Finds parts that bear the name of the thing and do what is asked without being it: a bracket holds a muffler. */
function findByRole(item: Item, retrieval: Retrieval): FoundPart[] {
  const nouns = item.phrases.flatMap((phrase) => phrase.slice(-1));
  return listCandidates(item, retrieval)
    .filter(
      ({ relevance, part }) =>
        !relevance.isThing &&
        nouns.some((noun) => isCalled([noun], part.description)) &&
        item.role!.parts.some((thing) => scoreRelevance({ terms: [thing] }, part).isThing),
    )
    .sort((a, b) => b.relevance.coverage - a.relevance.coverage)
    .map(({ part }) => part);
}

/** Finds parts by the numbers that are named, which win over every word; rows of equipment named too stand first. */
function findByNumber(item: Item, { rows, hits }: Retrieval): FoundPart[] {
  const numbers = new Set(item.mentions.map(({ pnNorm }) => pnNorm));
  const listed = new Set(hits.map(toPnNorm));
  const namedRows = rows.filter(
    ({ pnNorm, replacedBy = "" }) =>
      numbers.has(pnNorm) ||
      listed.has(pnNorm) ||
      (item.wanted === "replacement" && numbers.has(normalizePartNumber(replacedBy))),
  );
  const order = [...numbers];
  const placeInText = ({ pnNorm }: FoundPart): number => (numbers.has(pnNorm) ? order.indexOf(pnNorm) : order.length);
  const isAsTyped = ({ partNumber }: FoundPart): boolean => item.mentions.some(({ text }) => text === partNumber);
  return groupCandidates(namedRows, hits, item)
    .map(({ part }) => part)
    .sort((a, b) => placeInText(a) - placeInText(b) || Number(isAsTyped(b)) - Number(isAsTyped(a)));
}

/** Of a machine without a manual, a part whose title names it alone is known to fit. */
export function isNamedForStrangers({ models, unknownNames }: Item, { description, catalog }: FoundPart): boolean {
  const title = `${description} ${catalog?.title ?? ""} ${catalog?.manufacturer.name ?? ""}`;
  return models.length > 0 || unknownNames.every(({ name }) => isMachineInTitle(name, title));
}

/** The first place in the catalog's search, the pages by words or those by vector. */
function rankIn(
  { byWords: wordPassages, byVector: vectorPassages, hits }: Retrieval,
  { pnNorm, rows }: FoundPart,
): number {
  const isOn = (passage: Passage): boolean => rows.some((row) => toPlaceKey(row) === toPlaceKey(passage));
  const ranks = [
    hits.findIndex((hit) => toPnNorm(hit) === pnNorm),
    wordPassages.findIndex(isOn),
    vectorPassages.findIndex(isOn),
  ];
  return Math.min(...ranks.map((rank) => (rank === -1 ? Number.MAX_SAFE_INTEGER : rank)));
}

function toPlaceKey({ sha256, page }: { sha256: string; page: number }): string {
  return `${sha256} ${page}`;
}
