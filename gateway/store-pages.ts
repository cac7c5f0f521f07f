import { readFileSync } from "node:fs";
import type { EntryPoint } from "../broker/contract/define.ts";
import { entryPointUrl } from "../broker/settings/addresses.ts";
import type { Settings } from "../broker/settings.ts";
import { fixedPage } from "./docs/documents.ts";
import type { Page } from "./pages.ts";

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
  ["/checkout/page.css", "text/css; charset=utf-8", "checkout/page.css"],
  ["/parts/{slug}", HTML, "parts/part.html"],
  ["/parts/part.js", SCRIPT, "parts/part.js"],
];

/** Where a shopper is back from the hosted page, and where store links lead: on the gateway while no storefront is set. */
export function storePages(entry: EntryPoint, settings: Settings): [path: string, page: Page][] {
  if (entry !== "gateway" || settings.storeUrl !== entryPointUrl(settings, "gateway")) return [];
  return FILES.map(([path, type, file]) => [
    path,
    fixedPage(type, () => readFileSync(new URL(`../web/${file}`, import.meta.url)), type === HTML ? HEADERS : {}),
  ]);
}
