import { Agent, request, type IncomingMessage } from "node:http";
import type { SearchQuery } from "../../../mixins/search-index/port.ts";
import type { Timed } from "./latencies.ts";

export interface Asked {
  kind: string;
  /** One after another, and counted as one. */
  requests: { method: string; url: string; headers?: Record<string, string>; body?: string }[];
}

export interface Answered {
  timed: Timed[];
  /** Answers that were not 200, and requests without an answer. */
  failed: number;
}

/** Asks everything once, over as many kept connections as are given, each as soon as it has its answer. */
export async function askAll(asked: readonly Asked[], connections: number): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answered: Answered = { timed: [], failed: 0 };
  let next = 0;
  const one = async (): Promise<void> => {
    for (let item = asked[next++]; item; item = asked[next++]) await ask(agent, item, answered);
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return answered;
}

async function ask(agent: Agent, { kind, requests }: Asked, answered: Answered): Promise<void> {
  const startedAt = performance.now();
  try {
    for (const each of requests) if ((await send(agent, each)).status !== 200) answered.failed += 1;
    answered.timed.push({ kind, milliseconds: performance.now() - startedAt });
  } catch {
    answered.failed += 1;
  }
}

export function send(
  agent: Agent,
  { method, url, headers, body }: Asked["requests"][number],
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The path of a query on the search service's entry point. */
export function searchPath({ q, manufacturers, categories, minPrice, maxPrice, limit }: SearchQuery): string {
  const params = new URLSearchParams({ q, limit: String(limit) });
  for (const manufacturer of manufacturers) params.append("manufacturer", manufacturer);
  for (const category of categories) params.append("category", category);
  if (minPrice !== undefined) params.set("minPrice", (minPrice / 100).toFixed(2));
  if (maxPrice !== undefined) params.set("maxPrice", (maxPrice / 100).toFixed(2));
  return `/api/search?${params.toString()}`;
}
