import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { dedupe } from "./find.ts";
import type { Searched } from "./guarded.ts";
import {
  isForSale,
  isUnasked,
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
/** Places of a part that are told, those that fit the question first: a common bolt is in every manual, many times. */
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
  let own: Promise<Map<string, FitmentRow[]>> | undefined;
  const ofModels = async (): Promise<Map<string, FitmentRow[]>> => {
    return Map.groupBy(await rowsOfModels(models, sources), ({ pnNorm }) => pnNorm);
  };
  return async (pnNorm) => {
    const [rows, onModels] = await Promise.all([sources.byPart(pnNorm), (own ??= ofModels())]);
    const onThem = onModels.get(pnNorm);
    return onThem === undefined ? rows : dedupe([...rows, ...onThem]);
  };
}

/** What is supplied in place of the parts, and in place of that. A circle ends where it began. */
export async function successorsOf(
  parts: readonly FoundPart[],
  models: readonly string[],
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
      from = await successorOf(from, from.replacedBy, { pnNorm, models, rowsOf }, sources);
      successors.push(from);
    }
  }
  return successors;
}

interface Numbered {
  /** Where manuals list exactly the number. */
  rows: FitmentRow[];
  hit?: CatalogHit;
  replacedBy?: string;
}

/** What is known of a number, of its vendor if that is known. @param catalog the search, if it is asked, too */
async function lookUpNumber(
  { pnNorm, partNumber, vendor }: Pick<FoundPart, "pnNorm" | "partNumber" | "vendor">,
  rowsOf: RowsOf,
  catalog?: DeskSources["catalog"],
): Promise<Numbered> {
  const [listed, hits] = await Promise.all([rowsOf(pnNorm), catalog?.(partNumber, EXACT_HITS) ?? []]);
  const isOwn = (of: string | undefined): boolean => vendor === undefined || of === undefined || of === vendor;
  const rows = listed.filter((row) => row.pnNorm === pnNorm && isOwn(row.vendor));
  const hit = hits.find((each) => normalizePartNumber(each.partNumber) === pnNorm && isOwn(each.manufacturer.code));
  const noted = rows.find(({ replacedBy }) => replacedBy !== undefined);
  return { rows, hit, replacedBy: noted?.replacedBy ?? hit?.supersededBy ?? undefined };
}

/** What the catalog alone found may be in manuals too. */
export async function withRows(part: FoundPart, rowsOf: RowsOf): Promise<FoundPart> {
  if (part.rows.length > 0) return part;
  const { rows, replacedBy } = await lookUpNumber(part, rowsOf);
  return { ...part, rows, replacedBy: part.replacedBy ?? replacedBy };
}

/** Where no manual lists the new number itself, the note on the old one is where it stands. */
async function successorOf(
  old: FoundPart,
  partNumber: string,
  { pnNorm, models, rowsOf }: { pnNorm: string; models: readonly string[]; rowsOf: RowsOf },
  sources: DeskSources,
): Promise<FoundPart> {
  const [own, any] = await Promise.all(
    [old.vendor, undefined].map((vendor) => lookUpNumber({ pnNorm, partNumber, vendor }, rowsOf, sources.catalog)),
  );
  const { rows } = any!;
  const catalog = own!.hit ?? any!.hit;
  const noted = old.rows
    .filter((row) => row.replacedBy !== undefined && normalizePartNumber(row.replacedBy) === pnNorm)
    .map((row) => ({ ...row, partNumber, pnNorm, replacedBy: undefined }));
  return {
    pnNorm,
    partNumber: rows[0]?.partNumber ?? catalog?.partNumber ?? partNumber,
    vendor: rows[0]?.vendor ?? catalog?.manufacturer.code ?? old.vendor,
    description:
      rows.find(({ description }) => description !== undefined)?.description ?? catalog?.title ?? old.description,
    rows: toldFirst(rows.length > 0 ? rows : noted, models).slice(0, MOST_ROWS),
    catalog,
    replacedBy: own!.replacedBy ?? any!.replacedBy,
  };
}

/**
 * The findings with what replaces those of their parts that cannot be bought. Words find rows of the equipment and the
 * catalog's first hits, which need not tell that: a part is looked up by its number, as one that is asked for by it.
 * What was found stands, whatever becomes of this.
 * @param offerOf price and stock of the parts, as far as they were asked for
 */
export function withReplacements(
  findings: readonly Finding[],
  offerOf: (part: FoundPart) => Offer | undefined,
  sources: DeskSources,
  failed: ReadonlySet<Searched>,
): Promise<Finding[]> {
  const lacks = (part: FoundPart): boolean => {
    const offer = offerOf(part);
    return part.replacedBy === undefined && offer !== undefined && !isForSale(offer) && !isUnasked(offer);
  };
  return Promise.all(
    findings.map(async (finding) => {
      if (!finding.parts.some(lacks)) return finding;
      const { models } = finding.item;
      const rowsOf = rowsOfNumbers(models, sources);
      let isReplacementUnknown = false;
      const unlessFound = (): undefined => void (isReplacementUnknown = true);
      const parts = await Promise.all(
        finding.parts.map(async (part) => {
          if (!lacks(part)) return part;
          // Of a part that the catalog lacks it knows no successor.
          const catalog = offerOf(part)?.id === null ? undefined : sources.catalog;
          return { ...part, replacedBy: (await lookUpNumber(part, rowsOf, catalog).catch(unlessFound))?.replacedBy };
        }),
      );
      const successors = await successorsOf(parts, models, rowsOf, sources).catch(unlessFound);
      return {
        ...finding,
        parts,
        successors: successors ?? finding.successors,
        isReplacementUnknown: isReplacementUnknown || failed.size > 0,
      };
    }),
  );
}

/**
 * In the order in which places are told: those of the equipment that is asked about, and if there are too many, one of
 * each other equipment before its others.
 */
export function toldFirst(rows: readonly FitmentRow[], models: readonly string[]): FitmentRow[] {
  const asked = new Set(models);
  const seen = new Set<string>();
  const rank = ({ equipment }: FitmentRow): number => {
    if (asked.has(equipment)) return 0;
    const isFirst = rows.length <= MOST_ROWS || !seen.has(equipment);
    seen.add(equipment);
    return isFirst ? 1 : 2;
  };
  return rows
    .map((row) => ({ row, at: rank(row) }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
}
