import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { entryPointUrl } from "../broker/settings/addresses.ts";
import type { Settings } from "../broker/settings.ts";
import { hasCode } from "../mixins/errors.ts";
import { call } from "../services/contracts.ts";
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
    ["/parts/{slug}", partPage(broker)],
    ["/orders/{slug}", webPage("orders/order.html")],
  ];
}

/** Words of the title and the part's id, as in web/parts/part.js. */
const PART_SLUG = /^(?:[a-z0-9-]+-)?([a-z]{3}-[a-z0-9]+)$/;
const PART_PAGE = "parts/part.html";
const LONGEST_LOOK_MS = 2_000;

/** A part's page; for an unknown part it is sent with 404, and says so. */
function partPage(broker: ServiceBroker): Page {
  const page = webPage(PART_PAGE);
  return {
    answer: async (req) => {
      const isKnown = await hasPart(broker, exchangeOf(req).path.split("/").at(-1)!);
      if (isKnown) return page.answer(req);
      return { status: 404, type: typeOf(PART_PAGE), body: readFileSync(join(WEB, PART_PAGE)), headers: htmlHeaders() };
    },
  };
}

/** Whether a part has the slug; true if the catalog does not answer, since the page reports that. */
async function hasPart(broker: ServiceBroker, slug: string): Promise<boolean> {
  const id = PART_SLUG.exec(slug)?.[1];
  if (id === undefined) return false;
  return call(broker, "catalog.get", { id }, { timeout: LONGEST_LOOK_MS }).then(
    (part) => part.slug === slug,
    (error: unknown) => !hasCode(error, "NOT_FOUND"),
  );
}
