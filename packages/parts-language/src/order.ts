import { compareMeasures, convert, findMeasures, getKind, type Measured } from "./measures.ts";

/** Which of several parts come first. */
export type Order =
  "cheapest" | "dearest" | "newest" | "longest" | "shortest" | "biggest" | "smallest" | "heaviest" | "lightest";

/** What parts are compared by. */
export interface Comparable {
  /** Without the machines that it is for: `Sprint 3.5 HP` is no power of a pulley. */
  name: string;
  /** Of what is for sale. */
  price: number | null | undefined;
  /** Grams. */
  weight?: number | undefined;
}

const ASCENDING: readonly Order[] = ["cheapest", "smallest", "shortest", "lightest"];

/** Titles say how big a part is, and not what it weighs. */
export const isByWeight = (order: Order | undefined): boolean => order === "heaviest" || order === "lightest";
/** The order by what titles say. */
export const toTitleOrder = (order: Order): Exclude<Order, "heaviest" | "lightest"> =>
  order === "heaviest" ? "biggest" : order === "lightest" ? "smallest" : order;

/** Returns the measure by which an order compares a part: of a belt, `5/8 in x 97 in`, its length. */
function findOrderMeasure({ name }: Pick<Comparable, "name">, order: Order): Measured | undefined {
  const measures = findMeasures(name);
  const isOfLength = order === "longest" || order === "shortest";
  const lengths = measures.filter(({ unit }) => getKind(unit) === "length");
  // A rating says more of how big an alternator is than its bolt holes.
  const ratings = measures.filter(({ unit }) => getKind(unit) !== "length" && unit !== "ply" && unit !== "pack");
  const compared = isOfLength || ratings.length === 0 ? lengths : ratings;
  return compared.toSorted((a, b) => compareMeasures(b, a) ?? 0)[0];
}

/**
 * Sorts parts by an order; what cannot be compared comes last, in the order that it had. Of what titles state, `the
 * longest`, those that have most of it stay, unless all are to: price and weight are no condition, as each has its own.
 */
export function sortByOrder<Part>(
  parts: readonly Part[],
  order: Order,
  describe: (part: Part) => Comparable,
  keepsAll = false,
): Part[] {
  if (order === "newest") return [...parts];
  const described = parts.map((part) => ({ part, ...describe(part) }));
  const isPriced = order === "cheapest" || order === "dearest";
  const isWeighed = isByWeight(order) && described.some(({ weight }) => weight !== undefined);
  const keyed =
    isPriced || isWeighed
      ? described.map(({ part, price, weight }) => ({ part, key: (isPriced ? price : weight) ?? undefined }))
      : listMeasureKeys(described, order);
  const sign = ASCENDING.includes(order) ? 1 : -1;
  const sorted = keyed.toSorted((a, b) =>
    a.key === undefined || b.key === undefined
      ? Number(a.key === undefined) - Number(b.key === undefined)
      : sign * (a.key - b.key),
  );
  const isKept = keepsAll || isPriced || isByWeight(order);
  return sorted.flatMap(({ part, key }) => (isKept || key === sorted[0]?.key ? [part] : []));
}

/** Lists parts with their measures, those of the kind that most of them have. */
function listMeasureKeys<Part>(parts: readonly { part: Part; name: string }[], order: Order) {
  const measured = parts.map(({ part, name }) => ({ part, measure: findOrderMeasure({ name }, order) }));
  const kinds = Map.groupBy(
    measured.flatMap(({ measure }) => measure ?? []),
    ({ unit }) => getKind(unit),
  );
  const [usual = []] = [...kinds.values()].sort((a, b) => b.length - a.length);
  return measured.map(({ part, measure }) => ({
    part,
    key: measure && usual[0] ? convert(measure, usual[0].unit) : undefined,
  }));
}
