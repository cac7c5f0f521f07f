import { addDays, type ShopDays } from "./shop-days.ts";

/** Terms on which buyers request a return. */
export interface ReturnTerms {
  /** Days after delivery; 0 if buyers cannot request one online. */
  days: number;
  /** `auto`: granted at once; `manual`: staff decide. */
  approval: "auto" | "manual";
  /** Kept from the refund of parts returned without a fault, in currency units. */
  fee: number;
}

/** Days in which a shipment is taken to arrive, unless staff say when it did. */
const TRANSIT_DAYS = 14;

interface Delivery {
  fulfilment?: string | undefined;
  deliveredAt?: string | undefined;
  shipments?: readonly { createdAt: string }[] | undefined;
}

/** Finds the last date on which the buyer can request a return; undefined if there is none. */
export function findLastReturnDay(
  { fulfilment, deliveredAt, shipments }: Delivery,
  { days }: Pick<ReturnTerms, "days">,
  { findDay }: Pick<ShopDays, "findDay">,
): string | undefined {
  if (days === 0) return undefined;
  if (deliveredAt !== undefined) return addDays(findDay(new Date(deliveredAt)), days);
  // What is ready for pickup is still with the shop.
  const last = fulfilment === "pickup" ? undefined : shipments?.at(-1);
  return last && addDays(findAssumedArrival(last.createdAt, { findDay }), days);
}

/** Finds the date on which a parcel of which nothing is heard is taken to have arrived. */
export function findAssumedArrival(time: string, { findDay }: Pick<ShopDays, "findDay">): string {
  return addDays(findDay(new Date(time)), TRANSIT_DAYS);
}
