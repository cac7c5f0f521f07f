import { Agent, request, type Dispatcher } from "undici";
import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import { noteFailures } from "../load.ts";
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
export async function askAll(requests: readonly Asked[], connections: number): Promise<Answered> {
  const agent = clientOver(connections);
  const answered: Answered = { timed: [], failed: 0 };
  let next = 0;
  const sendNext = async (): Promise<void> => {
    for (let item = requests[next++]; item; item = requests[next++]) await ask(agent, item, answered);
  };
  await Promise.all(Array.from({ length: connections }, sendNext));
  await agent.destroy();
  if (answered.failed > 0) noteFailures("asked once", { "not 200, or no answer": answered.failed });
  return answered;
}

async function ask(agent: Agent, { kind, requests }: Asked, answered: Answered): Promise<void> {
  const startedAt = performance.now();
  try {
    for (const request of requests) if ((await send(agent, request)).status !== 200) answered.failed += 1;
    answered.timed.push({ kind, milliseconds: performance.now() - startedAt });
  } catch {
    answered.failed += 1;
  }
}

/**
 * A client over so many kept connections. It shares the machine with what it measures: a request takes it 70
 * microseconds, and Node's own client 190.
 */
export const clientOver = (connections: number): Agent => new Agent({ connections, pipelining: 1 });

export async function send(
  dispatcher: Agent,
  { method, url, headers, body }: Asked["requests"][number],
): Promise<{ status: number; text: string }> {
  const answer = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, dispatcher });
  return { status: answer.statusCode, text: await answer.body.text() };
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
