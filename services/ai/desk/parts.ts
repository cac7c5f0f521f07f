import { normalizePartNumber } from "@partline/parts-language";
import { relevanceOf, type Named, type Relevance } from "./names.ts";
import {
  isForSale,
  isSamePart,
  isUnasked,
  keyOf,
  type CatalogHit,
  type DeskSources,
  type FitmentRow,
  type FoundPart,
  type Offer,
} from "./port.ts";
import type { Finding } from "./retrieval.ts";

export const EXACT_HITS = 5;
/** Equipment whose rows are read for one question. */
export const MOST_MACHINES = 6;
/** Places of a part in an answer: a common bolt is in every manual, many times. */
export const MOST_ROWS = 100;
/** Steps from a part to its successor that are followed. */
const MOST_SUCCESSIONS = 5;

export interface Candidate {
  part: FoundPart;
  relevance: Relevance;
}

export const numberOf = ({ partNumber }: { partNumber: string }): string => normalizePartNumber(partNumber);

/** Rows and catalog parts of one number are one part; its rows in the order in which they fit what is asked for. */
export function partsOf(
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
  asked: Named & { models?: readonly string[] } = { terms: [] },
): Candidate[] {
  const { models = [] } = asked;
  // Several makers' parts of one number are several parts if the manuals name the makers.
  const partOf = ({ pnNorm, vendor }: FitmentRow): string =>
    hits.filter((hit) => numberOf(hit) === pnNorm).length > 1 ? `${pnNorm} ${vendor ?? ""}` : pnNorm;
  const listed = [...Map.groupBy(dedupe(rows), partOf).values()].map((group): Candidate => {
    const fits = group
      .map((row) => ({ row, relevance: relevanceOf(asked, row) }))
      .sort(
        (a, b) =>
          Number(models.includes(b.row.equipment)) - Number(models.includes(a.row.equipment)) ||
          b.relevance.coverage - a.relevance.coverage,
      );
    const [{ row, relevance }] = fits as [(typeof fits)[number]];
    const catalog = hits.find((hit) => numberOf(hit) === row.pnNorm && isSamePart({ ...row, rows: [row] }, hit));
    const { pnNorm, partNumber, vendor = catalog?.manufacturer.code } = row;
    const described = fits.find((fit) => fit.row.description !== undefined)?.row.description;
    const description = described ?? catalog?.title ?? "";
    const replacedBy = group.find((each) => each.replacedBy !== undefined)?.replacedBy ?? catalog?.supersededBy;
    const own = fits.map((fit) => fit.row);
    return {
      relevance,
      part: { pnNorm, partNumber, vendor, description, rows: own, catalog, replacedBy: replacedBy ?? undefined },
    };
  });
  const alone = hits.filter(({ id }) => listed.every(({ part }) => part.catalog?.id !== id));
  return [...listed, ...alone.map((hit) => partOfCatalog(hit, asked))];
}

function partOfCatalog(hit: CatalogHit, asked: Named): Candidate {
  const { partNumber, title, manufacturer, supersededBy } = hit;
  // The maker is part of what a title alone does not say, and none of what the thing is called.
  const { coverage } = relevanceOf(asked, { description: `${title} ${manufacturer.name} ${manufacturer.code}` });
  return {
    relevance: { ...relevanceOf(asked, { description: title }), coverage },
    part: {
      pnNorm: numberOf(hit),
      partNumber,
      vendor: manufacturer.code,
      description: title,
      rows: [],
      catalog: hit,
      replacedBy: supersededBy ?? undefined,
    },
  };
}

/** One row of a number for each place, with all that is said of it there. */
function dedupe(rows: readonly FitmentRow[]): FitmentRow[] {
  const key = ({ pnNorm, sha256, page, schema, reference, equipment, quantity }: FitmentRow): string =>
    [pnNorm, sha256, page, schema, reference, equipment, quantity].join("\n");
  return [...Map.groupBy(rows, key).values()].map((same) => ({
    ...same[0]!,
    description: same.find(({ description }) => description !== undefined)?.description,
    replacedBy: same.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy,
  }));
}

export function distinctParts(parts: readonly FoundPart[]): FoundPart[] {
  return [...new Map(parts.map((part) => [keyOf(part), part])).values()];
}

/** Where a number is listed, and what lists it as its successor. */
export type RowsOf = (pnNorm: string) => Promise<FitmentRow[]>;

