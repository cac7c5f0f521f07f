import { amountRule, centsRule, paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { rule, rules } from "../../broker/contract/rules.ts";

const vendorRule = rule({ type: "string", min: 2, max: 10, description: "Vendor code, in any case", example: "bns" });
const statusRule = rule({ type: "enum", values: ["active", "discontinued"] });

const manufacturerRule = rule({
  type: "object",
  title: "Manufacturer",
  props: { name: { type: "string" }, code: { type: "string", description: "Vendor code", example: "BNS" } },
});

/** What a part is, apart from its price: the fields that both the public and the internal form have. */
const partFields = rules({
  id: { type: "string", description: "`{code}-{pnNorm}` in lower case", example: "bns-799868" },
  slug: { type: "string" },
  sku: { type: "string", example: "CT-BNS-799868" },
  skuVariants: { type: "array", items: { type: "string" }, description: "Other ways in which the number is written" },
  partNumber: { type: "string", description: "As the supplier writes it", example: "16100-Z0Y-813" },
  pnNorm: { type: "string", description: "Upper case, letters and digits only", example: "16100Z0Y813" },
  title: { type: "string" },
  description: { type: "string", optional: true },
  manufacturer: manufacturerRule,
  category: { type: "string", example: "Carburetors" },
  media: {
    type: "object",
    optional: true,
    title: "PartMedia",
    props: {
      hasImages: { type: "boolean" },
      imageCount: { type: "number", integer: true },
      images: {
        type: "array",
        optional: true,
        items: { type: "object", props: { url: { type: "string", format: "uri" }, type: { type: "string" } } },
      },
    },
  },
  status: statusRule,
  sources: { type: "array", items: { type: "string" }, description: "Where its data came from: `price_file`, `dis`, `tire_supplier`" },
  supersededBy: { type: "string", optional: true, description: "Part number of its successor at the same vendor" },
  availability: {
    type: "enum",
    values: ["in_stock", "low_stock", "out_of_stock", "unknown"],
    description:
      "`out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; `in_stock`: more; `unknown`: nobody has told",
  },
  stock: {
    type: "object",
    optional: true,
    title: "PartStock",
    description: "Left out while nobody has told",
    props: {
      quantityOnHand: { type: "number", integer: true },
      learntAt: { type: "date", description: "When the supplier first said this quantity; saying it again changes nothing" },
    },
  },
  createdAt: { type: "date" },
  updatedAt: { type: "date" },
});

/** The specification's IndexedPart. */
export const indexedPartRule = rule({
  type: "object",
  title: "IndexedPart",
  props: {
    ...partFields,
    price: {
      type: "object",
      optional: true,
      title: "PartPrice",
      props: { list: { type: "object", props: { value: amountRule, currency: { type: "string", example: "usd" } } } },
    },
  },
});

/** A part as the services pass it: its price in cents, and the names that its manufacturer goes by. */
export const catalogPartRule = rule({
  type: "object",
  props: {
    ...partFields,
    vendorName: { type: "string", description: "Name of the vendor; a tire's `manufacturer.name` is its brand" },
    vendorAliases: { type: "array", items: { type: "string" } },
    kind: { type: "enum", values: ["Tires", "Wheels"], optional: true, description: "Within the category Wheels & Tires" },
    price: { ...centsRule, nullable: true },
    revision: { type: "number", integer: true, description: "Ascending number of this change among the vendor's" },
  },
});

/** Services of the catalog: one collection of parts a vendor, price files in, price and parts out. */
export const catalogContract = defineService({
  name: "catalog",
  summary: "Parts of every vendor",
  actions: {
    import: {
      summary: "Import a vendor's price file",
      description:
        "The body is the file, read as it arrives. Columns: `part_number`, `title` (both required), `description`, `category`, " +
        "`list_price`, `currency`, `status`, `image_url`, `superseded_by`; a CSV file's header names them in any order and case, " +
        "NDJSON has them as keys. A row that cannot be used is refused with its line and reason and never stops the file; a row " +
        "that says what is already known is not written.",
      params: {
        vendor: vendorRule,
        contentType: { type: "string", max: 200, description: "`text/csv` or `application/x-ndjson`", example: "text/csv" },
      },
      result: {
        type: "object",
        title: "ImportReport",
        props: {
          read: { type: "number", integer: true, description: "Rows in the file: written, unchanged and refused together" },
          written: { type: "number", integer: true },
          unchanged: { type: "number", integer: true },
          refused: {
            type: "array",
            description: "The first 1,000 of them",
            items: { type: "object", props: { line: { type: "number", integer: true }, reason: { type: "string" } } },
          },
          refusedTotal: { type: "number", integer: true },
        },
      },
      errors: ["NOT_FOUND", "VALIDATION_FAILED", "UNSUPPORTED_MEDIA_TYPE", "VERSION_CONFLICT"],
      http: [
        {
          method: "POST", path: "/catalog/import/{vendor}", entries: ["catalog"], access: "admin", envelope: false,
          body: "stream", consumes: ["text/csv", "application/x-ndjson"],
        },
      ],
      timeout: 30 * 60_000,
    },

    parts: {
      summary: "List a vendor's parts",
      description: "In the order of their normalised numbers.",
      params: {
        vendor: vendorRule,
        ...pagingParams,
        q: {
          type: "string", max: 200, optional: true,
          description: "Beginning of a part number in any spelling; where none begins so, a piece of the title",
        },
        updatedSince: { type: "date", optional: true, description: "Parts that changed at or after this moment" },
      },
      result: {
        type: "object",
        props: { parts: { type: "array", items: indexedPartRule }, pagination: paginationRule },
      },
      errors: ["NOT_FOUND"],
      http: [{ method: "GET", path: "/parts/{vendor}", entries: ["catalog"], access: "none", envelope: false }],
      idempotent: true,
    },

    get: {
      summary: "Get a part by its id",
      params: { id: { type: "string", min: 1, max: 200 } },
      result: { ...catalogPartRule },
      errors: ["NOT_FOUND"],
      idempotent: true,
    },

    price: {
      summary: "Look up what parts cost",
      description:
        "By productId (the part's id), else by partNumber with manufacturer (name, code or alias, in any case), else by a " +
        "partNumber that one vendor alone has. Answers in the order of the items.",
      params: {
        items: {
          type: "array",
          min: 1,
          max: 1_000,
          items: {
            type: "object",
            props: {
              productId: { type: "string", max: 200 },
              partNumber: { type: "string", max: 100 },
              manufacturer: { type: "string", max: 200, optional: true },
            },
          },
        },
      },
      result: {
        type: "object",
        props: {
          items: {
            type: "array",
            items: {
              type: "object",
              props: {
                found: { type: "boolean" },
                productId: { type: "string", optional: true },
                partNumber: { type: "string", optional: true },
                title: { type: "string", optional: true },
                status: { ...statusRule, optional: true },
                price: { ...centsRule, nullable: true, description: "Whole cents; null when the part has no price or is not found" },
                imageUrl: { type: "string", optional: true },
              },
            },
          },
        },
      },
      errors: [],
      idempotent: true,
    },

    changes: {
      summary: "Read a vendor's parts in the order of their changes",
      description: "The feed from which an index is built (from 0) and kept in step (from the last revision that it has).",
      params: {
        vendor: vendorRule,
        after: { type: "number", integer: true, min: 0 },
        limit: { type: "number", integer: true, min: 1, max: 5_000, default: 1_000 },
      },
      result: { type: "object", props: { parts: { type: "array", items: catalogPartRule } } },
      errors: ["NOT_FOUND"],
      idempotent: true,
    },

    revisions: {
      summary: "How far the changes of every vendor go",
      params: {},
      result: {
        type: "object",
        props: {
          vendors: {
            type: "array",
            description: "Vendors that have had a part",
            items: {
              type: "object",
              props: {
                vendor: { type: "string", description: "Code in upper case" },
                revision: { type: "number", integer: true, description: "Of the newest change" },
              },
            },
          },
        },
      },
      errors: [],
      idempotent: true,
    },

    stats: {
      summary: "Count the parts of every vendor",
      params: {},
      result: {
        type: "object",
        props: {
          total: { type: "number", integer: true },
          vendors: {
            type: "array",
            description: "Vendors that have had a part",
            items: {
              type: "object",
              props: {
                vendor: { type: "string", description: "Code in upper case" },
                parts: { type: "number", integer: true },
              },
            },
          },
        },
      },
      errors: [],
      idempotent: true,
    },
  },
});
