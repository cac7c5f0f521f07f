import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import type { CatalogHit, FitmentRow, FoundPart, Passage } from "../facts.ts";
import { rowsAt, rowsOfSchemas } from "../understanding/places.ts";
import { quotable } from "../wording/quotable.ts";
import { fuse, type Ranking } from "../../passages/fusion.ts";
import { rarityAmong, RELEVANT, relevanceOf, type Rarity, type Relevance } from "./relevance.ts";
import type { Ask } from "../understanding/understanding.ts";
import type { NearNumber } from "./unknown-numbers.ts";

/** What was looked up for one question. */
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

/** Parts that an answer names for one question, at most. */
const MOST_PARTS = 5;
/** Of a question that asks for what an equipment has, in so many words: more. */
const MOST_OF_A_LIST = 10;
/** A part whose words fit so much less than the best one's is another thing. */
const BESIDE_THE_BEST = 0.8;
/** Numbers that are asked for, with what else they are the number of. */
const MOST_NUMBERED = 24;
/** All of what is asked for, but for a word that the diagram has. */
const NAMED_SO = 0.85;
const MOST_NAMES = 3;
/** Vectors alone make a part relevant where its page is among the first so many. */
const NEAR = 3;

/** How many of what answers a question are told. */
export function mostOf({ terms, place, isList, isPlural, mentions }: Ask): number {
  return mentions.length > 0
    ? MOST_NUMBERED
    : terms.length === 0 || place !== undefined || isList || isPlural
      ? MOST_OF_A_LIST
      : MOST_PARTS;
}

/** All parts that answer a question, the best first; none where nothing is relevant. */
export function findParts(ask: Ask, found: Retrieved): FoundPart[] {
  const numbers = new Set(ask.mentions.map(({ pnNorm }) => pnNorm));
  const isNumbered = numbers.size > 0 && (found.ofNumbers.length > 0 || found.exactHits.length > 0);
  if (isNumbered) return byNumber(ask, found, numbers);
  const listed = ask.place
    ? rowsAt(found.ofModels, ask.place, ask.terms)
    : ask.isList && ask.terms.length > 0
      ? rowsOfSchemas(found.ofModels, ask.terms)
      : [];
  if (ask.place || listed.length > 0) return inTheirOrder(ask, listed, found);
  const rows = dedupe(ask.models.length > 0 ? found.ofModels : found.ofPages);
  const rarity = rarityAmong(rows);
  const parts = partsOf(rows, ask.models.length > 0 ? joinable(found.hits, rows) : found.hits, ask, rarity);
  const near = new Set(found.byVector.slice(0, NEAR).map(placeOf));
  const relevant = parts
    .filter(({ part }) => isOfStrangers(ask, part))
    .filter(
      ({ relevance, part }) =>
        relevance.coverage >= RELEVANT ||
        (ask.head === undefined && relevance.coverage > 0 && part.rows.some((row) => near.has(placeOf(row)))),
    );
  if (relevant.length === 0) return [];
  const scores = fuse(rankings(relevant, found));
  const best = Math.max(...relevant.map(({ relevance }) => relevance.coverage));
  const beside = relevant.filter(({ relevance }) => relevance.coverage >= best * BESIDE_THE_BEST);
  // Of what is as good in words, the thing itself; what has all of them for its own, and no more; and then what is
  // called just so.
  const things = those(beside, ({ relevance }) => relevance.isThing);
  const whole = those(things, ({ relevance }) => relevance.coverage === 1);
  // Whoever asks what the shop has, and of no equipment, asks for what it sells.
  const offered =
    ask.wanted === "offer" && ask.models.length === 0 ? those(whole, ({ part }) => part.catalog !== undefined) : whole;
  // Washers are all washers, a washer is what is called so and no more.
  const named =
    ask.isPlural && ask.models.length > 0
      ? offered
      : those(offered, ({ relevance }) => relevance.coverage >= NAMED_SO && relevance.focus === 1);
  return named
    .map(({ part, relevance }) => ({ ...part, score: scores.get(keyOf(part)) ?? 0, relevance }))
    .sort((a, b) => tier(b.relevance) - tier(a.relevance) || b.score - a.score || a.pnNorm.localeCompare(b.pnNorm))
    .map(({ relevance: _, ...part }) => part);
}

