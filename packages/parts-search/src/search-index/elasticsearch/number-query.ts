import type { NumberPlan, NumberReading } from "../query-plan.ts";
import { joinEvery, type Query } from "./combined.ts";
import { reverseText } from "./mapping.ts";

/** Parts whose own number is the query. */
export function matchExact({ whole: readWholeNumber }: NumberPlan): Query[] {
  return readWholeNumber === undefined ? [] : [{ term: { pnNorm: readWholeNumber } }];
}

/** Parts that the whole query names in another way. */
export function matchVariant({ whole: readWholeNumber, ofVendor: vendorReadings }: NumberPlan): Query[] {
  return [
    ...(readWholeNumber === undefined ? [] : [{ term: { "search.variants": readWholeNumber } }]),
    ...matchReadings(vendorReadings),
  ];
}

/** Parts that a reading names. */
export function matchReadings(readings: readonly NumberReading[]): Query[] {
  const normsByVendor = Map.groupBy(readings, ({ vendor }) => vendor);
  return [...normsByVendor].map(([vendor, vendorReadings]) =>
    limitToVendor({ terms: { "search.numbers": vendorReadings.map(({ norm }) => norm) } }, vendor),
  );
}

export function matchBeginning({ prefixes }: Pick<NumberPlan, "prefixes">): Query[] {
  return prefixes.map(({ norm, vendor }) => limitToVendor({ prefix: { pnNorm: norm } }, vendor));
}

export function matchEnding({ suffix }: NumberPlan): Query[] {
  return suffix === undefined ? [] : [{ prefix: { "search.reversedNumber": reverseText(suffix) } }];
}

export function limitToVendor(query: Query, vendor: string | undefined): Query {
  return vendor === undefined ? query : joinEvery([query, { term: { "search.vendors": vendor } }]);
}
