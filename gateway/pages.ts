import type { Access } from "../broker/contract/define.ts";
import { prometheusContentType } from "prom-client";
import type { Health } from "./health.ts";
import type { EdgeRequest } from "./request/edge-request.ts";
import { JSON_TYPE, type Payload } from "./response/send.ts";

/** An answer of the entry point itself, for GET and HEAD: health, metrics, documents. */
export interface Page {
  /** Public unless given. */
  access?: Access;
  /** Exempt from the rate limit. */
  unlimited?: true;
  answer(req: EdgeRequest): Payload | Promise<Payload>;
}

/** By path; `{slug}` at the end matches any last segment without a page of its own. */
export type Pages = ReadonlyMap<string, Page>;

export interface FoundPage {
  page: Page;
  /** Route label of its requests. */
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

export function healthPages(health: Pick<Health, "report" | "readiness">): [path: string, page: Page][] {
  return [
    ["/health", { unlimited: true, answer: async () => json(200, await health.report()) }],
    [
      "/health/ready",
      {
        unlimited: true,
        answer: async () => {
          const { ready, report } = await health.readiness();
          return json(ready ? 200 : 503, { ready, ...report }, ready ? {} : { "Retry-After": "1" });
        },
      },
    ],
    ["/health/live", { unlimited: true, answer: () => json(200, { status: "ok" }) }],
  ];
}

/** Prometheus text; each entry point answers for its whole process. */
export function metricsPage(scrape: () => Promise<string>): [path: string, page: Page] {
  return [
    "/metrics",
    { access: "internal", answer: async () => ({ status: 200, type: prometheusContentType, body: await scrape() }) },
  ];
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Payload {
  return { status, type: JSON_TYPE, body: JSON.stringify(value), headers };
}
