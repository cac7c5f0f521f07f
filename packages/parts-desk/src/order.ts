import { compareMeasures, findMeasures, type Measured } from "@partline/parts-language";
import type { Order } from "@partline/parts-language/words";
import type { FoundPart } from "./port.ts";

/** Units that say how long, or how strong, a part is. */
const LENGTHS: readonly Measured["unit"][] = ["mm", "cm", "m", "in", "ft"];

/** Returns the measure by which an order compares a part: of a belt, `5/8 in x 97 in`, its length. */
export function findOrderMeasure({ description, catalog }: FoundPart, order: Order): Measured | undefined {
  const measures = findMeasures(catalog?.title ?? description);
  const isOfLength = order === "longest" || order === "shortest";
  const lengths = measures.filter(({ unit }) => LENGTHS.includes(unit));
  // A rating says more of how big an alternator is than its bolt holes.
  const ratings = measures.filter(({ unit }) => !LENGTHS.includes(unit) && unit !== "ply");
  const compared = isOfLength || ratings.length === 0 ? lengths : ratings;
  return compared.toSorted((a, b) => compareMeasures(b, a) ?? 0)[0];
}

/** Sorts parts by an order; what cannot be compared comes last, in the order that it had. */
export function sortParts(parts: FoundPart[], order: Order | undefined): FoundPart[] {
  if (order === undefined || order === "cheapest") return parts;
  if (order === "dearest") return parts.toSorted((a, b) => getPrice(b) - getPrice(a));
  const direction = order === "longest" || order === "biggest" ? -1 : 1;
  const weighed = parts.map((part) => ({ part, measure: findOrderMeasure(part, order) }));
  return weighed
    .toSorted((a, b) => {
      if (!a.measure || !b.measure) return Number(!a.measure) - Number(!b.measure);
      return direction * (compareMeasures(a.measure, b.measure) ?? 0);
    })
    .map(({ part }) => part);
}

function getPrice({ catalog }: FoundPart): number {
  return (catalog?.status === "active" ? catalog.price : null) ?? 0;
}
