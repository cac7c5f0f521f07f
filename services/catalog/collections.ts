import type { CollectionDefinition, Document } from "@partline/durable";

export function getPartsCollection(vendorCode: string): CollectionDefinition {
  return {
    name: `parts_${vendorCode.toLowerCase()}`,
    fields: {
      pnNorm: "string",
      title: "string",
      category: "string",
      status: "string",
      hidden: "boolean",
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

/** State of a vendor, written with its parts in one batch; `_id` is the code in upper case. */
export interface VendorState extends Document {
  revision: number;
  /** Missing until the first write by a version that counts them. */
  parts?: number;
  /** How many of them are hidden. Missing if none ever was. */
  hidden?: number;
}

export const VENDOR_STATES: CollectionDefinition = { name: "catalog_vendors", fields: { revision: "number" } };

/** Ids of the parts of which no more is on hand than their reorder point, written with them. */
export const LOW_STOCK: CollectionDefinition = { name: "stock_low" };
