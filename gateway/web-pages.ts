import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EntryPoint } from "../broker/contract/define.ts";
import { filePage, htmlHeaders, type Page, type PageEntry } from "./pages.ts";

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
