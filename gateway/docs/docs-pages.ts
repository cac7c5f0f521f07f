import { createRequire } from "node:module";
import type { EntryPoint } from "../../broker/contract/define.ts";
import {
  createFilePage,
  createFixedPage,
  createHtmlHeaders,
  renderHtmlPage,
  getContentType,
  type PageEntry,
} from "../http/pages.ts";
import { JSON_TYPE } from "@partline/http-edge";

const require = createRequire(import.meta.url);

const ASSETS = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

/** Starts Swagger UI on this address's description; what is typed under Authorize is forgotten with the page. */
const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`;

/** /openapi.json, the interactive page at /docs, and a redirect to it from /. */
export function createDocumentPages(entry: EntryPoint, document: () => unknown): PageEntry[] {
  // Swagger UI also sets styles on its elements.
  const headers = createHtmlHeaders("style-src 'self' 'unsafe-inline'; img-src 'self' data:");
  const docs = createFixedPage(getContentType("docs.html"), () => renderHtmlPage(entry, HEAD, BODY), headers);
  const toDocs = {
    status: 302,
    type: "text/plain; charset=utf-8",
    body: "See /docs\n",
    headers: { Location: "/docs" },
  };
  return [
    ["/", { answer: () => toDocs }],
    ["/openapi.json", createFixedPage(JSON_TYPE, () => JSON.stringify(document()))],
    ["/docs", docs],
    ["/docs/start.js", createFixedPage(getContentType("start.js"), () => START_SCRIPT)],
    ...ASSETS.map((name): PageEntry => [`/docs/${name}`, createFilePage(require.resolve(`swagger-ui-dist/${name}`))]),
  ];
}

const HEAD = `<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">`;
const BODY = `<div id="docs"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`;
