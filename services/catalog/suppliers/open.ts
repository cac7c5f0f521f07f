import { TokenBucket } from "limiter";
import { createHttpClient, type HttpClientOptions } from "../../../mixins/http-client/http-client.ts";
import type { SupplierSettings } from "../../../broker/settings/suppliers.ts";
import { SYNC_RETRY } from "../syncs/supplier-retry.ts";
import { vendorByCode, type Vendor } from "../vendors.ts";
import type { ListedPage, PageAsked, Supplier } from "./port.ts";

export interface OpenSupplier {
  supplier: Supplier;
  vendor: Vendor;
  /** Path segment of its routes. */
  slug: string;
  /** @throws TIMEOUT or PROVIDER_ERROR after all retries within `deadlineMs` */
  page(asked: PageAsked, deadlineMs: number): Promise<ListedPage>;
  /** Stops retries. */
  close(): void;
}

type RequestPolicy = Pick<HttpClientOptions, "attemptTimeoutMs" | "retry" | "breaker">;

const REQUEST_POLICY: RequestPolicy = {
  attemptTimeoutMs: 15_000,
  retry: { retries: 5, baseMs: 500, maxMs: 10_000, maxRetryAfterMs: 60_000 },
  // More than three pages in flight can lose.
  breaker: { failures: 30, openMs: SYNC_RETRY.pauseMs },
};

interface OpenOptions extends Pick<HttpClientOptions, "onFailure" | "watchCircuit"> {
  /** Waits until the process may send a request or a retry. */
  turn: () => Promise<void>;
}

export function openSupplier(
  supplier: Supplier,
  { url, apiKey, slug }: Pick<SupplierSettings, "url" | "apiKey" | "slug">,
  { turn, onFailure, watchCircuit }: OpenOptions,
  policy: RequestPolicy = REQUEST_POLICY,
): OpenSupplier {
  let isClosed = false;
  // A bucket of one: late turns, which come close together, are spread again.
  const tokens = new TokenBucket({
    bucketSize: 1,
    tokensPerInterval: supplier.requestsPerSecond,
    interval: "second",
  });
  const client = createHttpClient({
    ...policy,
    ...(onFailure ? { onFailure } : {}),
    watchCircuit,
    provider: supplier.title,
    baseUrl: url,
    headers: supplier.headers(apiKey),
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
    vendor: vendorByCode(supplier.code),
    slug,
    close: () => {
      isClosed = true;
    },
    page: (asked, deadlineMs) =>
      supplier.list((path, query, read) => client.request({ method: "GET", path, query, deadlineMs, read }), asked),
  };
}