/** The parts of some rows, as their manual lists them. */
function inTheirOrder(ask: Ask, rows: readonly FitmentRow[], { hits }: Retrieved): FoundPart[] {
  const parts = partsOf(dedupe(rows), joinable(hits, rows), { ...ask, terms: [], head: undefined }, () => 1);
  return parts.map(({ part }, at) => ({ ...part, score: 1 / (at + 1) }));
}

/** Those of whom it holds, where there are any; else all of them. */
function those(candidates: readonly Candidate[], holds: (candidate: Candidate) => boolean): readonly Candidate[] {
  const found = candidates.filter(holds);
  return found.length > 0 ? found : candidates;
}

/** Parts whose names are a little like what is asked for: what somebody may have meant. */
export function nearestParts(
  ask: Ask,
  { ofModels, ofPages, hits }: Pick<Retrieved, "ofModels" | "ofPages" | "hits">,
): NearNumber[] {
  if (ask.terms.length === 0) return [];
  const rows = ask.models.length > 0 ? ofModels : ofPages;
  const candidates = [
    ...rows.flatMap((row): NearNumber[] =>
      row.description === undefined ? [] : [{ partNumber: row.partNumber, description: row.description, row }],
    ),
    ...(ask.models.length > 0
      ? []
      : hits.map(({ partNumber, title }): NearNumber => ({ partNumber, description: title }))),
  ].filter(({ description }) => quotable(description).length > 0);
  const near = [...new Map(candidates.map((part) => [normalizePartNumber(part.partNumber), part])).values()].map(
    (part) => ({ part, ...relevanceOf({ terms: ask.terms }, { description: part.description }) }),
  );
  return near
    .filter(({ coverage }) => coverage > 0)
    .sort((a, b) => b.coverage - a.coverage || Number(b.isThing) - Number(a.isThing) || b.focus - a.focus)
    .slice(0, MOST_NAMES)
    .map(({ part }) => part);
}

/** Of a machine that no manual is of, a part that bears its name alone is known to fit it. */
function isOfStrangers({ models, strangers }: Ask, { description, catalog }: FoundPart): boolean {
  if (models.length > 0) return true;
  const names = normalizePartNumber(`${description} ${catalog?.title ?? ""}`);
  return strangers.every((stranger) => names.includes(normalizePartNumber(stranger)));
}

/** What is called exactly as asked comes before what is called so and more. */
function tier({ coverage, focus }: Relevance): number {
  return Math.round((coverage + focus) * 5);
}

function rankings(parts: readonly Candidate[], { byWords, byVector, hits }: Retrieved): Ranking[] {
  const byCoverage = [...parts].sort(
    (a, b) => b.relevance.coverage - a.relevance.coverage || b.relevance.focus - a.relevance.focus,
  );
  const onPages = (passages: readonly Passage[]): string[] =>
    passages.flatMap((passage) =>
      parts
        .filter(({ part }) => part.rows.some((row) => placeOf(row) === placeOf(passage)))
        .map(({ part }) => keyOf(part)),
    );
  const inCatalog = hits.flatMap((hit) =>
    parts.filter(({ part }) => part.pnNorm === normalizePartNumber(hit.partNumber)).map(({ part }) => keyOf(part)),
  );
  return [
    { keys: byCoverage.map(({ part }) => keyOf(part)), weight: 2 },
    { keys: inCatalog },
    { keys: onPages(byWords) },
    { keys: onPages(byVector) },
  ];
}

