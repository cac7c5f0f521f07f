import { cutTitle, scoreRelevance, toModelKey, type NameQuery, type Relevance } from "@partline/parts-search";
import { type Comparable, compareMeasures, findMeasures, normalizePartNumber } from "@partline/parts-language";
import { getAt, memoizeRecent } from "@partline/toolkit";
import {
  isForSale,
  isSamePart,
  isUnasked,
  toPartKey,
  type CatalogHit,
  type DeskSources,
  type FitmentRow,
  type FoundPart,
  type Offer,
} from "./port.ts";
import type { Finding } from "./finding.ts";
import { toSpellingPattern } from "./machines.ts";

export const EXACT_HITS = 5;
/** Equipment whose rows are read for one question. */
export const MOST_MACHINES = 6;
/** Places of a part in an answer: a common bolt is in every manual, many times. */
export const MOST_ROWS = 100;
/** Characters of a machine's name that is known within a part's. */
const SHORTEST_MACHINE = 4;
/** Steps from a part to its successor that are followed. */
const MOST_SUCCESSIONS = 5;

export interface Candidate {
  part: FoundPart;
  /** What it is called, without the name of its machine. */
  name: string;
  relevance: Relevance;
}

export const toPnNorm = ({ partNumber }: { partNumber: string }): string => normalizePartNumber(partNumber);

/** Groups rows and catalog parts of one number into one part, its rows in the order in which they fit the query. */
export function groupCandidates(
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
  query: NameQuery & { models?: readonly string[] } = { terms: [] },
): Candidate[] {
  const { models = [] } = query;
  // Several makers' parts of one number are several parts if the manuals name the makers.
  const toGroupKey = ({ pnNorm, vendor }: FitmentRow): string =>
    hits.filter((hit) => toPnNorm(hit) === pnNorm).length > 1 ? `${pnNorm} ${vendor ?? ""}` : pnNorm;
  const listed = [...Map.groupBy(deduplicateRows(rows), toGroupKey).values()].map((group): Candidate => {
    const fits = group
      .map((row) => {
        const name = row.description && cutMachine(row.description, row).name;
        return { row, name, relevance: scoreRelevance(query, { description: name, schema: row.schema }) };
      })
      .sort(
        (a, b) =>
          Number(models.includes(b.row.equipment)) - Number(models.includes(a.row.equipment)) ||
          b.relevance.coverage - a.relevance.coverage,
      );
    const [{ row, relevance }] = fits as [(typeof fits)[number]];
    const catalog = hits.find((hit) => toPnNorm(hit) === row.pnNorm && isSamePart({ ...row, rows: [row] }, hit));
    const { pnNorm, partNumber, vendor = catalog?.manufacturer.code } = row;
    const described = fits.find((fit) => fit.row.description !== undefined)?.row.description;
    const description = pickDescription(described, catalog?.title);
    const replacedBy = group.find((row) => row.replacedBy !== undefined)?.replacedBy ?? catalog?.supersededBy;
    const partRows = fits.map((fit) => fit.row);
    const name = fits.find((fit) => fit.row.description === description)?.name ?? description;
    return {
      relevance,
      name,
      part: { pnNorm, partNumber, vendor, description, rows: partRows, catalog, replacedBy: replacedBy ?? undefined },
    };
  });
  const alone = hits.filter(({ id }) => listed.every(({ part }) => part.catalog?.id !== id));
  return [...listed, ...alone.map((hit) => toCatalogCandidate(hit, query))];
}

/**
 * Picks what a part is called: as its manual does, unless the catalog gives it other measures. A list of superseded
 * numbers has the old part's.
 */
function pickDescription(described: string | undefined, title: string | undefined): string {
  if (described === undefined || title === undefined) return described ?? title ?? "";
  const [inManual, inCatalog] = [described, title].map(findMeasures);
  if (!inManual?.length || !inCatalog?.length) return described;
  const isSame = inManual.some((measure) => inCatalog.some((candidate) => compareMeasures(measure, candidate) === 0));
  return isSame ? described : title;
}

