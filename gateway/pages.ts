import type { Access } from "../broker/contract/define.ts";
import { prometheusContentType } from "prom-client";
import type { Health } from "./health.ts";
import type { EdgeRequest } from "./request/edge-request.ts";
import { JSON_TYPE, type Payload } from "./response/send.ts";

/** What an entry point answers itself, without a service: health, metrics, documents. GET and HEAD. */
export interface Page {
  /** Open to everybody unless given. */
  access?: Access;
  /** Whether the rate limit passes it by. */
  unlimited?: true;
  answer(req: EdgeRequest): Payload | Promise<Payload>;
}

/** By path. One that ends with `{slug}` is the page of every last segment that has none of its own. */
export type Pages = ReadonlyMap<string, Page>;

export interface FoundPage {
  page: Page;
  /** What requests for it are counted as. */
  label: string;
}

/** The page of a path. */
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

/** Prometheus text; one entry point of a process tells of all of them. */
export function metricsPage(scrape: () => Promise<string>): [path: string, page: Page] {
  return [
    "/metrics",
    { access: "internal", answer: async () => ({ status: 200, type: prometheusContentType, body: await scrape() }) },
  ];
}

function json(status: number, value: unknown, headers: Record<string, string> = {}): Payload {
  return { status, type: JSON_TYPE, body: JSON.stringify(value), headers };
}