/** A number that is named wins over every word; where equipment is named too, its rows stand first. */
function byNumber(ask: Ask, { ofNumbers, exactHits }: Retrieved, numbers: ReadonlySet<string>): FoundPart[] {
  const listed = new Set(exactHits.map(({ partNumber }) => normalizePartNumber(partNumber)));
  const named = ofNumbers.filter(({ pnNorm }) => numbers.has(pnNorm) || listed.has(pnNorm));
  const rarity = rarityAmong(named);
  const parts = partsOf(dedupe(named), exactHits, { ...ask, terms: [] }, rarity).map(({ part }) => part);
  const order = new Map(ask.mentions.map(({ pnNorm, from }) => [pnNorm, from]));
  const placeInText = ({ pnNorm }: FoundPart): number => order.get(pnNorm) ?? Number.MAX_SAFE_INTEGER;
  return parts.sort((a, b) => placeInText(a) - placeInText(b)).map((part, at) => ({ ...part, score: 1 / (at + 1) }));
}

interface Candidate {
  part: FoundPart;
  relevance: Relevance;
}

/** Rows and catalog parts of one number are one part; its rows in the order in which they fit the question. */
function partsOf(rows: readonly FitmentRow[], hits: readonly CatalogHit[], ask: Ask, rarity: Rarity): Candidate[] {
  const models = new Set(ask.models.map(({ equipment }) => equipment));
  const groups = Map.groupBy(rows, ({ pnNorm, vendor }) => partKey(pnNorm, vendor, hits));
  const candidates = [...groups.values()].map((group): Candidate => {
    const fits = group
      .map((row) => ({ row, relevance: relevanceOf(ask, row, rarity) }))
      .sort(
        (a, b) =>
          Number(models.has(b.row.equipment)) - Number(models.has(a.row.equipment)) ||
          b.relevance.coverage - a.relevance.coverage ||
          Number(b.row.quantity !== undefined) - Number(a.row.quantity !== undefined) ||
          b.row.confidence - a.row.confidence,
      );
    const [{ row, relevance }] = fits as [(typeof fits)[number]];
    const catalog = hits.find((hit) => isOf(hit, row));
    const described = fits.find((fit) => fit.row.description !== undefined)?.row.description;
    return {
      relevance,
      part: {
        pnNorm: row.pnNorm,
        partNumber: row.partNumber,
        vendor: row.vendor ?? catalog?.manufacturer.code,
        description: described ?? catalog?.title ?? "",
        score: 0,
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
    .map((hit): Candidate => ({
      // The maker is part of what a title alone does not say, and none of what the thing is called.
      relevance: {
        ...relevanceOf(ask, { description: hit.title }),
        coverage: relevanceOf(ask, { description: `${hit.title} ${hit.manufacturer.name} ${hit.manufacturer.code}` })
          .coverage,
      },
      part: {
        pnNorm: normalizePartNumber(hit.partNumber),
        partNumber: hit.partNumber,
        vendor: hit.manufacturer.code,
        description: hit.title,
        rows: [],
        catalog: hit,
        score: 0,
        replacedBy: hit.supersededBy ?? undefined,
      },
    }));
  return [...candidates, ...alone];
}

/** Several makers' parts of one number are several parts where the manuals tell them apart. */
function partKey(pnNorm: string, vendor: string | undefined, hits: readonly CatalogHit[]): string {
  const isOneOfSeveral = hits.filter((hit) => normalizePartNumber(hit.partNumber) === pnNorm).length > 1;
  return isOneOfSeveral ? `${pnNorm} ${vendor ?? ""}` : pnNorm;
}

function isOf(hit: CatalogHit, { pnNorm, vendor }: FitmentRow): boolean {
  return normalizePartNumber(hit.partNumber) === pnNorm && (vendor === undefined || hit.manufacturer.code === vendor);
}

/** Catalog parts that the manuals' rows name too: others are not known to fit. */
function joinable(hits: readonly CatalogHit[], rows: readonly FitmentRow[]): CatalogHit[] {
  const known = new Set(rows.map(({ pnNorm }) => pnNorm));
  return hits.filter(({ partNumber }) => known.has(normalizePartNumber(partNumber)));
}

export function keyOf({ pnNorm, vendor }: Pick<FoundPart, "pnNorm" | "vendor">): string {
  return `${pnNorm} ${vendor ?? ""}`;
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
