import { asList, asObject } from "../../mixins/http-client/answer.ts";
import { HIGHEST_PRICE, isWholeCents, toCents, type Cents } from "../../mixins/money.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";

/** The dealer inventory system's word on a part. */
export type DisValue =
  | { found: true; /** Null where it has none. */ price: Cents | null; available: boolean; quantity: number }
  | { found: false };

/** A manufacturer code and part number in one form, whatever case and spelling an answer has. */
export function partKey(code: string, partNumber: string): string {
  const number = partNumber.trim().toUpperCase();
  return `${code.trim().toUpperCase()} ${normalizePartNumber(number) || number}`;
}

/**
 * Returns the values of an answer by `partKey` of the parts asked. A part is missing if its row is malformed, its rows
 * contradict each other, or it has none while some row names no part.
 * @throws UnreadableAnswer when the answer is no list of parts at all
 */
export function readAnswer(answer: unknown, asked: readonly string[]): Map<string, DisValue> {
  const rows = asList(asObject(answer, "the answer").Parts, "Parts").map(readRow);
  const someUnnamed = rows.some(({ key }) => key === undefined);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return new Map(
    asked.flatMap((key): [string, DisValue][] => {
      const named = byKey.get(key);
      const value = named ? agreed(named) : someUnnamed ? undefined : ({ found: false } as const);
      return value ? [[key, value]] : [];
    }),
  );
}

interface Row {
  key?: string;
  value?: DisValue;
}

function readRow(row: unknown): Row {
  if (typeof row !== "object" || row === null) return {};
  const { ManufacturerCode, PartNumber, Price, Available, QtyOnHand } = row as Partial<Record<string, unknown>>;
  if (typeof ManufacturerCode !== "string" || typeof PartNumber !== "string" || PartNumber.trim() === "") return {};
  const key = partKey(ManufacturerCode, PartNumber);
  const price = readPrice(Price);
  if (
    price === undefined ||
    typeof Available !== "boolean" ||
    typeof QtyOnHand !== "number" ||
    !Number.isFinite(QtyOnHand)
  )
    return { key };
  // Overselling makes a stock negative, an opened package a fraction: neither can be sold.
  return { key, value: { found: true, price, available: Available, quantity: Math.max(0, Math.floor(QtyOnHand)) } };
}

/** Cents; null for 0, which means no price, and undefined for a malformed price. */
function readPrice(price: unknown): Cents | null | undefined {
  if (typeof price !== "number" || !(price >= 0) || !isWholeCents(price)) return undefined;
  const cents = toCents(price);
  if (cents > HIGHEST_PRICE) return undefined;
  return cents === 0 ? null : cents;
}

/** The value on which all usable rows agree. */
function agreed(rows: readonly Row[]): DisValue | undefined {
  const values = rows.flatMap(({ value }) => value ?? []);
  const [first] = values;
  return values.every((value) => JSON.stringify(value) === JSON.stringify(first)) ? first : undefined;
}
