import { createHttpClient, type HttpClientOptions } from "../../mixins/http-client/http-client.ts";
import { partKey, readAnswer, type DisValue } from "./answer.ts";
import type { DisVendor } from "./routing.ts";

export interface DisSettings {
  url: string;
  apiKey: string;
  dealerId: string;
}

export interface DisPart {
  code: DisVendor;
  partNumber: string;
}

export interface DisClient {
  /**
   * One request for at most `BATCH` parts. Returns values by `disKey`; a part without a usable answer is missing.
   * @throws as an HTTP client does
   */
  inquire(parts: readonly DisPart[]): Promise<Map<string, DisValue>>;
}

/** Parts in one request. */
export const BATCH = 50;

/** Internal BNS is `B&S` there; every other code is the same. */
export function toDisCode(code: DisVendor): string {
  return code === "BNS" ? "B&S" : code;
}

export function disKey({ code, partNumber }: DisPart): string {
  return partKey(toDisCode(code), partNumber);
}

export function createDisClient(
  { url, apiKey, dealerId }: DisSettings,
  watch: Pick<HttpClientOptions, "onFailure" | "watchCircuit">,
): DisClient {
  const http = createHttpClient({
    ...watch,
    provider: "dealer inventory system",
    baseUrl: url,
    headers: { "x-api-key": apiKey },
    attemptTimeoutMs: 4_000,
    deadlineMs: 12_000,
    retry: { retries: 2, baseMs: 200, maxMs: 2_000, maxRetryAfterMs: 5_000 },
    breaker: { failures: 5, openMs: 5_000 },
    maxAnswerBytes: 1_000_000,
  });
  return {
    inquire: (parts) =>
      http.request({
        method: "POST",
        path: "/report-api/api/partsStore/partsInquiry",
        body: {
          DealerId: dealerId,
          Parts: parts.map(({ code, partNumber }) => ({
            ManufacturerCode: toDisCode(code),
            PartNumber: partNumber.trim(),
          })),
        },
        // It only reads.
        idempotent: true,
        read: (answer) => readAnswer(answer, parts.map(disKey)),
      }),
  };
}
