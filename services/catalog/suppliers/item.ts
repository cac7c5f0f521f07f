import { type Cents, HIGHEST_PRICE, isWholeCents, normalizePartNumber, toCents } from "@partline/parts-language";
import {
  hasControlCharacter,
  MAX_LENGTH,
  readHttpUrl,
  readPartNumber,
  readWeight,
  WEIGHT_WORDS,
} from "../part-checks.ts";
import type { PartNews } from "../part.ts";
import { toPartId } from "../part-number.ts";
import type { Supplier } from "./port.ts";

const MAX_IMAGES = 20;
const MAX_QUANTITY = 1_000_000_000;

type Fields = Readonly<Record<string, unknown>>;

/** Names the field, quotes nothing. */
class UnusableItem extends Error {}

/** Checked reads of an item's fields; each throws if the value is unusable. */
export class ItemFields {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  /** Null is undefined. */
  getValue(field: string): unknown {
    return this.#fields[field] ?? undefined;
  }

  refuse(field: string, must: string): never {
    throw new UnusableItem(`the field '${field}' must be ${must}`);
  }

  readText(field: string, longest: number): string {
    return toText(this.getValue(field), longest) ?? this.refuse(field, `text of at most ${longest} characters`);
  }

  readOptionalText(field: string, longest: number): string {
    const value = this.getValue(field) ?? "";
    return value === "" ? "" : (toText(value, longest) ?? this.refuse(field, "text, or left out"));
  }

  readOneOf<const T extends string>(field: string, values: readonly T[]): T {
    return values.find((candidate) => candidate === this.getValue(field)) ?? this.refuse(field, values.join(" or "));
  }

  readFlag(field: string): boolean {
    const value = this.getValue(field) ?? false;
    return typeof value === "boolean" ? value : this.refuse(field, "true or false");
  }

  readOptionalFlag(field: string): boolean | undefined {
    return this.getValue(field) === undefined ? undefined : this.readFlag(field);
  }

  readPrice(field: string): Cents | null {
    return this.#readCents(field, "", (value) => (typeof value === "number" ? value : Number.NaN));
  }

  readPriceInText(field: string): Cents | null {
    return this.#readCents(field, " as text", (value) =>
      typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN,
    );
  }

  #readCents(field: string, form: string, toAmount: (value: unknown) => number): Cents | null {
    const value = this.getValue(field);
    if (value === undefined) return null;
    const amount = toAmount(value);
    const cents = isWholeCents(amount) ? toCents(amount) : 0;
    if (cents >= 1 && cents <= HIGHEST_PRICE) return cents;
    return this.refuse(field, `0.01 to 999,999.99 with at most two decimals${form}, or null`);
  }

  /** Prices must be in USD if the field names a currency. */
  assertUsd(field: string): void {
    const value = this.getValue(field) ?? "USD";
    if (typeof value !== "string" || value.toUpperCase() !== "USD") this.refuse(field, "USD");
  }

  /** Whole, at least 0: a supplier may have oversold. */
  readQuantity(field: string): number | undefined {
    const value = this.getValue(field);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !(Math.abs(value) <= MAX_QUANTITY)) this.refuse(field, "a number, or left out");
    return Math.max(0, Math.floor(value));
  }

  /** Grams, of text with a unit. */
  readWeight(field: string): number | undefined {
    const value = this.getValue(field);
    if (value === undefined) return undefined;
    return (typeof value === "string" ? readWeight(value.trim()) : undefined) ?? this.refuse(field, WEIGHT_WORDS);
  }

  readUrls(field: string): string[] {
    const value = this.getValue(field) ?? [];
    const entries: unknown[] = Array.isArray(value) && value.length <= MAX_IMAGES ? value : [undefined];
    const urls = entries.map((url) => (typeof url === "string" ? readHttpUrl(url) : undefined));
    if (urls.every((url) => url !== undefined)) return urls;
    return this.refuse(field, `a list of at most ${MAX_IMAGES} http(s) addresses`);
  }
}

/** Returns what an item says, or why it is of no use: with `id` if its number is readable, as then it is listed. */
export function readItem(
  { code, numberField, toPart }: Supplier,
  item: unknown,
): { id: string; news: PartNews; reason?: undefined } | { id?: string; reason: string; news?: undefined } {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return { reason: "The item is not an object" };
  const text = toText((item as Fields)[numberField], MAX_LENGTH.partNumber);
  const number = text === undefined ? "must be text with a letter or digit" : readPartNumber(text);
  if (typeof number === "string") return { reason: `The field '${numberField}' ${number}` };
  const { partNumber } = number;
  const id = toPartId(code, normalizePartNumber(partNumber));
  try {
    const { maker, ...news } = toPart(new ItemFields(item as Fields));
    return { id, news: { partNumber, ...news, manufacturer: { name: maker, code } } };
  } catch (error) {
    if (!(error instanceof UnusableItem)) throw error;
    return { id, reason: `${partNumber}: ${error.message}` };
  }
}

/** Trimmed, one space between words; undefined if blank, too long or with control characters. */
function toText(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/\s+/g, " ");
  return text === "" || text.length > longest || hasControlCharacter(text) ? undefined : text;
}
