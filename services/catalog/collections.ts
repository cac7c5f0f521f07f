import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import type { HeldLine } from "./stock/shares.ts";

export function partsCollection(vendorCode: string): CollectionDefinition {
  return {
    name: `parts_${vendorCode.toLowerCase()}`,
    fields: {
      pnNorm: "string",
      title: "string",
      category: "string",
      status: "string",
      successorId: "string",
      revision: "number",
      createdAt: "date",
      updatedAt: "date",
      pricedAt: "date",
      "stock.learntAt": "date",
      unstockedAt: "date",
    },
    indexes: [
      { keys: { pnNorm: 1 } },
      { keys: { revision: 1 } },
      { keys: { category: 1, revision: 1 } },
      { keys: { updatedAt: 1 } },
      { keys: { successorId: 1 } },
    ],
  };
}

/** Written with the vendor's parts in one batch; `_id` is the code in upper case. */
export interface VendorState extends Document {
  revision: number;
  /** Missing until the first write by a version that counts them. */
  parts?: number;
}

/** Pieces that an unpaid checkout (`cart:…`, `checkout:…`) or an unshipped order (`order:…`) holds. */
export interface StockHold extends Document {
  lines: HeldLine[];
  /** Of a checkout: the ids of its lines, by which those that ran out are found. */
  products?: string[];
  until?: Date;
  /** Of an order: its version when it held these. */
  version?: number;
  /** Counts writes, for compare-and-set. */
  revision: number;
  /** Of an order that has nothing left to ship. */
  purgeAt?: Date;
}

export const STOCK_HOLDS: CollectionDefinition = {
  name: "stock_holds",
  fields: { until: "date", revision: "number", purgeAt: "date" },
  indexes: [{ keys: { until: 1 } }],
  expires: "purgeAt",
};

/** The sum of all holds of a product, by its id. */
export interface StockLevel extends Document {
  held: number;
}

export const STOCK_LEVELS: CollectionDefinition = { name: "stock_levels", fields: { held: "number" } };

/** What an operator says of a vendor; `_id` is the code in upper case. */
export interface VendorNameDocument extends Document {
  name: string;
  aliases: string[];
}

export const VENDOR_NAMES: CollectionDefinition = { name: "catalog_vendor_names" };

export const VENDOR_STATES: CollectionDefinition = { name: "catalog_vendors", fields: { revision: "number" } };
