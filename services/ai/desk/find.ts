import { normalizePartNumber, titleOf } from "@partline/parts-language";
import { isCalled, isNamedIn, RELEVANT, relevanceOf } from "./names.ts";
import { numberOf, partsOf, type Candidate } from "./parts.ts";
import { saidOf, type CatalogHit, type FitmentRow, type FoundPart, type Passage } from "./port.ts";
import type { Item } from "./question.ts";
import type { Quote } from "./quotes.ts";
import { MACHINES } from "./vocabulary.ts";

export interface Retrieved {
  /** Of mentioned numbers and what they replace; else of the equipment; else of the pages that were found. */
  rows: readonly FitmentRow[];
  hits: readonly CatalogHit[];
  /** The rows and hits are those of numbers that it mentions. */
  isNumbered: boolean;
  byWords: readonly Passage[];
  byVector: readonly Passage[];
}

/** Parts that an answer names for one item, at most; of a list more, and of numbers all that are looked up. */
const MOST_PARTS = 5;
const MOST_OF_A_LIST = 10;
const MOST_NUMBERED = 24;
const MOST_COMPARED = 20;
const MOST_OF_A_SYMPTOM = 6;
/** A part whose words fit so much less than the best one's is another thing. */
const BESIDE_THE_BEST = 0.8;
/** All of what is asked for, except a word that the diagram has. */
const NAMED_SO = 0.85;
const MOST_NEAREST = 3;
/** Vectors alone make a part relevant if its page is among the first so many. */
const NEAR = 3;

export function mostOf({ terms, place, isList, isPlural, isPicked, models, mentions }: Item): number {
  if (mentions.length > 0) return MOST_NUMBERED;
  if (isPicked && models.length > 0) return MOST_COMPARED;
  return terms.length === 0 || place !== undefined || isList || isPlural ? MOST_OF_A_LIST : MOST_PARTS;
}

/**
 * All parts that answer an item, the best first; none if nothing is relevant. @param quotes what is said of a symptom
 */
export function findParts(item: Item, found: Retrieved, quotes: readonly Quote[] = []): FoundPart[] {
  const { models, terms, head, isPicked } = item;
  if (found.isNumbered) return byNumber(item, found);
  if (item.symptom) return bySymptom(item, found, quotes);
  if (item.role) return byRole(item, found);
  const ofModels = models.length > 0 ? found.rows : [];
  const listed = item.place
    ? placed(item, ofModels)
    : ofModels.filter(({ schema }) => item.isList && terms.length > 0 && isCalled(terms, schema));
  if (item.place || listed.length > 0) return inTheirOrder(listed, found);
  const near = new Set(found.byVector.slice(0, NEAR).map(placeOf));
  const noun = nounOf(item);
  const relevant = candidatesOf(item, found).filter(
    ({ relevance: { coverage }, part }) =>
      isNamedForStrangers(item, part) &&
      (coverage === 1 || noun === undefined || isCalled([noun], saidOf(part))) &&
      (coverage >= RELEVANT ||
        (models.length === 0 && head === undefined && coverage > 0 && part.rows.some((row) => near.has(placeOf(row))))),
  );
  const best = Math.max(...relevant.map(({ relevance }) => relevance.coverage));
  // An engine is none of the parts that are for one, and oil no filter of it; a ring may come as a set.
  const isOfMachine = terms.length > 0 && terms.every((term) => MACHINES.has(term));
  const isOne: Preference = ({ relevance, part }) =>
    relevance.isThing || (!isOfMachine && (terms.length !== 1 || /\b(?:kit|set)\b/i.test(part.description)));
  return preferencesOf(item)
    .reduce(
      (left, holds) => (left.some(holds) ? left.filter(holds) : left),
      relevant.filter((each) => each.relevance.coverage >= best * BESIDE_THE_BEST && isOne(each)),
    )
    .sort(
      (a, b) =>
        (isPicked ? priceOf(a.part) - priceOf(b.part) : 0) ||
        tier(b) - tier(a) ||
        rankIn(found, a.part) - rankIn(found, b.part) ||
        a.part.pnNorm.localeCompare(b.part.pnNorm),
    )
    .map(({ part }) => part);
}

/** What is asked for is called last: of a float bracket no float is one. */
export function nounOf({ head, phrases }: Item): string | undefined {
  return head ?? phrases[0]?.at(-1);
}

