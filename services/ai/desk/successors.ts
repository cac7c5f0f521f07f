import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { dedupe } from "./find.ts";
import type { Searched } from "./guarded.ts";
import {
  isForSale,
  isUnasked,
  type DeskSources,
  type FitmentRow,
  type FoundPart,
  type Machine,
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

/**
 * Of a number that is in a great many manuals the reader tells some rows alone: those of the equipment that is asked
 * about are found by that.
 */
export function rowsOfNumbers(models: readonly Machine[], sources: DeskSources): RowsOf {
  let own: Promise<Map<string, FitmentRow[]>> | undefined;
  const ofModels = async (): Promise<Map<string, FitmentRow[]>> => {
    const rows = await Promise.all(models.slice(0, MOST_MODELS).map(({ equipment }) => sources.byModel(equipment)));
    return Map.groupBy(rows.flat(), ({ pnNorm }) => pnNorm);
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
  models: readonly Machine[],
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

/** Where no manual lists the new number itself, the note on the old one is where it stands. */
async function successorOf(
  old: FoundPart,
  partNumber: string,
  { pnNorm, models, rowsOf }: { pnNorm: string; models: readonly Machine[]; rowsOf: RowsOf },
  sources: DeskSources,
): Promise<FoundPart> {
  const [listed, hits] = await Promise.all([rowsOf(pnNorm), sources.catalog(partNumber, EXACT_HITS)]);
  const rows = listed.filter((row) => row.pnNorm === pnNorm);
  const catalog =
    hits.find(
      (hit) =>
        normalizePartNumber(hit.partNumber) === pnNorm &&
        (old.vendor === undefined || hit.manufacturer.code === old.vendor),
    ) ?? hits.find((hit) => normalizePartNumber(hit.partNumber) === pnNorm);
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
    replacedBy:
      rows.find(({ replacedBy }) => replacedBy !== undefined)?.replacedBy ?? catalog?.supersededBy ?? undefined,
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
  const lacks = (part: FoundPart): boolean => part.replacedBy === undefined && isNotSold(offerOf(part));
  return Promise.all(
    findings.map(async (finding) => {
      if (!finding.parts.some(lacks)) return finding;
      const rowsOf = rowsOfNumbers(finding.item.models, sources);
      let isReplacementUnknown = false;
      const unlessFound =
        <T>(instead: T) =>
        (): T => {
          isReplacementUnknown = true;
          return instead;
        };
      const parts = await Promise.all(
        finding.parts.map(async (part) => {
          if (!lacks(part)) return part;
          // Of a part that the catalog lacks it knows no successor.
          const isInCatalog = offerOf(part)?.id !== null;
          return {
            ...part,
            replacedBy: await replacementOf(part, rowsOf, sources, isInCatalog).catch(unlessFound(undefined)),
          };
        }),
      );
      const successors = await successorsOf(parts, finding.item.models, rowsOf, sources).catch(
        unlessFound(finding.successors),
      );
      return {
        ...finding,
        parts,
        successors,
        isReplacementUnknown: isReplacementUnknown || failed.size > 0,
      };
    }),
  );
}

function isNotSold(offer: Offer | undefined): boolean {
  return offer !== undefined && !isForSale(offer) && !isUnasked(offer);
}

async function replacementOf(
  { pnNorm, partNumber, vendor }: FoundPart,
  rowsOf: RowsOf,
  sources: DeskSources,
  isInCatalog: boolean,
): Promise<string | undefined> {
  const [rows, hits] = await Promise.all([rowsOf(pnNorm), isInCatalog ? sources.catalog(partNumber, EXACT_HITS) : []]);
  const isOwn = (of: string | undefined): boolean => vendor === undefined || of === undefined || of === vendor;
  const noted = rows.find((row) => row.pnNorm === pnNorm && row.replacedBy !== undefined && isOwn(row.vendor));
  const hit = hits.find((each) => normalizePartNumber(each.partNumber) === pnNorm && isOwn(each.manufacturer.code));
  return noted?.replacedBy ?? hit?.supersededBy ?? undefined;
}

/**
 * In the order in which places are told: those of the equipment that is asked about, and if there are too many, one of
 * each other equipment before its others.
 */
export function toldFirst(rows: readonly FitmentRow[], models: readonly Machine[]): FitmentRow[] {
  const asked = new Set(models.map(({ equipment }) => equipment));
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