export async function rowsOfModels(models: readonly string[], sources: DeskSources): Promise<FitmentRow[]> {
  return (await Promise.all(models.slice(0, MOST_MACHINES).map((model) => sources.byModel(model)))).flat();
}

/**
 * Returns the rows of a number. The reader limits those of a number that is in many manuals, so the rows of the
 * equipment that is asked about are read by its model.
 */
export function rowsOfNumbers(models: readonly string[], sources: DeskSources): RowsOf {
  return async (pnNorm) => {
    const [rows, onModels] = await Promise.all([sources.byPart(pnNorm), rowsOfModels(models, sources)]);
    return dedupe([...rows, ...onModels.filter((row) => row.pnNorm === pnNorm)]);
  };
}

/** Returns the rows of an answer: those of the equipment that is asked about, then one of each other, then the rest. */
export function toldOf(rows: readonly FitmentRow[], models: readonly string[]): FitmentRow[] {
  const asked = rows.filter(({ equipment }) => models.includes(equipment));
  const ofEach = rows.length > MOST_ROWS ? [...new Map(rows.map((row) => [row.equipment, row])).values()] : [];
  return [...new Set([...asked, ...ofEach, ...rows])].slice(0, MOST_ROWS);
}

/** Whether two may be of one maker: who is not named may be any. */
export function isSameMaker(vendor: string | undefined, other: string | undefined): boolean {
  return vendor === undefined || other === undefined || vendor === other;
}

/**
 * The findings with what is supplied in place of their parts, and in place of that. Words find rows of the equipment,
 * which need not say it: the catalog does, and of a part that cannot be bought any list of superseded numbers. What was
 * found stands if this fails.
 * @param offers price and stock of the parts, by `keyOf`
 */
export function withSuccessors(
  findings: readonly Finding[],
  offers: ReadonlyMap<string, Offer>,
  sources: DeskSources,
): Promise<Finding[]> {
  return Promise.all(
    findings.map(async (finding) => {
      const { models } = finding.item;
      const rowsOf = rowsOfNumbers(models, sources);
      const replacementOf = async ({ pnNorm, vendor, replacedBy }: FoundPart, offer: Offer | undefined) => {
        if (replacedBy !== undefined || !offer || offer.supersededBy !== undefined)
          return replacedBy ?? offer?.supersededBy;
        if (isForSale(offer) || isUnasked(offer)) return undefined;
        return (await rowsOf(pnNorm)).find(
          (row) => row.pnNorm === pnNorm && row.replacedBy !== undefined && isSameMaker(row.vendor, vendor),
        )?.replacedBy;
      };
      try {
        const parts = await Promise.all(
          finding.parts.map(async (part) => ({
            ...part,
            replacedBy: await replacementOf(part, offers.get(keyOf(part))),
          })),
        );
        const known = new Set(parts.map(({ pnNorm }) => pnNorm));
        const successors: FoundPart[] = [];
        for (let from of parts as FoundPart[])
          for (let step = 0; step < MOST_SUCCESSIONS && from.replacedBy !== undefined; step += 1) {
            // A circle ends where it began.
            const pnNorm = normalizePartNumber(from.replacedBy);
            if (pnNorm === "" || known.has(pnNorm)) break;
            known.add(pnNorm);
            const hits = await sources.catalog(from.replacedBy, EXACT_HITS);
            const { rows, ...next } = successorOf(from, from.replacedBy, await rowsOf(pnNorm), hits);
            from = { ...next, rows: toldOf(rows, models) };
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
 * Another maker's part with the new number is meant only if the old one's maker has none. If no manual lists the new
 * number itself, the note on the old one is where it is.
 */
function successorOf(
  { vendor, description, rows: places }: FoundPart,
  partNumber: string,
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
): FoundPart {
  const pnNorm = normalizePartNumber(partNumber);
  const found = partsOf(
    rows.filter((row) => row.pnNorm === pnNorm),
    hits.filter((hit) => numberOf(hit) === pnNorm),
  ).map(({ part }) => part);
  const own =
    found.find((part) => part.vendor === vendor) ?? found.find((part) => isSameMaker(part.vendor, vendor)) ?? found[0];
  const noted = places
    .filter((row) => row.replacedBy !== undefined && normalizePartNumber(row.replacedBy) === pnNorm)
    .map((row) => ({ ...row, partNumber, pnNorm, replacedBy: undefined }));
  return { pnNorm, partNumber, vendor, description, ...own, rows: own?.rows.length ? own.rows : noted };
}