function toCatalogCandidate(hit: CatalogHit, query: NameQuery): Candidate {
  const { partNumber, title, manufacturer, supersededBy } = hit;
  const name = toNameWithoutMachine(hit);
  // The maker is part of what a title alone does not say, and none of what the thing is called.
  const { coverage } = scoreRelevance(query, { description: `${title} ${manufacturer.name} ${manufacturer.code}` });
  return {
    name,
    // Behind its head a title says how the part is: `Spark Plug, Platinum` is a spark plug, and no more.
    relevance: {
      ...scoreRelevance(query, { description: name }),
      focus: scoreRelevance(query, { description: cutTitle(name).head }).focus,
      coverage,
    },
    part: {
      pnNorm: toPnNorm(hit),
      partNumber,
      vendor: manufacturer.code,
      description: title,
      rows: [],
      catalog: hit,
      replacedBy: supersededBy ?? undefined,
    },
  };
}

/** Matches the name of a row's machine, and of its maker, with what is glued to it: `BCN3DSigma-`. */
const getMachinePattern = memoizeRecent(100, (names: string) => {
  const spellings = names
    .split("\n")
    .map((name) => (normalizePartNumber(name).length < SHORTEST_MACHINE ? "(?!)" : toSpellingPattern(name)));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])([\p{L}\p{N}]*)(?:${spellings.join("|")})(?![\p{L}\p{N}])-?`, "iu");
});

/**
 * Cuts the name of a row's machine out of what the row calls its part: `NOZZLE 0,4mm SIGMA` is a nozzle. Returns the
 * word glued to it, too, by which people call the machine.
 */
export function cutMachine(description: string, { equipment, manufacturer = "" }: FitmentRow) {
  const [match = "", glued = ""] = getMachinePattern(`${equipment}\n${manufacturer}`).exec(description) ?? [];
  const name = match === "" ? description : description.replace(match, " ").trim();
  return /\p{L}{3}/u.test(name) ? { name, glued: glued.toLowerCase() } : { name: description, glued: "" };
}

/** Returns what an order compares a part by. */
export function toComparable({ description, catalog }: FoundPart): Comparable {
  const name = catalog ? toNameWithoutMachine(catalog) : description;
  return { name, price: catalog?.status === "active" ? catalog.price : null };
}

/** `Oil Filter, Short` of `Oil Filter, Short, FR651V`, which fits one. */
function toNameWithoutMachine({ title, fits = [] }: CatalogHit): string {
  const segments = title.split(", ");
  return segments.length > 1 && fits.includes(segments.at(-1) ?? "") ? segments.slice(0, -1).join(", ") : title;
}

/** Keeps one row of a number for each place, with all that is said of it there. */
function deduplicateRows(rows: readonly FitmentRow[]): FitmentRow[] {
  const toKey = ({ pnNorm, sha256, page, schema, reference, equipment, quantity }: FitmentRow): string =>
    [pnNorm, sha256, page, schema, reference, equipment, quantity].join("\n");
  return [...Map.groupBy(rows, toKey).values()].map((same) => ({
    ...getAt(same, 0),
    description: same.find(({ description }) => description !== undefined)?.description,
    replacedBy: same.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy,
  }));
}

export function deduplicateParts(parts: readonly FoundPart[]): FoundPart[] {
  return [...new Map(parts.map((part) => [toPartKey(part), part])).values()];
}

/** Where a number is listed, and what lists it as its successor. */
export type FindRows = (pnNorm: string) => Promise<FitmentRow[]>;

export async function findModelRows(models: readonly string[], sources: DeskSources): Promise<FitmentRow[]> {
  const rows = await Promise.all(
    models.slice(0, MOST_MACHINES).map(async (model) => {
      const modelRows = await sources.findRowsByModel(model);
      // A reader takes a name for the beginning of others: `HM722` is no `HM-722D`.
      const exact = modelRows.filter(({ equipment }) => toModelKey(equipment) === toModelKey(model));
      return exact.length > 0 || (await sources.findPartsFor([model])).length > 0 ? exact : modelRows;
    }),
  );
  return rows.flat();
}

/**
 * Returns the rows of a number. The reader limits those of a number that is in many manuals, so the rows of the
 * equipment that is asked about are read by its model.
 */
export function createRowFinder(models: readonly string[], sources: DeskSources): FindRows {
  return async (pnNorm) => {
    const [rows, onModels] = await Promise.all([sources.findRowsByNumber(pnNorm), findModelRows(models, sources)]);
    return deduplicateRows([...rows, ...onModels.filter((row) => row.pnNorm === pnNorm)]);
  };
}

/** Returns the rows of an answer: those of the equipment that is asked about, then one of each other, then the rest. */
export function selectRows(rows: readonly FitmentRow[], models: readonly string[]): FitmentRow[] {
  const modelRows = rows.filter(({ equipment }) => models.includes(equipment));
  const equipmentRows = rows.length > MOST_ROWS ? [...new Map(rows.map((row) => [row.equipment, row])).values()] : [];
  return [...new Set([...modelRows, ...equipmentRows, ...rows])].slice(0, MOST_ROWS);
}

/** Returns whether two may be of one maker: an unnamed maker may be any. */
export function isSameMaker(vendor: string | undefined, otherVendor: string | undefined): boolean {
  return vendor === undefined || otherVendor === undefined || vendor === otherVendor;
}

/**
 * Returns the findings with what is supplied in place of their parts, and in place of that. Words find rows of the
 * equipment, which need not say it: the catalog does, and of a part that cannot be bought any list of superseded
 * numbers. What was found stands if this fails.
 * @param offers price and stock of the parts, by `toPartKey`
 */
export function withSuccessors(
  findings: readonly Finding[],
  offers: ReadonlyMap<string, Offer>,
  sources: DeskSources,
): Promise<Finding[]> {
  return Promise.all(
    findings.map(async (finding) => {
      const { models } = finding.item;
      const findRows = createRowFinder(models, sources);
      const findReplacement = async ({ pnNorm, vendor, replacedBy }: FoundPart, offer: Offer | undefined) => {
        if (replacedBy !== undefined || !offer || offer.supersededBy !== undefined)
          return replacedBy ?? offer?.supersededBy;
        if (isForSale(offer) || isUnasked(offer)) return undefined;
        return (await findRows(pnNorm)).find(
          (row) => row.pnNorm === pnNorm && row.replacedBy !== undefined && isSameMaker(row.vendor, vendor),
        )?.replacedBy;
      };
      try {
        const parts = await Promise.all(
          finding.parts.map(async (part) => ({
            ...part,
            replacedBy: await findReplacement(part, offers.get(toPartKey(part))),
          })),
        );
        const visitedNumbers = new Set(parts.map(({ pnNorm }) => pnNorm));
        const successors: FoundPart[] = [];
        for (let from of parts as FoundPart[])
          for (let step = 0; step < MOST_SUCCESSIONS && from.replacedBy !== undefined; step += 1) {
            // A circle ends where it began.
            const pnNorm = normalizePartNumber(from.replacedBy);
            if (pnNorm === "" || visitedNumbers.has(pnNorm)) break;
            visitedNumbers.add(pnNorm);
            const hits = await sources.catalog(from.replacedBy, EXACT_HITS);
            const { rows, ...next } = resolveSuccessor(from, from.replacedBy, await findRows(pnNorm), hits);
            from = { ...next, rows: selectRows(rows, models) };
            successors.push(from);
          }
        return { ...finding, parts, successors };
      } catch {
        return { ...finding, isReplacementUnknown: true };
      }
    }),
  );
}

/**
 * Resolves a successor. Another maker's part with the new number is meant only if the old one's maker has none. If no
 * manual lists the new number itself, the note on the old one is where it is.
 */
function resolveSuccessor(
  { vendor, description, rows: places }: FoundPart,
  partNumber: string,
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
): FoundPart {
  const pnNorm = normalizePartNumber(partNumber);
  const candidates = groupCandidates(
    rows.filter((row) => row.pnNorm === pnNorm),
    hits.filter((hit) => toPnNorm(hit) === pnNorm),
  ).map(({ part }) => part);
  const best =
    candidates.find((part) => part.vendor === vendor) ??
    candidates.find((part) => isSameMaker(part.vendor, vendor)) ??
    candidates[0];
  const noted = places
    .filter((row) => row.replacedBy !== undefined && normalizePartNumber(row.replacedBy) === pnNorm)
    .map((row) => ({ ...row, partNumber, pnNorm, replacedBy: undefined }));
  return { pnNorm, partNumber, vendor, description, ...best, rows: best?.rows.length ? best.rows : noted };
}
