import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** Parts of one vendor: `parts_{vendor_code}`, the code in lower case. */
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
      "stock.learntAt": "date",
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

/** Of a vendor's parts, written with them in one batch; `_id` is the code in upper case. */
export interface VendorState extends Document {
  /** The newest among them. */
  revision: number;
  /** How many there are; missing until the first write of a version that counts them. */
  parts?: number;
}

export const VENDOR_STATES: CollectionDefinition = { name: "catalog_vendors", fields: { revision: "number" } };
