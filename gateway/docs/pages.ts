import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { EntryPoint } from "../../broker/contract/define.ts";
import type { Page } from "../pages.ts";
import { JSON_TYPE } from "../response/send.ts";
import { fixedPage } from "./documents.ts";

const require = createRequire(import.meta.url);

/** Everything is same-origin; Swagger UI also sets styles on its elements. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Swagger UI's own files, by their name in its package. */
const ASSETS: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

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
export function documentPages(entry: EntryPoint, document: () => unknown): [path: string, page: Page][] {
  const docs = fixedPage("text/html; charset=utf-8", () => html(entry), {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
  });
  return [
    [
      "/",
      {
        answer: () => ({
          status: 302,
          type: "text/plain; charset=utf-8",
          body: "See /docs\n",
          headers: { Location: "/docs" },
        }),
      },
    ],
    ["/openapi.json", fixedPage(JSON_TYPE, () => JSON.stringify(document()))],
    ["/docs", docs],
    ["/docs/", docs],
    ["/docs/start.js", fixedPage("text/javascript; charset=utf-8", () => START_SCRIPT)],
    ...Object.entries(ASSETS).map(([name, type]): [string, Page] => [
      `/docs/${name}`,
      fixedPage(type, () => readFileSync(require.resolve(`swagger-ui-dist/${name}`))),
    ]),
  ];
}

function html(entry: EntryPoint): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partline: ${entry}</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}
