import { toCents } from "../../../../mixins/money.ts";
import type { FitmentRow, FoundPart, Offer } from "../facts.ts";
import { mayHaveMore } from "./most-rows.ts";
import { relevanceOf } from "./relevance.ts";
import type { Finding } from "./retrieval.ts";

/** A place in a manual, with all equipment that the manual lists it for. */
export interface Place extends Omit<FitmentRow, "equipment"> {
  equipment: string[];
}

/** Where rows stand, each place once. */
export function placesOf(rows: readonly FitmentRow[]): Place[] {
  const places = Map.groupBy(rows, ({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity].join("\n"));
  return [...places.values()].map((same) => ({
    ...same[0]!,
    equipment: [...new Set(same.map(({ equipment }) => equipment))],
  }));
}

/**
 * How many there are in each place of each part that was found; undefined where not every place says so, and where more
 * than one manual is of the equipment: they would count the same twice. Where a diagram is asked for, its places alone.
 */
export function totalOf({ ask, parts, total }: Pick<Finding, "ask" | "parts" | "total">): number[] | undefined {
  const models = new Set(ask.models.map(({ equipment }) => equipment));
  if (models.size === 0 || total > parts.length || parts.some((part) => mayHaveMore(part, models))) return undefined;
  const rows = parts.flatMap((part) => {
    const own = part.rows.filter(
      ({ equipment, schema, quantity }) => models.has(equipment) && (schema !== "" || quantity !== undefined),
    );
    const weighed = own.map((row) => ({
      row,
      coverage: relevanceOf(ask, { description: part.description, schema: row.schema }).coverage,
    }));
    const most = Math.max(...weighed.map(({ coverage }) => coverage));
    return weighed.filter(({ coverage }) => coverage === most).map(({ row }) => row);
  });
  const places = [
    ...new Map(
      rows.map((row) => [[row.pnNorm, row.sha256, row.page, row.schema, row.reference, row.quantity].join("\n"), row]),
    ).values(),
  ];
  const counts = places.map(({ quantity }) => quantity);
  if (new Set(rows.map(({ sha256 }) => sha256)).size !== 1 || !counts.every((count) => count !== undefined))
    return undefined;
  return counts;
}

/** How many of each part there are and what one costs, in cents; a text: why that is not known. */
export function costsOf(
  { ask, parts, total }: Finding,
  offerOf: (part: FoundPart) => Offer,
): { count: number; cents: number }[] | string {
  if (parts.length === 0) return "not all of it was found";
  if (ask.isCountUnclear) return "how many of each are meant was not understood";
  if (parts.length > 1 && ask.mentions.length === 0) return "more than one part answers to the same name";
  const costs: { count: number; cents: number }[] = [];
  for (const part of parts) {
    const counts =
      ask.count === undefined ? totalOf({ ask, parts: [part], total: total - parts.length + 1 }) : [ask.count];
    const { price } = offerOf(part);
    if (counts === undefined) return `how many of ${part.partNumber} there are is not known`;
    if (price === null) return `the price of ${part.partNumber} is not known`;
    costs.push({ count: sumOf(counts), cents: toCents(price) });
  }
  return costs;
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
