import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { prometheusContentType } from "prom-client";
import type { Access } from "@partline/api-contracts";
import type { Scope } from "../../broker/contract/scopes.ts";
import type { Health } from "./health.ts";
import { type EdgeRequest, JSON_TYPE, type Payload } from "@partline/http-edge";

export interface Page {
  /** For POST in place of GET and HEAD. */
  posted?: true;
  access?: Access;
  scope?: Scope;
  unlimited?: true;
  answer(req: EdgeRequest): Payload | Promise<Payload>;
  /** Page that a person sees if this one cannot be answered now. */
  unavailable?(req: EdgeRequest, status: number): Promise<Payload>;
}

/** Pages by path; a final `{slug}` matches any last segment without a page of its own. */
export type Pages = ReadonlyMap<string, Page>;
export type PageEntry = [path: string, page: Page];

export interface FoundPage {
  page: Page;
  label: string;
}

export function pageAt(pages: Pages, path: string): FoundPage | undefined {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  for (const label of path === directory ? [path] : [path, `${directory}{slug}`]) {
    const page = pages.get(label);
    if (page) return { label, page };
  }
  return undefined;
}

export function createHealthPages(health: Health): PageEntry[] {
  const getReadinessPayload = async (): Promise<Payload> => {
    const { ready, report } = await health.getReadiness();
    return createJsonPayload(ready ? 200 : 503, { ready, ...report }, ready ? {} : { "Retry-After": "1" });
  };
  return [
    ["/health", { unlimited: true, answer: async () => createJsonPayload(200, await health.report()) }],
    ["/health/ready", { unlimited: true, answer: getReadinessPayload }],
    ["/health/live", { unlimited: true, answer: () => createJsonPayload(200, { status: "ok" }) }],
  ];
}

/** Each entry point answers for its whole process. */
export function createMetricsPage(scrape: () => Promise<string>): PageEntry {
  return [
    "/metrics",
    {
      access: "internal",
      scope: "system:read",
      answer: async () => ({ status: 200, type: prometheusContentType, body: await scrape() }),
    },
  ];
}

/** A page that does not change while the process runs; a client that has it gets 304. */
export function createFixedPage(
  type: string,
  content: () => string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Page {
  let payload: (Payload & { headers: Record<string, string> }) | undefined;
  return {
    answer: (req: EdgeRequest) => {
      if (!payload) {
        const body = content();
        const etag = `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
        payload = { status: 200, type, body, headers: { ...headers, ETag: etag, "Cache-Control": "no-cache" } };
      }
      const sentTags = req.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      return sentTags?.includes(payload.headers.ETag!) ? { ...payload, status: 304, body: "" } : payload;
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

export function getContentType(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)]!;
}

export function createFilePage(path: string, headers: Readonly<Record<string, string>> = {}): Page {
  return createFixedPage(getContentType(path), () => readFileSync(path), headers);
}

/** Title, head and body are markup. */
export function renderHtmlPage(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partline: ${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Builds the headers of a page whose resources all have the same origin. */
export function createHtmlHeaders(styleAndImages = "style-src 'self'", formTargets = "'none'"): Record<string, string> {
  return {
    "Content-Security-Policy":
      `default-src 'none'; script-src 'self'; ${styleAndImages}; connect-src 'self'; ` +
      `base-uri 'none'; form-action ${formTargets}; frame-ancestors 'none'`,
    // An address may hold the id of a checkout session.
    "Referrer-Policy": "no-referrer",
  };
}

function createJsonPayload(status: number, value: unknown, headers: Record<string, string> = {}): Payload {
  return { status, type: JSON_TYPE, body: JSON.stringify(value), headers };
}
