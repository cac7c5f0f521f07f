/** Where a slider stops within a power of ten: each about a quarter more than the one before. */
const STOPS_OF_TEN = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
/** From this ratio of highest to lowest price on, equal steps would leave most parts to the first of them. */
const WIDE = 10;
const MOST_EQUAL_STEPS = 30;
const LEAST_PRICE = 0.1;

/** Lists the prices at which a slider stops from the lowest to the highest: round ones between the two. */
export function listPriceStops(min: number, max: number): number[] {
  const between = max / Math.max(min, LEAST_PRICE) >= WIDE ? listTens(min, max) : listEqual(min, max);
  return [min, ...between.filter((price) => price > min && price < max), max];
}

function listTens(min: number, max: number): number[] {
  const first = Math.floor(Math.log10(Math.max(min, LEAST_PRICE)));
  const tens = Array.from({ length: Math.ceil(Math.log10(max)) - first }, (_, index) => first + index);
  return tens.flatMap((ten) => STOPS_OF_TEN.map((stop) => Number((stop * 10 ** ten).toPrecision(2))));
}

function listEqual(min: number, max: number): number[] {
  const least = (max - min) / MOST_EQUAL_STEPS;
  const ten = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * ten).find((size) => size >= least) ?? least;
  const first = Math.ceil(min / step);
  const length = Math.max(0, Math.floor(max / step) - first + 1);
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(6)));
}

/** Finds the stops between which a search's bounds are; without a bound, the slider's end. */
export function findStops(
  stops: readonly number[],
  { minPrice, maxPrice }: { minPrice: number | undefined; maxPrice: number | undefined },
): { low: number; high: number } {
  const last = stops.length - 1;
  const atLeast = maxPrice === undefined ? -1 : stops.findIndex((stop) => stop >= maxPrice);
  const high = atLeast === -1 ? last : atLeast;
  const low = minPrice === undefined ? 0 : stops.findLastIndex((stop) => stop <= minPrice);
  return { low: Math.min(Math.max(0, low), high), high };
}
