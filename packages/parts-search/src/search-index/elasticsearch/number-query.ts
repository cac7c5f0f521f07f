import type { NumberPlan, NumberReading } from "../query-plan.ts";
import { everyOf, type Query } from "./combined.ts";
import { reversed } from "./mapping.ts";

/** Parts whose own number is the query. */
export function exactNumber({ whole }: NumberPlan): Query[] {
  return whole === undefined ? [] : [{ term: { pnNorm: whole } }];
}

/** Parts that the whole query names in another way. */
export function variantNumber({ whole, ofVendor }: NumberPlan): Query[] {
  return [...(whole === undefined ? [] : [{ term: { "search.variants": whole } }]), ...namedBy(ofVendor)];
}

/** Parts that a reading names. */
export function namedBy(readings: readonly NumberReading[]): Query[] {
  const normsByVendor = Map.groupBy(readings, ({ vendor }) => vendor);
  return [...normsByVendor].map(([vendor, each]) =>
    ofVendor({ terms: { "search.numbers": each.map(({ norm }) => norm) } }, vendor),
  );
}

export function beginningSo({ prefixes }: Pick<NumberPlan, "prefixes">): Query[] {
  return prefixes.map(({ norm, vendor }) => ofVendor({ prefix: { pnNorm: norm } }, vendor));
}

export function endingSo({ suffix }: NumberPlan): Query[] {
  return suffix === undefined ? [] : [{ prefix: { "search.reversedNumber": reversed(suffix) } }];
}

export function ofVendor(query: Query, vendor: string | undefined): Query {
  return vendor === undefined ? query : everyOf([query, { term: { "search.vendors": vendor } }]);
}
