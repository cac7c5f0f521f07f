import type { ShippingQuote } from "@partline/client";
import type { TypedAddress } from "../address/address-fields.tsx";
import { inTabStorage } from "../tab-storage.ts";

const KEY = "delivery";

/** What a shopper chose and typed: it survives a reload, the way back, and a change of the cart's lines. */
export interface KeptDelivery {
  isPickup: boolean;
  pickupPlace?: string | undefined;
  address: TypedAddress;
  /** The method that was chosen; its quote is asked for again. */
  method?: Pick<ShippingQuote, "provider" | "serviceType" | "estimatedDays"> | undefined;
}

/** Returns the id of the place where it is picked up: the first one, unless the shopper chose another that is there. */
export function resolvePickupPlace(
  { pickupPlace }: Pick<KeptDelivery, "pickupPlace">,
  places: readonly { id: string }[],
): string | undefined {
  return (places.find(({ id }) => id === pickupPlace) ?? places[0])?.id;
}

/** Returns what this tab keeps; undefined if it is another user's, or if the browser blocks its storage. */
export function readDelivery(userId: string | undefined): KeptDelivery | undefined {
  const delivery = inTabStorage(
    (storage) => JSON.parse(storage.getItem(KEY) ?? "null") as (KeptDelivery & { userId?: string }) | null,
  );
  return delivery && (delivery.userId === undefined || delivery.userId === userId) ? delivery : undefined;
}

/** Keeps it in this tab alone. Without storage, the form is empty again after a reload. */
export function keepDelivery(userId: string | undefined, delivery: KeptDelivery): void {
  inTabStorage((storage) => storage.setItem(KEY, JSON.stringify({ ...delivery, userId })));
}
