import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { entryPointUrl } from "../broker/settings/addresses.ts";
import type { Settings } from "../broker/settings.ts";
import { call } from "../services/contracts.ts";
import { toHttpError } from "./errors.ts";
import { filePage, htmlHeaders, typeOf, type Page, type PageEntry } from "./pages.ts";
import { exchangeOf } from "./request/edge-request.ts";

const require = createRequire(import.meta.url);
const WEB = fileURLToPath(new URL("../web", import.meta.url));

/** A page of a file in `web/`. */
function webPage(file: string, sources?: string): Page {
  return filePage(join(WEB, file), file.endsWith(".html") ? htmlHeaders(sources) : {});
}

/**
 * The dashboard on the analytics entry point. It holds no figures: it reads the endpoints, which check access.
 */
export function dashboardPages(entry: EntryPoint): PageEntry[] {
  if (entry !== "analytics") return [];
  return [
    ["/dashboard", webPage("dashboard/index.html", "style-src 'self'; img-src 'self' data:")],
    ["/dashboard/dashboard.js", webPage("dashboard/dashboard.js")],
    ["/dashboard/dashboard.css", webPage("dashboard/dashboard.css")],
    ["/dashboard/chart.js", filePage(join(dirname(require.resolve("chart.js")), "chart.umd.min.js"))],
  ];
}

/** Pages for shoppers back from the hosted page, and for store links: on the gateway while no storefront is set. */
export function storePages(entry: EntryPoint, settings: Settings, broker: ServiceBroker): PageEntry[] {
  if (entry !== "gateway" || settings.storeUrl !== entryPointUrl(settings, "gateway")) return [];
  const files = ["checkout/success.js", "checkout/cancel.js", "checkout/page.css", "parts/part.js", "orders/order.js"];
  return [
    ["/checkout/success", webPage("checkout/success.html")],
    ["/checkout/cancel", webPage("checkout/cancel.html")],
    ...files.map((file): PageEntry => [`/${file}`, webPage(file)]),
    ["/parts/{slug}", pageOf("parts/part.html", (slug) => hasPart(broker, slug))],
    ["/orders/{slug}", pageOf("orders/order.html", (token) => hasOrder(broker, token))],
  ];
}

/** Words of the title and the part's id, as in web/parts/part.js. */
const PART_SLUG = /^(?:[a-z0-9-]+-)?([a-z]{3}-[a-z0-9]+)$/;
const LOOK = { timeout: 2_000 };

/** The page of a part or an order; if the last segment of its address names none it is sent with 404, and says so. */
function pageOf(file: string, isKnown: (named: string) => Promise<boolean>): Page {
  const page = webPage(file);
  return {
    answer: async (req) => {
      if (await isKnown(exchangeOf(req).path.split("/").at(-1)!)) return page.answer(req);
      return { status: 404, type: typeOf(file), body: readFileSync(join(WEB, file)), headers: htmlHeaders() };
    },
  };
}

/** Whether a part has the slug. */
async function hasPart(broker: ServiceBroker, slug: string): Promise<boolean> {
  const id = PART_SLUG.exec(slug)?.[1];
  if (id === undefined) return false;
  return isThere("catalog.get", call(broker, "catalog.get", { id }, LOOK), (part) => part.slug === slug);
}

/** Whether the token of a link is an order's. */
function hasOrder(broker: ServiceBroker, token: string): Promise<boolean> {
  return isThere("order.byLink", call(broker, "order.byLink", { token }, LOOK));
}

/** Whether an action finds something; true if its service does not answer, since the page reports that. */
function isThere<T>(action: string, found: Promise<T>, isMeant: (found: T) => boolean = () => true): Promise<boolean> {
  return found.then(isMeant, (error: unknown) => toHttpError(error, action).status >= 500);
}
