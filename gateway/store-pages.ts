import { readFileSync } from "node:fs";
import type { ServiceBroker } from "moleculer";
import type { EntryPoint } from "../broker/contract/define.ts";
import { entryPointUrl } from "../broker/settings/addresses.ts";
import type { Settings } from "../broker/settings.ts";
import { hasCode } from "../mixins/errors.ts";
import { call } from "../services/contracts.ts";
import { fixedPage } from "./docs/documents.ts";
import type { Page } from "./pages.ts";
import { exchangeOf } from "./request/edge-request.ts";

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The address holds the session's id.
  "Referrer-Policy": "no-referrer",
};

const FILES: readonly (readonly [path: string, type: string, file: string])[] = [
  ["/checkout/success", HTML, "checkout/success.html"],
  ["/checkout/cancel", HTML, "checkout/cancel.html"],
  ["/checkout/success.js", SCRIPT, "checkout/success.js"],
  ["/checkout/cancel.js", SCRIPT, "checkout/cancel.js"],
  ["/checkout/page.css", "text/css; charset=utf-8", "checkout/page.css"],
  ["/parts/part.js", SCRIPT, "parts/part.js"],
];

/** Words of the title and the part's id, as in web/parts/part.js. */
const PART_SLUG = /^(?:[a-z0-9-]+-)?([a-z]{3}-[a-z0-9]+)$/;
const PART_PAGE = "parts/part.html";
const LONGEST_LOOK_MS = 2_000;

/** Pages for shoppers back from the hosted page, and for store links: on the gateway while no storefront is set. */
export function storePages(entry: EntryPoint, settings: Settings, broker: ServiceBroker): [path: string, page: Page][] {
  if (entry !== "gateway" || settings.storeUrl !== entryPointUrl(settings, "gateway")) return [];
  return [
    ...FILES.map(([path, type, file]): [string, Page] => [path, pageOf(type, file)]),
    ["/parts/{slug}", partPage(broker)],
  ];
}

const contentOf = (file: string): Buffer => readFileSync(new URL(`../web/${file}`, import.meta.url));

function pageOf(type: string, file: string): Page {
  return fixedPage(type, () => contentOf(file), type === HTML ? HEADERS : {});
}

/** A part's page; for an unknown part it is sent with 404, and says so. */
function partPage(broker: ServiceBroker): Page {
  const page = pageOf(HTML, PART_PAGE);
  return {
    answer: async (req) => {
      const slug = exchangeOf(req).path.split("/").at(-1)!;
      return (await hasPart(broker, slug))
        ? page.answer(req)
        : { status: 404, type: HTML, body: contentOf(PART_PAGE), headers: HEADERS };
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
