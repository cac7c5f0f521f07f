import { isDeepStrictEqual } from "node:util";
import type { Cents } from "@partline/parts-language";
import type { Place } from "@partline/toolkit/pure";
import type { Consignment, ShippingMethod, ShippingRates } from "./port.ts";

/** Payment for shipping a consignment. */
export interface PaidShipping {
  consignment: Consignment;
  /** The place that it was paid for. */
  to: Place;
  method: Pick<ShippingMethod, "provider" | "serviceType">;
  amount: Cents;
}

/** Shipping to a place that costs more than what was paid for another. */
export interface Underpaid {
  /** The difference; absent if nothing ships there, or if what it costs is not known. */
  amount?: Cents;
  /** Names of the zones. */
  paidFor: string;
  goesTo: string;
}

/**
 * Compares what was paid with what the same method costs to another place, or the cheapest one if that place has not
 * the method. Undefined if it costs no more. Both costs are today's, so that a new table alone makes no difference.
 * @throws PROVIDER_ERROR or TIMEOUT if the provider of the rates is away
 */
export async function findUnderpaid(
  rates: ShippingRates,
  paid: PaidShipping,
  to: Place,
): Promise<Underpaid | undefined> {
  if (isDeepStrictEqual(paid.to, to)) return undefined;
  const zones = nameZones(rates, paid.to, to);
  // Without its postal code a carrier has no rate for a place.
  if (rates.zoneOf(to) === undefined) return zones;
  const [offered, offeredBefore] = await Promise.all([
    rates.methods(paid.consignment, to),
    rates.methods(paid.consignment, paid.to),
  ]);
  const isPaid = ({ provider, serviceType }: ShippingMethod): boolean =>
    provider === paid.method.provider && serviceType === paid.method.serviceType;
  const cost = (offered.find(isPaid) ?? offered[0])?.cost;
  if (cost === undefined) return zones;
  const amount = cost - Math.max(paid.amount, offeredBefore.find(isPaid)?.cost ?? 0);
  return amount > 0 ? { amount, ...zones } : undefined;
}

/** Names the places that were compared: never of a person. */
export function nameZones(rates: ShippingRates, from: Place, to: Place): Pick<Underpaid, "paidFor" | "goesTo"> {
  const describePlace = (place: Place): string => rates.zoneOf(place) ?? place.country;
  return { paidFor: describePlace(from), goesTo: describePlace(to) };
}
