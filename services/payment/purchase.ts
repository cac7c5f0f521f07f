import type { Cents } from "@partline/parts-language";
import type { shippingPaidForRule } from "../shared/placed-order.ts";
import type { ShippingMethod } from "../../mixins/shipping-rates/port.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import type { Params } from "../../broker/contract/define.ts";
import type { Actions } from "../contracts.ts";

export interface Line {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  price: Cents;
  /** Pieces beyond the stock; absent while the stock is unknown. */
  backordered?: number;
  /** Until those can be shipped, as the vendor says. */
  backorderDays?: number;
}

/** What a shopper set out to buy when the provider was asked. The order is made of it. */
export interface Purchase extends KeptOfRequest {
  cartId: string | null;
  /** The order's owner; `guest` without a user. */
  userId: string;
  /** Who may repeat or look at this purchase. */
  owner: Owner;
  /** When its cart was saved, in milliseconds, which differs from an earlier cart with its id; null if it was not. */
  cartSavedAt?: number | null;
  items: Line[];
  /** The items' productIds as the shopper sent them, which other spellings of the catalog's may be. */
  sentIds?: string[];
  /** On the stock, until a time in milliseconds; absent if the stock of nothing in it is known. */
  hold?: { key: string; until: number };
  /** Digest of the request that opened it (sessions), by which a changed one is recognized. */
  request?: string;
  /** Whose own cart loses them. */
  ownCart?: BuyersCart;
  subtotal: Cents;
  currency: string;
  /** When we close it at the provider, in milliseconds; a session without a quote the provider closes itself. */
  closesAt?: number;
  shippingRate?: ShippingMethod;
  /** What the page offers in its place, the cheapest first; the provider's id of each once the session is made. */
  shippingOffers?: (ShippingMethod & { rateId?: string })[];
  /** The place and the parcel of those costs; absent if they are of no place. */
  shippingPaidFor?: Infer<typeof shippingPaidForRule>;
  /** Of an intent with a quote; of a session the provider says it. */
  tax?: Cents;
  taxes?: { name: string; amount: Cents }[];
}

/** Fields of the request that a purchase keeps by their names; they go to the order. */
type KeptOfRequest = Omit<
  Params<Actions["payment.createCheckoutSession"]>,
  "items" | "customerId" | "cartId" | "replace" | "shippingRate" | "quote" | "successUrl" | "cancelUrl" | "currency"
> &
  Pick<Params<Actions["payment.createPaymentIntent"]>, "contact">;

/** Who may use a checkout: its user and the guest session of its cart; with neither, everyone who has its id. */
export interface Owner {
  userId?: string;
  sessionId?: string;
}

/** A line to be paid, with the catalog's picture of it. */
export type PricedLine = Line & { imageUrl?: string };

/** A cart that loses what is paid, and since when the checkout is open. */
export interface BuyersCart extends Owner {
  openedAt: number;
}
