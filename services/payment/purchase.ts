import type { Cents } from "@partline/parts-language";
import type { deliveryPromiseRule, shippingPaidForRule } from "../shared/placed-order.ts";
import type { ShippingMethod } from "../../mixins/shipping-rates/port.ts";
import type { Infer, Params } from "@partline/api-contracts";
import type { Actions } from "../contracts.ts";

export interface Line {
  productId: string;
  partNumber: string;
  name: string;
  quantity: number;
  price: Cents;
  /** Pieces beyond the stock; absent while the stock is unknown. */
  backordered?: number;
  /** Days until the backordered pieces ship, as the vendor says. */
  backorderDays?: number;
  /** Pieces beyond those known of a part that nobody had counted, and no dealer or supplier could be asked. */
  uncounted?: number;
  /** Pieces that lay at another place than the pickup place. */
  elsewhere?: number;
  /** The day that the shopper was shown. */
  deliveryPromise?: Infer<typeof deliveryPromiseRule>;
}

/** Items and terms of a checkout when the provider was asked. The order is made from it. */
export interface Purchase extends KeptOfRequest {
  cartId: string | null;
  /** The order's owner; `guest` without a user. */
  userId: string;
  /** Owner, who may repeat or read this purchase. */
  owner: Owner;
  /**
   * Time at which its cart was saved, milliseconds, which distinguishes an earlier cart with its id; null if it was
   * not.
   */
  cartSavedAt?: number | null;
  items: Line[];
  /** The items' productIds as the shopper sent them, which other spellings of the catalog's may be. */
  sentIds?: string[];
  /** Stock hold, until a time in milliseconds; absent if no item's stock is known. */
  hold?: { key: string; until: number };
  /** Digest of the request that opened it (sessions), by which a changed one is recognized. */
  request?: string;
  /** Buyer whose own cart loses the items. */
  ownCart?: BuyersCart;
  subtotal: Cents;
  currency: string;
  /** Time at which we close it at the provider, milliseconds; the provider itself closes a session without a quote. */
  closesAt?: number;
  shippingRate?: ShippingMethod;
  /**
   * Methods that the page offers in its place, the cheapest first; with the provider's ids once the session is made.
   */
  shippingOffers?: (ShippingMethod & { rateId?: string })[];
  /** The place and the parcel of those costs; absent if they are of no place. */
  shippingPaidFor?: Infer<typeof shippingPaidForRule>;
  /** Tax of an intent with a quote; for a session the provider reports it. */
  tax?: Cents;
  taxes?: { name: string; amount: Cents }[];
}

/** Fields of the request that a purchase keeps by their names; they go to the order. */
type KeptOfRequest = Omit<
  Params<Actions["payment.createCheckoutSession"]>,
  "items" | "customerId" | "cartId" | "replace" | "shippingRate" | "quote" | "successUrl" | "cancelUrl" | "currency"
> &
  Pick<Params<Actions["payment.createPaymentIntent"]>, "contact">;

/** Owner of a checkout: its user and the guest session of its cart; with neither, anyone who has its id. */
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
