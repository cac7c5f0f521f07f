import { setTimeout as delay } from "node:timers/promises";
import { faultRoutes } from "../faults/controls.ts";
import { createFaults } from "../faults/switches.ts";
import { htmlReply } from "../server/html.ts";
import { startHttpServer, type Exchange, type Handler, type HttpServer } from "../server/http-server.ts";
import { jsonReply } from "../server/reply.ts";
import { routeRequests } from "../server/router.ts";
import { FAULT_KINDS } from "./faults.ts";
import { listPage } from "./listing.ts";
import { indexPage } from "./page.ts";
import { createRequestLog } from "./requests.ts";

/** How the stand-in of any supplier is started; `sandbox/NAME/server.ts` exports it as its default. */
export interface SupplierSandboxOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  apiKey: string;
  /** Where the media service serves images. */
  imageUrlBase: string;
  /** Lists only the first so many. */
  count?: number;
}
export type StartSupplierSandbox = (options: SupplierSandboxOptions) => Promise<HttpServer>;

/** A supplier's listing, and how its API tells it. */
export interface Listing<Item> {
  title: string;
  path: string;
  /** A query to try it with. */
  example: string;
  keyHeader: string;
  /** Whether a request's key header has the key. */
  isKey: (value: string | undefined) => boolean;
  items: readonly Item[];
  /** What a request asks for; text is why it cannot be answered. */
  asked: (exchange: Exchange) => { page: number; pageSize: number } | string;
  answer: (page: { page: number; pageSize: number; total: number; items: readonly unknown[] }) => object;
  discontinued: (item: Item) => Item;
  /** Ways in which an item comes out of a supplier's system that nobody looks after. */
  breaks: readonly ((item: Item) => unknown)[];
}

/** Serves a listing, with controls under `/sandbox` and an index at `/`. */
export async function startListing<Item>(
  { host, port }: Pick<SupplierSandboxOptions, "host" | "port">,
  listing: Listing<Item>,
): Promise<HttpServer> {
  const { title, path, example, keyHeader, isKey, items, asked: readAsked } = listing;
  const faults = createFaults(FAULT_KINDS, { byPage: true });
  const requests = createRequestLog();
  let url = "";

  const list: Handler = async (exchange) => {
    if (!isKey(exchange.header(keyHeader))) return jsonReply(401, { error: `${keyHeader} is missing or wrong` });
    const asked = readAsked(exchange);
    if (typeof asked === "string") return jsonReply(400, { error: asked });
    const end = requests.begin(asked.page);
    try {
      const struck = faults.strike(asked.page);
      if (struck.some(({ kind }) => kind === "stall")) return "hang";
      await delay(struck.find(({ kind }) => kind === "slow")?.value ?? 0);
      return listPage(listing, asked, struck);
    } finally {
      end();
    }
  };

  const handler = routeRequests({
    "GET /": () =>
      htmlReply(200, indexPage({ url, title, items: items.length, path: `${path}?${example}`, keyHeader, faults })),
    [`GET ${path}`]: list,
    "GET /sandbox/requests": () => jsonReply(200, requests.facts()),
    ...faultRoutes(faults),
  });
  const server = await startHttpServer({ host, port, handler });
  url = server.url;
  return server;
}

/** A parameter as a whole number from 1; undefined where it is none, or larger. */
export function wholeNumber({ query }: Exchange, name: string, fallback: number, max: number): number | undefined {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : undefined;
}
