import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import { editDistance } from "../../../../mixins/search-index/edit-distance.ts";
import type { CatalogHit, FitmentRow } from "../facts.ts";
import { listed, nameOf } from "../wording/phrases.ts";
import { equipmentName } from "../wording/quotable.ts";
import type { DeskSources } from "../sources/sources.ts";
import type { Ask } from "../understanding/understanding.ts";

/** A number that was asked for and that nobody knows. */
export interface UnknownNumber {
  /** Which of those that were asked for it is, from 1. */
  place: number;
  /** Known numbers that are one slip of the keys away. */
  near: NearNumber[];
}

/** Where a manual lists it; without a row the catalog alone has it. */
export interface NearNumber {
  partNumber: string;
  description: string;
  row?: FitmentRow;
}

const MOST_NEAR = 3;
/** A shorter number is near to many. */
const SHORTEST = 5;

/** @param unknown by their `number` @param hits what the catalog's search found for the numbers */
export async function unknownNumbersOf(
  { mentions }: Ask,
  unknown: readonly number[],
  hits: readonly CatalogHit[],
  sources: DeskSources,
): Promise<UnknownNumber[]> {
  return Promise.all(
    unknown.map(async (number) => {
      const readings = [
        ...new Set(
          mentions
            .filter((mention) => mention.number === number && mention.pnNorm.length >= SHORTEST)
            .map(({ pnNorm }) => pnNorm),
        ),
      ].slice(0, MOST_NEAR);
      const rows = (await Promise.all(readings.map((pnNorm) => sources.nearNumbers(pnNorm)))).flat();
      const inCatalog = hits.filter((hit) =>
        readings.some((reading) => editDistance(reading, normalizePartNumber(hit.partNumber)) === 1),
      );
      const near = [
        ...rows.map((row): NearNumber => ({ partNumber: row.partNumber, description: row.description ?? "", row })),
        ...inCatalog.map(({ partNumber, title }): NearNumber => ({ partNumber, description: title })),
      ];
      const distinct = near.filter(
        ({ partNumber }, at) =>
          near.findIndex((other) => normalizePartNumber(other.partNumber) === normalizePartNumber(partNumber)) === at,
      );
      return { place: number + 1, near: distinct.slice(0, MOST_NEAR) };
    }),
  );
}

/** Said without the numbers themselves: an answer has none that nobody knows. */
export function unknownNumbersSaid(
  unknown: readonly UnknownNumber[],
  { numbersTyped, numbersLeftOut }: Ask,
  isCatalogKnown: boolean,
): string[] {
  const isOnly = numbersTyped === 1;
  const said =
    unknown.length === 0
      ? []
      : [
          `${isOnly ? "That number" : `Of the ${numbersTyped} numbers, the ${listed(unknown.map(({ place }) => ordinal(place)))}`} ${unknown.length > 1 ? "are" : "is"} in no manual that was read${isCatalogKnown ? " and not in the catalog" : ""}.`,
        ];
  const near = unknown
    .filter((each) => each.near.length > 0)
    .map(
      (each) =>
        `${isOnly ? "Did" : `For the ${ordinal(each.place)}, did`} you mean ${each.near.map(nearSaid).join(" or ")}?`,
    );
  const leftOut =
    numbersLeftOut === 0
      ? []
      : [
          `The first ${numbersTyped - numbersLeftOut} of ${numbersTyped} numbers were looked up: ask for the other ${numbersLeftOut} by themselves.`,
        ];
  return [...said, ...near, ...leftOut];
}

export function nearSaid({ row, ...part }: NearNumber): string {
  return `${nameOf(part)}, ${row === undefined ? "in the catalog" : `page ${row.page} of the ${equipmentName(row.equipment)} manual`}`;
}

function ordinal(place: number): string {
  const ending = place % 100 >= 11 && place % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}
