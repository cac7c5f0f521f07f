import { setTimeout as delay } from "node:timers/promises";
import { faultRoutes } from "../faults/controls.ts";
import { createFaults } from "../faults/switches.ts";
import { htmlReply } from "../server/html.ts";
import { startHttpServer, type Exchange, type Handler, type HttpServer } from "../server/http-server.ts";
import { jsonReply } from "../server/reply.ts";
import { routeRequests } from "../server/router.ts";
import { FAULT_KINDS } from "./faults.ts";
import { listTires } from "./listing.ts";
import { indexPage } from "./page.ts";
import { createRequestLog } from "./requests.ts";
import { listedTires } from "./tires.ts";

export interface TireSandboxOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  apiKey: string;
  /** Where the media service serves images. */
  imageUrlBase: string;
  /** Lists only the first so many. */
  tires?: number;
}

const MAX_PAGE_SIZE = 500;

/** The tire supplier's stand-in: `GET /v1/tires`, controls under `/sandbox`, an index at `/`. */
export async function startTireSandbox({
  host,
  port,
  apiKey,
  imageUrlBase,
  tires: count,
}: TireSandboxOptions): Promise<HttpServer> {
  const faults = createFaults(FAULT_KINDS, { byPage: true });
  const requests = createRequestLog();
  const tires = listedTires(imageUrlBase).slice(0, count);
  let url = "";

  const list: Handler = async (exchange) => {
    if (exchange.header("x-api-key") !== apiKey) return jsonReply(401, { error: "X-API-KEY is missing or wrong" });
    const page = wholeNumber(exchange, "page", 1, Number.MAX_SAFE_INTEGER);
    const pageSize = wholeNumber(exchange, "pageSize", 100, MAX_PAGE_SIZE);
    if (page === undefined || pageSize === undefined)
      return jsonReply(400, { error: `page is from 1, pageSize from 1 to ${MAX_PAGE_SIZE}` });
    const end = requests.begin(page);
    try {
      const struck = faults.strike(page);
      if (struck.some(({ kind }) => kind === "stall")) return "hang";
      await delay(struck.find(({ kind }) => kind === "slow")?.value ?? 0);
      return listTires(tires, { page, pageSize }, struck);
    } finally {
      end();
    }
  };

  const handler = routeRequests({
    "GET /": () => htmlReply(200, indexPage({ url, tires: tires.length, faults })),
    "GET /v1/tires": list,
    "GET /sandbox/requests": () => jsonReply(200, requests.facts()),
    ...faultRoutes(faults),
  });
  const server = await startHttpServer({ host, port, handler });
  url = server.url;
  return server;
}

function wholeNumber({ query }: Exchange, name: string, fallback: number, max: number): number | undefined {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : undefined;
}
