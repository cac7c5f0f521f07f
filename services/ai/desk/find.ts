import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { isCalled, isNamedIn, RELEVANT, relevanceOf, type Relevance } from "./names.ts";
import { isSamePart, keyOf, saidOf, type CatalogHit, type FitmentRow, type FoundPart, type Passage } from "./port.ts";
import type { Place } from "./piece.ts";
import type { Item } from "./question.ts";
import type { Quote } from "./quotes.ts";
import { titleOf } from "../../../mixins/safe-words.ts";
import { MACHINES } from "./words.ts";

/** What was looked up for one item. */
export interface Retrieved {
  /** Rows of numbers that it mentions, and of those that they were replaced by. */
  ofNumbers: readonly FitmentRow[];
  /** Catalog parts that have exactly a number that it mentions. */
  exactHits: readonly CatalogHit[];
  /** Rows of the equipment that it is about. */
  ofModels: readonly FitmentRow[];
  /** Rows on the pages that its words, or its vector, found. */
  ofPages: readonly FitmentRow[];
  byWords: readonly Passage[];
  byVector: readonly Passage[];
  hits: readonly CatalogHit[];
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
/** Behind every price. */
const MOST_CENTS = Number.MAX_SAFE_INTEGER;
/** Vectors alone make a part relevant if its page is among the first so many. */
const NEAR = 3;

/** How many of what answers an item are named. */
export function mostOf({ terms, place, isList, isPlural, isPicked, models, mentions }: Item): number {
  if (mentions.length > 0) return MOST_NUMBERED;
  if (isPicked && models.length > 0) return MOST_COMPARED;
  return terms.length === 0 || place !== undefined || isList || isPlural ? MOST_OF_A_LIST : MOST_PARTS;
}

/** All parts that answer an item, the best first; none if nothing is relevant. @param quotes what is said of a symptom */
export function findParts(item: Item, found: Retrieved, quotes: readonly Quote[] = []): FoundPart[] {
  if (item.mentions.length > 0 && found.ofNumbers.length + found.exactHits.length > 0) return byNumber(item, found);
  if (item.symptom) return bySymptom(item, item.symptom.parts, found, quotes);
  if (item.role) return byRole(item, item.role.parts, found);
  const listed = item.place
    ? placed(item, found.ofModels)
    : item.isList && item.terms.length > 0
      ? rowsOfSchemas(found.ofModels, item.terms)
      : [];
  if (item.place || listed.length > 0) return inTheirOrder(listed, found);
  const near = new Set(found.byVector.slice(0, NEAR).map(placeOf));
  const noun = nounOf(item);
  const relevant = candidatesOf(item, found).filter(
    ({ relevance, part }) =>
      isNamedForStrangers(item, part) &&
      (relevance.coverage === 1 || noun === undefined || isCalled([noun], saidOf(part))) &&
      (relevance.coverage >= RELEVANT ||
        (item.models.length === 0 &&
          item.head === undefined &&
          relevance.coverage > 0 &&
          part.rows.some((row) => near.has(placeOf(row))))),
  );
  const best = Math.max(...relevant.map(({ relevance }) => relevance.coverage));
  const isThing: Preference = ({ relevance }) => relevance.isThing;
  // An engine is none of the parts that are for one, and oil no filter of it; a ring may come as a set.
  const isOfMachine = item.terms.length > 0 && item.terms.every((term) => MACHINES.has(term));
  const isOne: Preference = (each) =>
    isThing(each) || (!isOfMachine && (item.terms.length !== 1 || /\b(?:kit|set)\b/i.test(each.part.description)));
  return preferencesOf(item, isThing)
    .reduce(
      (left, holds) => (left.some(holds) ? left.filter(holds) : left),
      relevant.filter((each) => each.relevance.coverage >= best * BESIDE_THE_BEST && isOne(each)),
    )
    .map((candidate) => ({ ...candidate, place: placeIn(found, candidate.part) }))
    .sort(
      (a, b) =>
        (item.isPicked ? priceOf(a.part) - priceOf(b.part) : 0) ||
        tier(b.relevance) - tier(a.relevance) ||
        (a.place === b.place ? 0 : a.place - b.place) ||
        a.part.pnNorm.localeCompare(b.part.pnNorm),
    )
    .map(({ part }) => part);
}

/** What is asked for is called last: of a float bracket no float is one. */
export function nounOf({ head, phrases }: Item): string | undefined {
  return head ?? phrases[0]?.at(-1);
}

type Preference = (candidate: Candidate) => boolean;

/** What those have that are named, if any has it: each counts among what the one before left. */
function preferencesOf(item: Item, isThing: Preference) {
  const { context, beside = [], wanted, models, isPicked, isPlural, count } = item;
  const has =
    (term: string): Preference =>
    ({ part }) =>
      isCalled([term], part.description);
  const preferences: Preference[] = [
    // The thing itself; all of the words in its own name, and not in its figure's; what is of the words beside it, too.
    isThing,
    ({ relevance }) => relevance.coverage === 1,
    ...context.map(has),
    // `Exhaust studs and nuts`: nuts of that figure.
    ...context.map(
      (term): Preference =>
        ({ part }) =>
          part.rows.some(({ schema }) => isCalled([term], schema)),
    ),
    // `The nut?`, behind a spindle, is rather of its figure.
    ({ part }) => item.terms.length === 1 && part.rows.some(({ schema }) => beside.includes(schema)),
  ];
  // A question for what the shop has, and of no equipment, is for what it sells.
  if (wanted === "offer" && models.length === 0) preferences.push(({ part }) => part.catalog !== undefined);
  // Washers are all washers; a washer, or two, is what is called so and no more.
  if (!isPicked && !(isPlural && count === undefined && models.length > 0))
    preferences.push(({ relevance }) => relevance.coverage >= NAMED_SO && relevance.focus === 1);
  return preferences;
}

/** What may be a part of the item: rows of its equipment, or of the pages that were found, and the catalog's parts. */
function candidatesOf(item: Item, { ofModels, ofPages, hits }: Retrieved): Candidate[] {
  if (item.models.length === 0) return partsOf(dedupe(ofPages), hits, item);
  const rows = dedupe(ofModels);
  return partsOf(rows, joinable(hits, rows), item);
}

/** As the catalog has it; what is not for sale comes last. */
function priceOf({ catalog }: FoundPart): number {
  return catalog?.status === "active" ? (catalog.price ?? MOST_CENTS) : MOST_CENTS;
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

/** The rows of a place; of those that the other words name, their figure or they themselves, if there are such words. */
function rowsAt(rows: readonly FitmentRow[], { reference, figure }: Place): FitmentRow[] {
  const plain = (label: string): string =>
    label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .replace(/(^|-)0+(?=\d)/g, "$1");
  const isSame = (printed: string | undefined, typed: string): boolean =>
    printed !== undefined && plain(printed) === plain(typed);
  const labelOf = (schema: string): string | undefined => /^Figure (\S+?)(?::|$)/.exec(schema)?.[1];
  return rows.filter(
    (row) =>
      (reference === undefined || isSame(row.reference, reference)) &&
      (figure === undefined || isSame(row.figure, figure) || isSame(labelOf(row.schema), figure)),
  );
}

/** The rows of the figures and sections whose names have all of the words. */
function rowsOfSchemas(rows: readonly FitmentRow[], terms: readonly string[]): FitmentRow[] {
  return rows.filter(({ schema }) => isCalled(terms, schema));
}

function placed({ place, terms }: Item, rows: readonly FitmentRow[]): FitmentRow[] {
  const there = rowsAt(rows, place!);
  const isWhole = place!.reference !== undefined && place!.figure !== undefined;
  const drawn = rowsOfSchemas(there, terms);
  const named = there.filter(({ description }) => isCalled(terms, description));
  if (named.length > 0 && place!.reference === undefined && terms.length > 0) return named;
  // Item and figure together need no other word.
  if (drawn.length > 0 || isWhole) return drawn.length > 0 ? drawn : there;
  return named.length > 0
    ? named
    : there.filter(({ description = "", schema }) => isCalled(terms, `${description}; ${schema}`));
}

/** Parts that the manual names for a symptom; then those that it often comes from, in the order in which they are looked at. */
function bySymptom(
  { terms }: Item,
  things: readonly string[],
  found: Retrieved,
  quotes: readonly Quote[],
): FoundPart[] {
  const rows = dedupe(found.ofModels);
  const about = rows.filter(
    ({ description = "", schema }) =>
      terms.length === 0 || terms.some((term) => isCalled([term], `${description} ${schema}`)),
  );
  const ofThings = (among: readonly FitmentRow[]): FitmentRow[] =>
    things.flatMap((thing) => {
      const words = thing.split(" ");
      return among.filter((row) => {
        const { coverage, isThing } = relevanceOf({ terms: words, head: words.at(-1)! }, row);
        return coverage === 1 && (isThing || words.length > 1);
      });
    });
  const said = quotes.map(({ line }) => line).join(" ");
  const named = rows.filter(({ description = "" }) => isNamedIn(description, said));
  const likely = [...named, ...ofThings(about)];
  const ofPlace = rows.filter(({ schema }) =>
    terms.some((term) => !MACHINES.has(term) && isCalled([term], schema.replace(/^.*:/, ""))),
  );
  const all = [
    likely,
    likely.length > 0 ? [] : ofPlace,
    [...likely, ...ofThings(rows)],
    terms.length > 0 ? about : [],
  ].map((each) => inTheirOrder(each, found));
  return (all.find(({ length }) => length > 1) ?? all.find(({ length }) => length > 0) ?? []).slice(
    0,
    MOST_OF_A_SYMPTOM,
  );
}

/** Parts that bear the name of the thing, are none themselves, and do what is asked: a bracket holds a muffler. */
function byRole(item: Item, things: readonly string[], found: Retrieved): FoundPart[] {
  const nouns = item.phrases.flatMap((phrase) => phrase.slice(-1));
  return candidatesOf(item, found)
    .filter(
      ({ relevance, part }) =>
        !relevance.isThing &&
        nouns.some((noun) => isCalled([noun], part.description)) &&
        things.some((thing) => relevanceOf({ terms: [thing] }, part).isThing),
    )
    .sort((a, b) => b.relevance.coverage - a.relevance.coverage)
    .map(({ part }) => part);
}

/** The parts of rows, in the order of the rows. */
function inTheirOrder(rows: readonly FitmentRow[], { hits }: Retrieved): FoundPart[] {
  const parts = partsOf(dedupe(rows), joinable(hits, rows), { terms: [], models: [] });
  return parts.map(({ part }) => part);
}

/** A number that is named wins over every word; if equipment is named too, its rows stand first. */
function byNumber(item: Item, { ofNumbers, exactHits }: Retrieved): FoundPart[] {
  const numbers = new Set(item.mentions.map(({ pnNorm }) => pnNorm));
  const listed = new Set(exactHits.map(({ partNumber }) => normalizePartNumber(partNumber)));
  const named = ofNumbers.filter(
    ({ pnNorm, replacedBy = "" }) =>
      numbers.has(pnNorm) ||
      listed.has(pnNorm) ||
      (item.wanted === "replacement" && numbers.has(normalizePartNumber(replacedBy))),
  );
  const parts = partsOf(dedupe(named), exactHits, item).map(({ part }) => part);
  const order = new Map(item.mentions.map(({ pnNorm, from }) => [pnNorm, from]));
  const placeInText = ({ pnNorm }: FoundPart): number => order.get(pnNorm) ?? Number.MAX_SAFE_INTEGER;
  return parts.sort((a, b) => placeInText(a) - placeInText(b));
}

export interface Candidate {
  part: FoundPart;
  relevance: Relevance;
}

/** Of a machine that no manual is of, a part that bears its name alone is known to fit it. */
function isNamedForStrangers({ models, strangers }: Item, { description, catalog }: FoundPart): boolean {
  const names = normalizePartNumber(`${description} ${catalog?.title ?? ""}`);
  return models.length > 0 || strangers.every(({ name }) => names.includes(normalizePartNumber(name)));
}

/** What is called exactly as asked comes before what is called so and more. */
function tier({ coverage, focus }: Relevance): number {
  return Math.round((coverage + focus) * 5);
}

/** Of what is called as well: what the catalog's search, the pages by words or those by vector have first. */
function placeIn({ byWords, byVector, hits }: Retrieved, { pnNorm, rows }: FoundPart): number {
  const isOn = (passage: Passage): boolean => rows.some((row) => placeOf(row) === placeOf(passage));
  const ranks = [
    hits.findIndex(({ partNumber }) => normalizePartNumber(partNumber) === pnNorm),
    byWords.findIndex(isOn),
    byVector.findIndex(isOn),
  ];
  return Math.min(...ranks.map((rank) => (rank === -1 ? Infinity : rank)));
}

/** Rows and catalog parts of one number are one part; its rows in the order in which they fit the item. */
export function partsOf(
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
  item: Pick<Item, "terms" | "head" | "models">,
): Candidate[] {
  const models = new Set(item.models);
  const groups = Map.groupBy(rows, ({ pnNorm, vendor }) => partKey(pnNorm, vendor, hits));
  const candidates = [...groups.values()].map((group): Candidate => {
    const fits = group
      .map((row) => ({ row, relevance: relevanceOf(item, row) }))
      .sort(
        (a, b) =>
          Number(models.has(b.row.equipment)) - Number(models.has(a.row.equipment)) ||
          b.relevance.coverage - a.relevance.coverage ||
          Number(b.row.quantity !== undefined) - Number(a.row.quantity !== undefined) ||
          b.row.confidence - a.row.confidence,
      );
    const [{ row, relevance }] = fits as [(typeof fits)[number]];
    const catalog = hits.find(
      (hit) => normalizePartNumber(hit.partNumber) === row.pnNorm && isSamePart({ ...row, rows: [row] }, hit),
    );
    const described = fits.find((fit) => fit.row.description !== undefined)?.row.description;
    return {
      relevance,
      part: {
        pnNorm: row.pnNorm,
        partNumber: row.partNumber,
        vendor: row.vendor ?? catalog?.manufacturer.code,
        description: described ?? catalog?.title ?? "",
        rows: fits.map((fit) => fit.row),
        catalog,
        replacedBy:
          group.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy ?? catalog?.supersededBy ?? undefined,
      },
    };
  });
  const inManuals = new Set(candidates.flatMap(({ part }) => part.catalog?.id ?? []));
  const alone = hits
    .filter(({ id }) => !inManuals.has(id))
    .map((hit): Candidate => {
      const { name, code } = hit.manufacturer;
      return {
        // The maker is part of what a title alone does not say, and none of what the thing is called.
        relevance: {
          ...relevanceOf(item, { description: hit.title }),
          coverage: relevanceOf(item, { description: `${hit.title} ${name} ${code}` }).coverage,
        },
        part: {
          pnNorm: normalizePartNumber(hit.partNumber),
          partNumber: hit.partNumber,
          vendor: code,
          description: hit.title,
          rows: [],
          catalog: hit,
          replacedBy: hit.supersededBy ?? undefined,
        },
      };
    });
  return [...candidates, ...alone];
}

/** Several makers' parts of one number are several parts if the manuals name the makers. */
function partKey(pnNorm: string, vendor: string | undefined, hits: readonly CatalogHit[]): string {
  const isOneOfSeveral = hits.filter((hit) => normalizePartNumber(hit.partNumber) === pnNorm).length > 1;
  return isOneOfSeveral ? `${pnNorm} ${vendor ?? ""}` : pnNorm;
}

/** Catalog parts that the manuals' rows name too: others are not known to fit. */
function joinable(hits: readonly CatalogHit[], rows: readonly FitmentRow[]): CatalogHit[] {
  const known = new Set(rows.map(({ pnNorm }) => pnNorm));
  return hits.filter(({ partNumber }) => known.has(normalizePartNumber(partNumber)));
}

function placeOf({ sha256, page }: { sha256: string; page: number }): string {
  return `${sha256} ${page}`;
}

/** One row of a number for each place, with all that is said of it there. */
export function dedupe(rows: readonly FitmentRow[]): FitmentRow[] {
  const key = ({ pnNorm, sha256, page, schema, reference, equipment, quantity }: FitmentRow): string =>
    [pnNorm, sha256, page, schema, reference, equipment, quantity].join("\n");
  return [...Map.groupBy(rows, key).values()].map((same) => ({
    ...same[0]!,
    description: same.find(({ description }) => description !== undefined)?.description,
    replacedBy: same.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy,
  }));
}

/** The parts of several look-ups, each once. */
export function distinctParts(parts: readonly FoundPart[]): FoundPart[] {
  return [...new Map(parts.map((part) => [keyOf(part), part])).values()];
}
