import {
  type Fault,
  SERVER_FAULTS,
  createFaults,
  cutOff,
  applyServerFaults,
  createProviderRoutes,
} from "../server/faults.ts";
import { html } from "../server/html.ts";
import {
  type Address,
  type Exchange,
  type Handler,
  type HttpServer,
  type Reply,
  type Routes,
  createJsonReply,
  startHttpServer,
} from "../server/http-server.ts";
import { LastFacts } from "../server/last-facts.ts";

/** How the stand-in of any supplier is started; `packages/sandbox/src/NAME/server.ts` exports it as its default. */
export interface SupplierSandboxOptions extends Address {
  apiKey: string;
  /** Base URL of the images that the media service serves. */
  imageUrlBase: string;
  /** Lists only this many items, from the first. */
  count?: number;
}
export type StartSupplierSandbox = (options: SupplierSandboxOptions) => Promise<HttpServer>;

/** A supplier's listing, and the form of its API. */
export interface Listing<Item> {
  title: string;
  path: string;
  example: string;
  keyHeader: string;
  isKey: (value: string | undefined) => boolean;
  items: readonly Item[];
  /** Returns what a request asks for, or why it cannot be answered. */
  readRequest: (exchange: Exchange) => { page: number; pageSize: number } | string;
  answer: (page: { page: number; pageSize: number; total: number; items: readonly unknown[] }) => object;
  discontinue: (item: Item) => Item;
  breaks: readonly ((item: Item) => unknown)[];
}

/** A request for a page. `at` is in milliseconds since the process started. */
export interface RequestFact {
  at: number;
  page: number;
}

const KEPT_REQUESTS = 5_000;

/** Serves a listing, with controls under `/sandbox` and an index at `/`. */
export function startListing<Item>({ host, port }: Address, listing: Listing<Item>): Promise<HttpServer> {
  const { title, path, example, keyHeader, isKey, items, readRequest } = listing;
  const faults = createFaults(FAULTS, { byPage: true });
  const requests = new LastFacts<RequestFact>(KEPT_REQUESTS);
  let open = 0;
  let mostAtOnce = 0;

  const list: Handler = async (exchange) => {
    if (!isKey(exchange.header(keyHeader))) return createJsonReply(401, { error: `${keyHeader} is missing or wrong` });
    const pageRequest = readRequest(exchange);
    if (typeof pageRequest === "string") return createJsonReply(400, { error: pageRequest });
    requests.add({ at: performance.now(), page: pageRequest.page });
    mostAtOnce = Math.max(mostAtOnce, (open += 1));
    try {
      const struck = faults.strike(pageRequest.page);
      return (await applyServerFaults(struck, (error) => ({ error }))) ?? listPage(listing, pageRequest, struck);
    } finally {
      open -= 1;
    }
  };

  const controls = createProviderRoutes(title, faults, (url) => ({
    about: html`<p>A stand-in for the ${title.toLowerCase()}, with ${items.length} items at <code>${url}${path}?${example}</code> for clients that send
<code>${keyHeader}</code>.</p>`,
    lately: html`<p>From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"error","page":3,"times":2}'</code>, and
<code>-X DELETE</code> for all well again; <a href="/sandbox/requests">who asked when</a>.</p>`,
  }));
  const routes: Routes = {
    ...controls,
    [`GET ${path}`]: list,
    "GET /sandbox/requests": () => createJsonReply(200, { requests: requests.all(), mostAtOnce }),
  };
  return startHttpServer({ host, port, routes });
}

/** Reads a parameter as a whole number from 1; undefined if it is none, or larger than `max`. */
export function readWholeNumber({ query }: Exchange, name: string, fallback: number, max: number): number | undefined {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= max ? value : undefined;
}

/** Faults, with the meaning of their `value`. */
const FAULTS = {
  ...SERVER_FAULTS,
  malformed: "number of broken items on the page, each broken in another way (1 by default)",
  repeated: "number of items of the page before that are on this one too (1 by default), in place of its last ones",
  total: "the total in the answer",
  empty: "a page without items",
  same_page: "the page that every request gets (the first by default)",
  discontinued: "number of items, from the first, that are discontinued",
  vanished: "number of items, from the first, that are not listed any more",
};
type FaultKind = keyof typeof FAULTS;

function listPage<Item>(
  { items: allItems, breaks, discontinue, answer }: Listing<Item>,
  { page, pageSize }: { page: number; pageSize: number },
  faults: readonly Fault<FaultKind>[],
): Reply {
  const findFault = (kind: FaultKind): Fault<FaultKind> | undefined =>
    faults.find((candidate) => candidate.kind === kind);
  const getFaultValue = (kind: FaultKind): number => (findFault(kind) ? (findFault(kind)?.value ?? 1) : 0);
  const discontinued = findFault("discontinued")?.value ?? 0;
  const listed = allItems
    .map((item, index) => (index < discontinued ? discontinue(item) : item))
    .slice(findFault("vanished")?.value ?? 0);
  const start = ((getFaultValue("same_page") || page) - 1) * pageSize;
  const from = start - Math.min(getFaultValue("repeated"), start);
  const items = findFault("empty") ? [] : listed.slice(from, from + pageSize);
  const broken = items.map((item, index) =>
    index < getFaultValue("malformed") ? breaks[index % breaks.length]!(item) : item,
  );
  const total = findFault("total")?.value ?? listed.length;
  return cutOff(faults, createJsonReply(200, answer({ page, pageSize, total, items: broken })));
}
