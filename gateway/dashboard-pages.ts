import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { EntryPoint } from "../broker/contract/define.ts";
import { fixedPage } from "./docs/documents.ts";
import type { Page } from "./pages.ts";

const require = createRequire(import.meta.url);

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

const FILES: readonly (readonly [path: string, type: string, file: string])[] = [
  ["/dashboard", HTML, "index.html"],
  ["/dashboard/dashboard.js", SCRIPT, "dashboard.js"],
  ["/dashboard/dashboard.css", "text/css; charset=utf-8", "dashboard.css"],
];

/** The dashboard on the analytics entry point. It holds no figures: it reads the endpoints, which check access. */
export function dashboardPages(entry: EntryPoint): [path: string, page: Page][] {
  if (entry !== "analytics") return [];
  return [
    ...FILES.map(([path, type, file]): [string, Page] => [
      path,
      fixedPage(
        type,
        () => readFileSync(new URL(`../web/dashboard/${file}`, import.meta.url)),
        type === HTML ? HEADERS : {},
      ),
    ]),
    [
      "/dashboard/chart.js",
      fixedPage(SCRIPT, () => readFileSync(join(dirname(require.resolve("chart.js")), "chart.umd.min.js"))),
    ],
  ];
}
