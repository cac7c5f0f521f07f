import type { Params } from "../../broker/contract/define.ts";
import type { ShippingRate } from "../../broker/settings.ts";
import type { Cents } from "../../mixins/money.ts";
import type { paymentContract } from "./contract.ts";
import type { Owner } from "./checkout-rules.ts";

export interface Line {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  price: Cents;
}

/** What a shopper set out to buy, as it was when the provider was asked. The order is made of it. */
export interface Purchase extends KeptOfRequest {
  cartId: string | null;
  /** The order's owner; `guest` without a user. */
  userId: string;
  /** Who may repeat or look at this purchase. */
  owner: Owner;
  /** When its cart was saved, in milliseconds, which differs from an earlier cart with its id; null if it was not. */
  cartSavedAt?: number | null;
  items: Line[];
  subtotal: Cents;
  currency: string;
  shippingRate?: ShippingSelection;
}

/** Fields of the request that a purchase keeps by their names; all but metadata go to the order. */
type KeptOfRequest = Omit<
  Params<(typeof paymentContract)["actions"]["createCheckoutSession"]>,
  "items" | "customerId" | "cartId" | "shippingRate" | "successUrl" | "cancelUrl" | "currency"
>;

/** A rate that a shopper chose, its cost in cents. */
export type ShippingSelection = Omit<ShippingRate, "cost" | "estimatedDays"> & { cost: Cents; estimatedDays?: number };
