import { setTimeout as delay } from "node:timers/promises";
import { TokenBucket } from "limiter";
import type { SupplierSettings } from "../../shared/settings/suppliers.ts";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  compareAndSet,
  createReplacement,
} from "@partline/durable";
import { createHttpClient, type HttpClientOptions } from "@partline/http-client";
import { KeyedQueue } from "@partline/toolkit";
import { DEFAULT_VENDORS } from "../vendors.ts";
import type { ListedPage, PageRequest, Supplier } from "./port.ts";
import { SYNC_RETRY } from "./retry.ts";

export type OpenSupplier = ReturnType<typeof openSupplier>;

const REQUEST_POLICY: Pick<HttpClientOptions, "attemptTimeoutMs" | "retry" | "breaker"> = {
  attemptTimeoutMs: 15_000,
  retry: { retries: 5, baseMs: 500, maxMs: 10_000, maxRetryAfterMs: 60_000 },
  // More than three pages in flight can lose.
  breaker: { failures: 30, openMs: SYNC_RETRY.pauseMs },
};

interface OpenOptions extends Pick<HttpClientOptions, "onFailure" | "watchCircuit"> {
  turn: () => Promise<void>;
}

export function openSupplier(
  supplier: Supplier,
  { url, apiKey, slug }: Pick<SupplierSettings, "url" | "apiKey" | "slug">,
  { turn, onFailure, watchCircuit }: OpenOptions,
  policy = REQUEST_POLICY,
) {
  let isClosed = false;
  // A bucket of one: late turns, which come close together, are spread again.
  const tokens = new TokenBucket({ bucketSize: 1, tokensPerInterval: supplier.requestsPerSecond, interval: "second" });
  const client = createHttpClient({
    ...policy,
    onFailure,
    watchCircuit,
    provider: supplier.title,
    baseUrl: url,
    headers: supplier.buildHeaders(apiKey),
    deadlineMs: 60_000,
    maxAnswerBytes: 16 * 1024 * 1024,
    rateLimit: async () => {
      await turn();
      await tokens.removeTokens(1);
      if (isClosed) throw new Error(`The ${supplier.title} is not asked any more: this process stops`);
    },
  });
  return {
    supplier,
    vendor: DEFAULT_VENDORS.getByCode(supplier.code),
    /** Path segment of its routes. */
    slug,
    /** Stops retries. */
    close: () => void (isClosed = true),
    /** @throws TIMEOUT or PROVIDER_ERROR after all retries within `deadlineMs` */
    loadPage: (query: PageRequest, deadlineMs: number): Promise<ListedPage> =>
      supplier.list(
        (path, query, readAnswer) => client.request({ method: "GET", path, query, deadlineMs, read: readAnswer }),
        query,
      ),
  };
}

interface Turns extends Document {
  nextAt: Date;
}

const REQUEST_TURNS: CollectionDefinition = { name: "catalog_request_turns", fields: { nextAt: "date" } };

/** Longest legitimate wait of a process's one turn, milliseconds: a later turn was taken by a wrong clock. */
const LONGEST_WAIT = 2_000;

/**
 * Limits requests to a supplier to so many a second over all processes that share the store. @returns waits for the
 * next turn and takes it
 */
export function requestTurns(documents: DocumentStore, supplier: string, perSecond: number): () => Promise<void> {
  const collection = documents.collection<Turns>(REQUEST_TURNS);
  const queue = new KeyedQueue();
  const reserve = (): Promise<number> =>
    compareAndSet(documents, "The turn to ask a supplier", async () => {
      const storedTurn = await collection.findOne({ _id: supplier });
      const now = Date.now();
      const turn = Math.min(Math.max(now, storedTurn?.nextAt.getTime() ?? 0), now + LONGEST_WAIT);
      const next = { _id: supplier, nextAt: new Date(turn + 1_000 / perSecond) };
      return { conditions: [createReplacement(REQUEST_TURNS, storedTurn, "nextAt", next)], result: turn };
    });

  return () => queue.run(supplier, async () => delay(Math.max(0, (await reserve()) - Date.now())));
}
