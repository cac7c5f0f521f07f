import { asList, asObject, type HttpClientOptions, createHttpClient } from "@partline/http-client";
import {
  type Cents,
  HIGHEST_PRICE,
  isWholeCents,
  normalizePartNumber,
  toCents,
  VENDOR_CODES,
  type VendorCode,
} from "@partline/parts-language";

export interface DisPart {
  code: DisVendor;
  partNumber: string;
}

export type DisClient = ReturnType<typeof createDisClient>;

/** Parts in one request. */
export const BATCH = 50;

/** Returns the DIS code of a vendor: BNS is `B&S` there; every other code is the same. */
export function toDisCode(code: DisVendor): string {
  return code === "BNS" ? "B&S" : code;
}

export function toDisKey({ code, partNumber }: DisPart): string {
  return toPartKey(toDisCode(code), partNumber);
}

export function createDisClient(
  { url, apiKey, dealerId }: { url: string; apiKey: string; dealerId: string },
  watch: Pick<HttpClientOptions, "onFailure" | "watchCircuit">,
) {
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
    /**
     * Sends one request for at most `BATCH` parts. Returns values by `toDisKey`; a part without a usable answer is
     * missing. @throws as an HTTP client does
     */
    inquire: (parts: readonly DisPart[]): Promise<Map<string, DisValue>> =>
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
        read: (answer) => readAnswer(answer, parts.map(toDisKey)),
      }),
  };
}

/** A vendor of the dealer inventory system, by its internal code. */
type DisVendor = VendorCode<"dis">;

/**
 * Parts of the BNS collection that are asked about as another vendor's, by their number in upper case. Source:
 * specification, "Routing rules".
 */
const BNS_RULES: readonly { pattern: RegExp; to: DisVendor }[] = [
  { pattern: /^\d{2}\.[0-9A-Z]{4}$/, to: "VNT" },
  { pattern: /^(?:BER|F350|(?:790|614|713)\d{3}$)/, to: "NHL" },
];

/**
 * Returns the vendor, by its internal code, as which the dealer inventory system is asked about a part; null if it is
 * not asked (price files, the tire supplier). Takes the code in any case.
 */
export function routeToDis(vendor: string, partNumber: string): DisVendor | null {
  const code = VENDOR_CODES.dis.find((vendorCode) => vendorCode === vendor.toUpperCase());
  if (code !== "BNS") return code ?? null;
  const number = partNumber.trim().toUpperCase();
  return BNS_RULES.find(({ pattern }) => pattern.test(number))?.to ?? "BNS";
}

/** The dealer inventory system's word on a part. */
export type DisValue =
  | { found: true; /** Null where it has none. */ price: Cents | null; available: boolean; quantity: number }
  | { found: false };

/** Returns a manufacturer code and part number in one form for every case and spelling of an answer. */
export function toPartKey(code: string, partNumber: string): string {
  const number = partNumber.trim().toUpperCase();
  return `${code.trim().toUpperCase()} ${normalizePartNumber(number) || number}`;
}

/**
 * Returns the values of an answer by `toPartKey` of the parts asked. A part is missing if its row is malformed, its
 * rows contradict each other, or it has none while some row names no part. @throws UnreadableAnswer when the answer is
 * no list of parts at all
 */
export function readAnswer(answer: unknown, keys: readonly string[]): Map<string, DisValue> {
  const rows = asList(asObject(answer, "the answer").Parts, "Parts").map(readRow);
  const someUnnamed = rows.some(({ key }) => key === undefined);
  const rowsByKey = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    keys.flatMap((key): [string, DisValue][] => {
      const partRows = rowsByKey.get(key);
      const value = partRows ? findAgreedValue(partRows) : someUnnamed ? undefined : ({ found: false } as const);
      return value ? [[key, value]] : [];
    }),
  );
}

type Row = { key?: string; value?: DisValue };

function readRow(row: unknown): Row {
  if (typeof row !== "object" || row === null) return {};
  const { ManufacturerCode, PartNumber, Price, Available, QtyOnHand } = row as Partial<Record<string, unknown>>;
  if (typeof ManufacturerCode !== "string" || typeof PartNumber !== "string" || PartNumber.trim() === "") return {};
  const key = toPartKey(ManufacturerCode, PartNumber);
  const price = readPrice(Price);
  if (price === undefined || typeof Available !== "boolean" || !Number.isFinite(QtyOnHand)) return { key };
  // Overselling makes a stock negative, an opened package a fraction: neither can be sold.
  return {
    key,
    value: { found: true, price, available: Available, quantity: Math.max(0, Math.floor(QtyOnHand as number)) },
  };
}

/** Reads a price in cents; null for 0, which means no price, and undefined for a malformed one. */
function readPrice(price: unknown): Cents | null | undefined {
  if (typeof price !== "number" || !(price >= 0) || !isWholeCents(price)) return undefined;
  const cents = toCents(price);
  if (cents > HIGHEST_PRICE) return undefined;
  return cents === 0 ? null : cents;
}

/** Finds the value on which all usable rows agree. */
function findAgreedValue(rows: readonly Row[]): DisValue | undefined {
  const values = rows.flatMap(({ value }) => value ?? []);
  const [first] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : undefined;
}