type Preference = (candidate: Candidate) => boolean;

/** Each counts among what the one before left, if any has it. */
function preferencesOf({ context, wanted, models, isPicked, isPlural, count }: Item): Preference[] {
  return [
    // The thing itself; all of the words in its own name, and not in its figure's; what is of the words beside it, too.
    ({ relevance }) => relevance.isThing,
    ({ relevance }) => relevance.coverage === 1,
    ...context.map(
      (term): Preference =>
        ({ part }) =>
          isCalled([term], part.description),
    ),
    // `Exhaust studs and nuts`: nuts of that figure.
    ...context.map(
      (term): Preference =>
        ({ part }) =>
          part.rows.some(({ schema }) => isCalled([term], schema)),
    ),
    // A question for what the shop has, and of no equipment, is for what it sells.
    ({ part }) => wanted === "offer" && models.length === 0 && part.catalog !== undefined,
    // Washers are all washers; a washer, or two, is what is called so and no more.
    ({ relevance: { coverage, focus } }) =>
      !isPicked && !(isPlural && count === undefined && models.length > 0) && coverage >= NAMED_SO && focus === 1,
  ];
}

function candidatesOf(item: Item, { rows, hits }: Retrieved): Candidate[] {
  return partsOf(rows, item.models.length === 0 ? hits : listedIn(rows, hits), item);
}

function inTheirOrder(rows: readonly FitmentRow[], { hits }: Retrieved): FoundPart[] {
  return partsOf(rows, listedIn(rows, hits)).map(({ part }) => part);
}

/** Catalog parts that the manuals' rows name too: others are not known to fit. */
function listedIn(rows: readonly FitmentRow[], hits: readonly CatalogHit[]): CatalogHit[] {
  return hits.filter((hit) => rows.some(({ pnNorm }) => pnNorm === numberOf(hit)));
}

/** As the catalog has it; what is not for sale comes last. */
function priceOf({ catalog }: FoundPart): number {
  return (catalog?.status === "active" ? catalog.price : null) ?? Number.MAX_SAFE_INTEGER;
}

/** What is called exactly as asked is before what is called so and more. */
function tier({ relevance: { coverage, focus } }: Candidate): number {
  return Math.round((coverage + focus) * 5);
}

/** Parts whose names are a little like what is asked for. */
export function nearestParts(item: Item, found: Retrieved): FoundPart[] {
  if (item.terms.every((term) => MACHINES.has(term))) return [];
  return candidatesOf(item, found)
    .map(({ part }) => ({ part, ...relevanceOf({ terms: item.terms }, part) }))
    .filter(({ part, coverage }) => coverage > 0 && titleOf(part.description) !== undefined)
    .sort((a, b) => b.coverage - a.coverage || Number(b.isThing) - Number(a.isThing) || b.focus - a.focus)
    .slice(0, MOST_NEAREST)
    .map(({ part }) => part);
}

/** The rows of a place; of those that the other words name, their figure or they themselves, if such words are there. */
function placed({ place: { reference, figure } = {}, terms }: Item, rows: readonly FitmentRow[]): FitmentRow[] {
  const plain = (label = ""): string =>
    label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "-")
      .replace(/^-|-$|(?<![^-])0+(?=\d)/g, "");
  const isSame = (typed: string | undefined, ...printed: (string | undefined)[]): boolean =>
    typed === undefined || printed.map(plain).includes(plain(typed));
  const there = rows.filter(
    (row) =>
      isSame(reference, row.reference) && isSame(figure, row.figure, /^Figure (\S+?)(?::|$)/.exec(row.schema)?.[1]),
  );
  const drawn = there.filter(({ schema }) => isCalled(terms, schema));
  const named = there.filter(({ description }) => isCalled(terms, description));
  if (named.length > 0 && reference === undefined && terms.length > 0) return named;
  if (drawn.length > 0) return drawn;
  // Item and figure together need no other word.
  if (reference !== undefined && figure !== undefined) return there;
  return named.length > 0
    ? named
    : there.filter(({ description = "", schema }) => isCalled(terms, `${description}; ${schema}`));
}

