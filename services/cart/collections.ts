import type { CollectionDefinition, Document } from "@partline/durable";
import type { Cents } from "@partline/parts-language";
import type { CartOwner } from "./ownership.ts";
import type { Infer } from "@partline/api-contracts";
import type { cartItemRule } from "../shared/commerce.ts";

/** Line as stored: money in cents, always usd. */
export type Line = Omit<Infer<typeof cartItemRule>, "imageUrl" | "currency"> & {
  imageUrl?: string;
  /** Time at which the product came into an own cart, milliseconds. */
  addedAt?: number;
};

/** A cart saved under an id that the client made; it can only be emptied or deleted. */
export interface SavedCart extends Document, CartOwner {
  items: Line[];
  createdAt: Date;
  /** Absent for a cart that stays. */
  expiresAt?: Date;
}

export const SAVED_CARTS: CollectionDefinition = {
  name: "saved_carts",
  fields: { userId: "string", createdAt: "date", expiresAt: "date" },
  indexes: [{ keys: { userId: 1 } }],
  expires: "expiresAt",
};

/** The one cart of a user or of a guest's session. */
export interface OwnCart extends Document {
  items: Line[];
  /** Random, new at each write, for compare-and-set. */
  revision: string;
  updatedAt: Date;
  /** Absent for a user's cart, which stays. */
  expiresAt?: Date;
}

export const OWN_CARTS: CollectionDefinition = {
  name: "own_carts",
  fields: { revision: "string", updatedAt: "date", expiresAt: "date" },
  expires: "expiresAt",
};

/** A payment, by its key, for which carts were cleared. */
export interface CartClearing extends Document {
  cartId: string | null;
  expiresAt: Date;
}

export const CART_CLEARINGS: CollectionDefinition = {
  name: "cart_clearings",
  fields: { cartId: "string", expiresAt: "date" },
  expires: "expiresAt",
};

/** A saved cart that is not announced yet; ids are in the order of time. */
export interface CartSaving extends Document {
  cartId: string;
  /** Number of lines. */
  items: number;
  subtotal: Cents;
  savedAt: Date;
}

export const CART_SAVINGS: CollectionDefinition = { name: "cart_savings", fields: { savedAt: "date" } };
