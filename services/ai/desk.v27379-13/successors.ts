import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { dedupe, partsOf } from "./find.ts";
import {
  isForSale,
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
const MOST_MODELS = 6;
/** Places of a part that are told: a common bolt is in every manual, many times. */
export const MOST_ROWS = 100;
/** Steps from a part to its successor that are followed. */
const MOST_SUCCESSIONS = 5;

/** Where a number is listed, and what lists it as its successor. */
export type RowsOf = (pnNorm: string) => Promise<FitmentRow[]>;

export async function rowsOfModels(models: readonly string[], sources: DeskSources): Promise<FitmentRow[]> {
  return (await Promise.all(models.slice(0, MOST_MODELS).map((model) => sources.byModel(model)))).flat();
}

/**
 * Of a number that is in a great many manuals the reader tells some rows alone: those of the equipment that is asked
 * about are found by that.
 */
export function rowsOfNumbers(models: readonly string[], sources: DeskSources): RowsOf {
  let own: Promise<FitmentRow[]> | undefined;
  return async (pnNorm) => {
    const [rows, onModels] = await Promise.all([sources.byPart(pnNorm), (own ??= rowsOfModels(models, sources))]);
    return dedupe([...rows, ...onModels.filter((row) => row.pnNorm === pnNorm)]);
  };
}

/** The rows that are told: those of the equipment that is asked about, then one of each other, then the rest. */
export function toldOf(rows: readonly FitmentRow[], models: readonly string[]): FitmentRow[] {
  const asked = rows.filter(({ equipment }) => models.includes(equipment));
  const ofEach = rows.length > MOST_ROWS ? [...new Map(rows.map((row) => [row.equipment, row])).values()] : [];
  return [...new Set([...asked, ...ofEach, ...rows])].slice(0, MOST_ROWS);
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
      const rowsOf = rowsOfNumbers(finding.item.models, sources);
      try {
        const parts = await Promise.all(
          finding.parts.map(async (part) => {
            const replacedBy = part.replacedBy ?? (await replacementOf(part, offers.get(keyOf(part)), rowsOf));
            return { ...part, replacedBy };
          }),
        );
        return { ...finding, parts, successors: await successorsOf({ ...finding, parts }, rowsOf, sources) };
      } catch {
        return { ...finding, isReplacementUnknown: true };
      }
    }),
  );
}

/** Whether two may be of one maker: who is not named may be any. */
export function isSameMaker(vendor: string | undefined, other: string | undefined): boolean {
  return vendor === undefined || other === undefined || vendor === other;
}

async function replacementOf(
  { pnNorm, vendor }: FoundPart,
  offer: Offer | undefined,
  rowsOf: RowsOf,
): Promise<string | undefined> {
  if (!offer || offer.supersededBy !== undefined || isForSale(offer) || isUnasked(offer)) return offer?.supersededBy;
  return (await rowsOf(pnNorm)).find(
    (row) => row.pnNorm === pnNorm && row.replacedBy !== undefined && isSameMaker(row.vendor, vendor),
  )?.replacedBy;
}

/** What is supplied in place of the parts. A circle ends where it began. */
async function successorsOf(
  { parts, item: { models } }: Finding,
  rowsOf: RowsOf,
  sources: DeskSources,
): Promise<FoundPart[]> {
  const known = new Set(parts.map(({ pnNorm }) => pnNorm));
  const successors: FoundPart[] = [];
  for (const part of parts) {
    let from: FoundPart = part;
    for (let step = 0; step < MOST_SUCCESSIONS && from.replacedBy !== undefined; step += 1) {
      const pnNorm = normalizePartNumber(from.replacedBy);
      if (pnNorm === "" || known.has(pnNorm)) break;
      known.add(pnNorm);
      const [rows, hits] = await Promise.all([rowsOf(pnNorm), sources.catalog(from.replacedBy, EXACT_HITS)]);
      from = successorOf(from, from.replacedBy, rows, hits);
      from = { ...from, rows: toldOf(from.rows, models) };
      successors.push(from);
    }
  }
  return successors;
}

/**
 * Another maker's part with the new number is meant only if the old one's maker has none. If no manual lists the new
 * number itself, the note on the old one is where it is.
 */
function successorOf(
  old: FoundPart,
  partNumber: string,
  rows: readonly FitmentRow[],
  hits: readonly CatalogHit[],
): FoundPart {
  const pnNorm = normalizePartNumber(partNumber);
  const listed = rows.filter((row) => row.pnNorm === pnNorm);
  const exact = hits.filter((hit) => normalizePartNumber(hit.partNumber) === pnNorm);
  const found = partsOf(dedupe(listed), exact, { terms: [], models: [] }).map(({ part }) => part);
  const own =
    found.find(({ vendor }) => vendor === old.vendor) ??
    found.find(({ vendor }) => isSameMaker(vendor, old.vendor)) ??
    found[0];
  const noted = old.rows
    .filter((row) => row.replacedBy !== undefined && normalizePartNumber(row.replacedBy) === pnNorm)
    .map((row) => ({ ...row, partNumber, pnNorm, replacedBy: undefined }));
  const { vendor, description } = old;
  return { pnNorm, partNumber, vendor, description, ...own, rows: own?.rows.length ? own.rows : noted };
}