/** Parts that the manual names for a symptom; then those that it often comes from, in the order in which one looks. */
function bySymptom({ terms, symptom, models }: Item, found: Retrieved, quotes: readonly Quote[]): FoundPart[] {
  const rows = models.length > 0 ? found.rows : [];
  const isOneOf = (some: readonly string[]) => {
    const each = some.map((term) => [term]);
    return (text: string): boolean => each.some((one) => isCalled(one, text));
  };
  const isOf = isOneOf(terms);
  const about = rows.filter(({ description = "", schema }) => terms.length === 0 || isOf(`${description} ${schema}`));
  const ofThings = (among: readonly FitmentRow[]): FitmentRow[] =>
    symptom!.parts.flatMap((thing) => {
      const words = thing.split(" ");
      return among.filter((row) => {
        const { coverage, isThing } = relevanceOf({ terms: words, head: words.at(-1)! }, row);
        return coverage === 1 && (isThing || words.length > 1);
      });
    });
  const said = quotes.map(({ line }) => line).join(" ");
  const likely = [...rows.filter(({ description = "" }) => isNamedIn(description, said)), ...ofThings(about)];
  const isAt = isOneOf(terms.filter((term) => !MACHINES.has(term)));
  const ofPlace = rows.filter(({ schema }) => isAt(schema.replace(/^.*:/, "")));
  const all = [
    likely,
    likely.length > 0 ? [] : ofPlace,
    [...likely, ...ofThings(rows)],
    terms.length > 0 ? about : [],
  ].map((each) => inTheirOrder(each, found));
  const parts = all.find(({ length }) => length > 1) ?? all.find(({ length }) => length > 0) ?? [];
  return parts.slice(0, MOST_OF_A_SYMPTOM);
}

/** Parts that bear the name of the thing, are none themselves, and do what is asked: a bracket holds a muffler. */
function byRole(item: Item, found: Retrieved): FoundPart[] {
  const nouns = item.phrases.flatMap((phrase) => phrase.slice(-1));
  return candidatesOf(item, found)
    .filter(
      ({ relevance, part }) =>
        !relevance.isThing &&
        nouns.some((noun) => isCalled([noun], part.description)) &&
        item.role!.parts.some((thing) => relevanceOf({ terms: [thing] }, part).isThing),
    )
    .sort((a, b) => b.relevance.coverage - a.relevance.coverage)
    .map(({ part }) => part);
}

/** A number that is named wins over every word; if equipment is named too, its rows stand first. */
function byNumber(item: Item, { rows, hits }: Retrieved): FoundPart[] {
  const numbers = new Set(item.mentions.map(({ pnNorm }) => pnNorm));
  const listed = new Set(hits.map(numberOf));
  const named = rows.filter(
    ({ pnNorm, replacedBy = "" }) =>
      numbers.has(pnNorm) ||
      listed.has(pnNorm) ||
      (item.wanted === "replacement" && numbers.has(normalizePartNumber(replacedBy))),
  );
  const order = [...numbers];
  const placeInText = ({ pnNorm }: FoundPart): number => (numbers.has(pnNorm) ? order.indexOf(pnNorm) : order.length);
  const isAsTyped = ({ partNumber }: FoundPart): boolean => item.mentions.some(({ text }) => text === partNumber);
  return partsOf(named, hits, item)
    .map(({ part }) => part)
    .sort((a, b) => placeInText(a) - placeInText(b) || Number(isAsTyped(b)) - Number(isAsTyped(a)));
}

/** Of a machine without a manual, a part that bears its name alone is known to fit. */
function isNamedForStrangers({ models, strangers }: Item, { description, catalog }: FoundPart): boolean {
  const names = normalizePartNumber(`${description} ${catalog?.title ?? ""}`);
  return models.length > 0 || strangers.every(({ name }) => names.includes(normalizePartNumber(name)));
}

/** The first place in the catalog's search, the pages by words or those by vector. */
function rankIn({ byWords, byVector, hits }: Retrieved, { pnNorm, rows }: FoundPart): number {
  const isOn = (passage: Passage): boolean => rows.some((row) => placeOf(row) === placeOf(passage));
  const ranks = [hits.findIndex((hit) => numberOf(hit) === pnNorm), byWords.findIndex(isOn), byVector.findIndex(isOn)];
  return Math.min(...ranks.map((rank) => (rank === -1 ? Number.MAX_SAFE_INTEGER : rank)));
}

function placeOf({ sha256, page }: { sha256: string; page: number }): string {
  return `${sha256} ${page}`;
}
