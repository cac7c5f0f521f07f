import type { ServiceBroker } from "moleculer";
import type { ShippingAddress } from "./commerce.ts";
import type { shippingPaidForRule } from "./placed-order.ts";
import type { Infer } from "@partline/api-contracts";
import { watchProvider } from "@partline/moleculer-kit";
import type { Settings } from "../../broker/settings.ts";
import type { Cents } from "@partline/parts-language";
import { resolveKnownPlace, listMissingFields, type Place } from "@partline/toolkit/pure";
import { invalidField } from "../../mixins/errors.ts";
import { createEasyPostRates } from "../../mixins/shipping-rates/easypost.ts";
import type { ShippingMethod, ShippingRates } from "../../mixins/shipping-rates/port.ts";
import { createTableRates, DEFAULT_TABLE, type ShippingTable } from "../../mixins/shipping-rates/table.ts";
import { findUnderpaid, type PaidShipping, type Underpaid, nameZones } from "../../mixins/shipping-rates/underpaid.ts";

type ShippingSettings = Pick<Settings, "shipping" | "shop">;

/** Returns the table that is in force: people change it meanwhile. */
export function getShippingTable({ shop }: Pick<Settings, "shop">): ShippingTable {
  return shop.shippingTable ?? DEFAULT_TABLE;
}

/** Returns whether shipping needs an offered rate; otherwise any rate or none will do. */
export function isShippingEnforced({ shipping, shop }: ShippingSettings): boolean {
  return shipping.isEnforced || shop.shippingTable !== null;
}

export function createShippingRates(broker: ServiceBroker, settings: ShippingSettings): ShippingRates {
  const { easyPost } = settings.shipping;
  return easyPost
    ? createEasyPostRates({ ...easyPost, ...watchProvider(broker, "easypost") })
    : createTableRates(() => getShippingTable(settings));
}

/** Data of an order about its shipping. */
interface ShippedOrder {
  fulfilment?: "ship" | "pickup" | undefined;
  subtotal: Cents;
  shipping: Cents;
  shippingMethod?: ShippingMethod | undefined;
  shippingPaidFor?: Infer<typeof shippingPaidForRule>;
}

/** Returns what was paid for an order's shipping; undefined if its cost is that of no place. */
function readPaidShipping({ fulfilment, ...order }: ShippedOrder): PaidShipping | undefined {
  const { subtotal, shipping: amount, shippingMethod: method, shippingPaidFor } = order;
  if (!shippingPaidFor || !method || fulfilment === "pickup") return undefined;
  const { weightGrams, hazmat = false, oversize = false, ...to } = shippingPaidFor;
  return { consignment: { weightGrams, subtotal, hazmat, oversize }, to, method, amount };
}

/** One that is not whole is no place yet. */
function readPlace(address: ShippingAddress | undefined): Place | undefined {
  return address && listMissingFields(address).length === 0 ? resolveKnownPlace(address) : undefined;
}

/**
 * Returns what shipping an order to an address costs more than was paid; undefined if it costs no more.
 * @throws PROVIDER_ERROR or TIMEOUT if the provider of the rates is away
 */
export async function compareShipping(
  rates: ShippingRates,
  order: ShippedOrder,
  address: ShippingAddress | undefined,
): Promise<Underpaid | undefined> {
  const [paid, to] = [readPaidShipping(order), readPlace(address)];
  return paid && to && findUnderpaid(rates, paid, to);
}

/** The same while what shipping costs is not known. */
export function describeUnknown(
  rates: ShippingRates,
  order: ShippedOrder,
  address: ShippingAddress | undefined,
): Underpaid | undefined {
  const [paid, to] = [readPaidShipping(order), readPlace(address)];
  return paid && to && nameZones(rates, paid.to, to);
}

/** @throws VALIDATION_FAILED for a country that the shop does not ship to */
export function assertShipsTo({ country }: Pick<Place, "country">, field: string, shipTo: readonly string[]): void {
  if (shipTo.includes(country)) return;
  throw invalidField(`${field}.country`, `must be one of the countries that are shipped to: ${shipTo.join(", ")}`);
}
