import type { Params } from "../../broker/contract/define.ts";
import type { ShippingRate } from "../../broker/settings/shipping-rates.ts";
import type { Cents } from "../../mixins/money.ts";
import type { paymentContract } from "./contract.ts";
import type { Owner } from "./owner-rule.ts";

export interface Line {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  price: Cents;
}

/** What a shopper set out to buy, as it was when the provider was asked: the order is made of it. */
export interface Purchase extends KeptOfRequest {
  cartId: string | null;
  /** Whom the order will belong to; `guest` without a user. */
  userId: string;
  /** Who may repeat or look at this purchase. */
  owner: Owner;
  /**
   * When the cart was saved that it is of, in milliseconds, which tells it from an earlier one with its id; null where
   * it was not saved. Older versions kept none.
   */
  cartSavedAt?: number | null;
  items: Line[];
  subtotal: Cents;
  currency: string;
  shippingRate?: ShippingSelection;
}

/** What the shopper's request says and a purchase keeps by the same names; all but metadata goes to the order. */
type KeptOfRequest = Omit<
  Params<(typeof paymentContract)["actions"]["createCheckoutSession"]>,
  "items" | "customerId" | "cartId" | "shippingRate" | "successUrl" | "cancelUrl" | "currency"
>;

/** A rate that a shopper chose, its cost in cents. */
export type ShippingSelection = Omit<ShippingRate, "cost" | "estimatedDays"> & { cost: Cents; estimatedDays?: number };
