import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { Cents } from "../../mixins/money.ts";
import type { Line } from "./lines.ts";
import type { CartOwner } from "./ownership.ts";

/** A cart saved under an id that the client made; it is never changed but to be emptied or deleted. */
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
  /** A new one at each write, never used again, so that a write can tell whether what it read still stands. */
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

/** A payment (its key is the id) for which a cart was emptied. */
export interface CartClearing extends Document {
  cartId: string;
  expiresAt: Date;
}

export const CART_CLEARINGS: CollectionDefinition = {
  name: "cart_clearings",
  fields: { cartId: "string", expiresAt: "date" },
  expires: "expiresAt",
};

/** A cart that was saved, until it is told; its id is in the order of time. */
export interface CartSaving extends Document {
  cartId: string;
  /** How many lines it has. */
  items: number;
  subtotal: Cents;
  savedAt: Date;
}

export const CART_SAVINGS: CollectionDefinition = { name: "cart_savings", fields: { savedAt: "date" } };
