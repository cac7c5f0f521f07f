import { TokenBucket } from "limiter";
import { asList, asObject } from "../../../mixins/http-client/answer.ts";
import { UnreadableAnswer } from "../../../mixins/http-client/errors.ts";
import { createHttpClient, type HttpClientOptions } from "../../../mixins/http-client/http-client.ts";
import { SYNC_RETRY } from "../syncs/supplier-retry.ts";

/** A page of the supplier's listing, its items unread. */
export interface TirePage {
  page: number;
  /** As the supplier made it, which may be smaller than was asked for. */
  pageSize: number;
  total: number;
  totalPages: number;
  items: readonly unknown[];
}

export interface TireSupplier {
  /**
   * Asks for one page, from 1.
   * @throws TIMEOUT or PROVIDER_ERROR, when it could not be had in `deadlineMs` with all retries
   */
  page(page: number, pageSize: number, deadlineMs: number): Promise<TirePage>;
  /** What is under way is not tried again. */
  close(): void;
}

/** Specification, section 8; of all processes together. */
export const REQUESTS_PER_SECOND = 10;

type RequestPolicy = Pick<HttpClientOptions, "attemptTimeoutMs" | "retry" | "breaker">;

const REQUEST_POLICY: RequestPolicy = {
  attemptTimeoutMs: 15_000,
  retry: { retries: 5, baseMs: 500, maxMs: 10_000, maxRetryAfterMs: 60_000 },
  // More than the tries that three pages in flight may all lose by themselves.
  breaker: { failures: 30, openMs: SYNC_RETRY.pauseMs },
};

export interface TireSupplierOptions extends Pick<HttpClientOptions, "onFailure" | "watchCircuit"> {
  url: string;
  apiKey: string;
  /** Waits until the process may send a request, a retry too. */
  turn: () => Promise<void>;
}

/** The tire supplier's API; one of these a process. */
export function createTireSupplier(
  { url, apiKey, turn, onFailure, watchCircuit }: TireSupplierOptions,
  policy: RequestPolicy = REQUEST_POLICY,
): TireSupplier {
  let isClosed = false;
  // Without a stock of tokens: late turns, which come close together, are kept apart again.
  const tokens = new TokenBucket({ bucketSize: 1, tokensPerInterval: REQUESTS_PER_SECOND, interval: "second" });
  const client = createHttpClient({
    ...policy,
    ...(onFailure ? { onFailure } : {}),
    watchCircuit,
    provider: "tire supplier",
    baseUrl: url,
    headers: { "X-API-KEY": apiKey },
    deadlineMs: 60_000,
    maxAnswerBytes: 16 * 1024 * 1024,
    rateLimit: async () => {
      await turn();
      await tokens.removeTokens(1);
      if (isClosed) throw new Error("The tire supplier is not asked any more: this process stops");
    },
  });
  return {
    close: () => {
      isClosed = true;
    },
    page: (page, pageSize, deadlineMs) =>
      client.request({
        method: "GET",
        path: "/v1/tires",
        query: { page, pageSize },
        deadlineMs,
        read: (answer) => readPage(answer, page, pageSize),
      }),
  };
}

function readPage(answer: unknown, page: number, asked: number): TirePage {
  const fields = asObject(answer, "the answer");
  const items = asList(fields.items, "items");
  const total = wholeNumber(fields.total, "total");
  const pageSize = fields.pageSize === undefined ? asked : Math.max(1, wholeNumber(fields.pageSize, "pageSize"));
  const totalPages =
    fields.totalPages === undefined ? Math.ceil(total / pageSize) : wholeNumber(fields.totalPages, "totalPages");
  if (fields.page !== undefined && fields.page !== page)
    throw new UnreadableAnswer("page is not the one that was asked for");
  return { page, pageSize, total, totalPages, items };
}

function wholeNumber(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new UnreadableAnswer(`${what} is not a whole number from 0`);
  return value as number;
}
