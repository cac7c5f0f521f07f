import { readFileSync } from "node:fs";
import type { HttpServer } from "../../../packages/sandbox/src/server/http-server.ts";
import {
  startListing,
  readWholeNumber,
  type Listing,
  type SupplierSandboxOptions,
} from "../../../packages/sandbox/src/listing/server.ts";

const MAX_LIMIT = 100;
const ITEMS = readFileSync(new URL("harrow.ndjson", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as HarrowItem);

/** The stand-in of Harrow Supply: `GET /catalog/items` by cursor, which says where the page begins and ends. */
export default function startHarrowSandbox(options: SupplierSandboxOptions): Promise<HttpServer> {
  const listing: Listing<HarrowItem> = {
    title: "Harrow Supply",
    path: "/catalog/items",
    example: "limit=50",
    keyHeader: "Authorization",
    isKey: (value) => value === `Bearer ${options.apiKey}`,
    items: ITEMS.slice(0, options.count),
    readRequest: (exchange) => {
      const limit = readWholeNumber(exchange, "limit", 50, MAX_LIMIT);
      if (limit === undefined) return `limit is from 1 to ${MAX_LIMIT}`;
      const cursor = exchange.query.get("cursor");
      const from = cursor === null ? 0 : Number(Buffer.from(cursor, "base64url").toString());
      return Number.isInteger(from) ? { page: from / limit + 1, pageSize: limit } : "cursor is none of ours";
    },
    answer: ({ page, pageSize, total, items }) => ({
      data: items,
      next_cursor: page * pageSize < total ? Buffer.from(String(page * pageSize)).toString("base64url") : null,
    }),
    discontinue: (item) => ({ ...item, state: "retired" }),
    breaks: [
      (item) => ({ ...item, unit_price: Number(item.unit_price) }),
      (item) => ({ ...item, on_hand: "many" }),
      (item) => ({ ...item, state: "sold" }),
      ({ sku: _sku, ...item }) => item,
      () => "out of order",
    ],
  };
  return startListing(options, listing);
}

/** A bearing, belt or chain as Harrow Supply lists it. */
interface HarrowItem {
  sku: string;
  name: string;
  maker: string;
  department: string;
  /** Decimal text; null where the price is on request. */
  unit_price: string | null;
  currency: "usd";
  on_hand: number;
  pictures: string[];
  state: "live" | "retired";
}
