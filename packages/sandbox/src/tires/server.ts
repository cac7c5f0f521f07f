import { type Listing, type SupplierSandboxOptions, startListing, readWholeNumber } from "../listing/server.ts";
import { readSampleRows } from "../samples.ts";
import type { HttpServer } from "../server/http-server.ts";

const MAX_PAGE_SIZE = 500;

/** The tire supplier's stand-in: `GET /v1/tires` by page number. */
export default function startTireSandbox(options: SupplierSandboxOptions): Promise<HttpServer> {
  const { apiKey, imageUrlBase, count } = options;
  const listing: Listing<Tire> = {
    title: "Tire supplier",
    path: "/v1/tires",
    example: "page=1&pageSize=100",
    keyHeader: "X-API-KEY",
    isKey: (value) => value === apiKey,
    items: listTires(imageUrlBase).slice(0, count),
    readRequest: (exchange) => {
      const page = readWholeNumber(exchange, "page", 1, Number.MAX_SAFE_INTEGER);
      const pageSize = readWholeNumber(exchange, "pageSize", 100, MAX_PAGE_SIZE);
      return page === undefined || pageSize === undefined
        ? `page is from 1, pageSize from 1 to ${MAX_PAGE_SIZE}`
        : { page, pageSize };
    },
    answer: ({ page, pageSize, total, items }) => ({
      page,
      pageSize,
      total,
      totalPages: Math.ceil(total / pageSize),
      items,
    }),
    discontinue: (tire) => ({ ...tire, discontinued: true }),
    breaks: [
      (tire) => ({ ...tire, price: "call us" }),
      (tire) => ({ ...tire, quantityOnHand: "plenty" }),
      (tire) => ({ ...tire, brand: undefined }),
      (tire) => ({ ...tire, description: "  " }),
      (tire) => ({ ...tire, category: "Tyres" }),
      (tire) => ({ ...tire, itemNumber: "---" }),
      (tire) => ({ ...tire, currency: "EUR" }),
      (tire) => ({ ...tire, images: "none" }),
      () => null,
      (tire) => tire.itemNumber,
    ],
  };
  return startListing(options, listing);
}

/** A tire or wheel as the supplier lists it. @see design, Catalog, "What we expect of the tire supplier" */
interface Tire {
  itemNumber: string;
  description: string;
  brand: string;
  size: string;
  category: "Tires" | "Wheels";
  /** Decimal currency units; null where the price is on request. */
  price: number | null;
  currency: string;
  quantityOnHand: number;
  images: string[];
  discontinued: boolean;
  updatedAt: string;
}

export const listTires = (imageUrlBase?: string): Tire[] => readSampleRows<Tire>("tires.ndjson", imageUrlBase);
