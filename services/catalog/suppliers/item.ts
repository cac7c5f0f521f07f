import { LONGEST_MACHINE } from "@partline/parts-search";
import { type Cents, hasControlCharacter, HIGHEST_PRICE, isWholeCents, toCents } from "@partline/parts-language";
import { checkFits, MOST_LISTED_FITS, readHttpUrl, readWeight } from "../part-checks.ts";
import type { Remark } from "@partline/price-files";
import { createRemark } from "../remarks.ts";

const MAX_IMAGES = 20;
const MAX_QUANTITY = 1_000_000_000;

export type Fields = Readonly<Record<string, unknown>>;

/** Names the field, quotes nothing. */
export class UnusableItem extends Error {
  readonly remark: Remark;

  constructor(fault: Remark) {
    super(fault.text);
    this.remark = fault;
  }
}

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

  refuse(field: string, fault: Remark): never {
    throw new UnusableItem(fault.locate(field, "the field"));
  }

  readText(field: string, longest: number): string {
    return toText(this.getValue(field), longest) ?? this.refuse(field, createRemark("field_not_text", { longest }));
  }

  readOptionalText(field: string, longest: number): string {
    const value = this.getValue(field) ?? "";
    return value === "" ? "" : (toText(value, longest) ?? this.refuse(field, createRemark("field_not_optional_text")));
  }

  readOneOf<const T extends string>(field: string, values: readonly T[]): T {
    const value = values.find((candidate) => candidate === this.getValue(field));
    return value ?? this.refuse(field, createRemark("field_not_one_of", { values: values.join(" or ") }));
  }

  readFlag(field: string): boolean {
    const value = this.getValue(field) ?? false;
    return typeof value === "boolean" ? value : this.refuse(field, createRemark("field_not_flag"));
  }

  readOptionalFlag(field: string): boolean | undefined {
    return this.getValue(field) === undefined ? undefined : this.readFlag(field);
  }

  readPrice(field: string): Cents | null {
    return this.#readCents(field, "field_not_price", (value) => (typeof value === "number" ? value : Number.NaN));
  }

  readPriceInText(field: string): Cents | null {
    return this.#readCents(field, "field_not_price_text", (value) =>
      typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN,
    );
  }

  #readCents(
    field: string,
    fault: "field_not_price" | "field_not_price_text",
    toAmount: (value: unknown) => number,
  ): Cents | null {
    const value = this.getValue(field);
    if (value === undefined) return null;
    const amount = toAmount(value);
    const cents = isWholeCents(amount) ? toCents(amount) : 0;
    if (cents >= 1 && cents <= HIGHEST_PRICE) return cents;
    return this.refuse(field, createRemark(fault));
  }

  /** Prices must be in USD if the field names a currency. */
  assertUsd(field: string): void {
    const value = this.getValue(field) ?? "USD";
    if (typeof value !== "string" || value.toUpperCase() !== "USD")
      this.refuse(field, createRemark("field_not_one_of", { values: "USD" }));
  }

  /** Whole, at least 0: a supplier may have oversold. */
  readQuantity(field: string): number | undefined {
    const value = this.getValue(field);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !(Math.abs(value) <= MAX_QUANTITY))
      this.refuse(field, createRemark("field_not_quantity"));
    return Math.max(0, Math.floor(value));
  }

  /** Grams, of text with a unit. */
  readWeight(field: string): number | undefined {
    const value = this.getValue(field);
    if (value === undefined) return undefined;
    return (
      (typeof value === "string" ? readWeight(value.trim()) : undefined) ??
      this.refuse(field, createRemark("field_not_weight"))
    );
  }

  /** Undefined if absent: what is known stays. */
  readFits(field: string): string[] | undefined {
    const value = this.getValue(field);
    if (value === undefined) return undefined;
    const values = { longest: LONGEST_MACHINE, most: MOST_LISTED_FITS };
    return checkFits(value) ?? this.refuse(field, createRemark("field_not_fits", values));
  }

  readUrls(field: string): string[] {
    const value = this.getValue(field) ?? [];
    const entries: unknown[] = Array.isArray(value) && value.length <= MAX_IMAGES ? value : [undefined];
    const urls = entries.map((url) => (typeof url === "string" ? readHttpUrl(url) : undefined));
    if (urls.every((url) => url !== undefined)) return urls;
    return this.refuse(field, createRemark("field_not_addresses", { most: MAX_IMAGES }));
  }
}

/** Trims a text, with one space between words; undefined if blank, too long or with control characters. */
export function toText(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/\s+/g, " ");
  return text === "" || text.length > longest || hasControlCharacter(text) ? undefined : text;
}
