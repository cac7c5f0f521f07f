import { HIGHEST_PRICE, isWholeCents, toCents, type Cents } from "../../../mixins/money.ts";
import { WHEELS_AND_TIRES } from "../../../mixins/tires.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { hasControlCharacter, MAX_LENGTH, readHttpUrl } from "../part-checks.ts";
import { partId } from "../part-number.ts";
import type { PartContent, TireKind } from "../part.ts";
import type { Vendor } from "../vendors.ts";

export type TireItem =
  | { id: string; content: PartContent; reason?: undefined }
  /** `id` where the item's number can be read all the same: it is listed, whatever else is wrong with it. */
  | { id?: string; reason: string; content?: undefined };

const KINDS: readonly TireKind[] = ["Tires", "Wheels"];
const MAX_IMAGES = 20;
const MAX_QUANTITY = 1_000_000_000;

/**
 * What an item of the supplier's listing says of a part, or why it cannot be used; the reason names the field and
 * quotes nothing but the number.
 */
export function readTireItem(vendor: Vendor, item: unknown): TireItem {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return { reason: "The item is not an object" };
  const fields = item as Readonly<Record<string, unknown>>;
  const itemNumber = textOf(fields.itemNumber, MAX_LENGTH.partNumber);
  const pnNorm = normalizePartNumber(itemNumber ?? "");
  if (itemNumber === undefined || pnNorm === "")
    return { reason: "The field 'itemNumber' must be text with a letter or digit" };

  const id = partId(vendor.code, pnNorm);
  const refuse = (field: string, must: string): TireItem => ({
    id,
    reason: `${itemNumber}: the field '${field}' must be ${must}`,
  });
  const description = textOf(fields.description, MAX_LENGTH.title);
  if (description === undefined) return refuse("description", `text of at most ${MAX_LENGTH.title} characters`);
  const brand = textOf(fields.brand, MAX_LENGTH.brand);
  if (brand === undefined) return refuse("brand", `text of at most ${MAX_LENGTH.brand} characters`);
  const kind = KINDS.find((known) => known === fields.category);
  if (!kind) return refuse("category", "Tires or Wheels");
  const size =
    fields.size === undefined || fields.size === null || fields.size === ""
      ? ""
      : textOf(fields.size, MAX_LENGTH.title);
  if (size === undefined) return refuse("size", "text, or left out");
  const price = priceOf(fields.price);
  if (price === undefined) return refuse("price", "0.01 to 999,999.99 with at most two decimals, or null");
  const currency = fields.currency ?? "USD";
  if (typeof currency !== "string" || currency.toUpperCase() !== "USD") return refuse("currency", "USD");
  const quantity = fields.quantityOnHand ?? undefined;
  if (quantity !== undefined && !isQuantity(quantity)) return refuse("quantityOnHand", "a number, or left out");
  const imageUrls = readUrls(fields.images ?? []);
  if (!imageUrls) return refuse("images", `a list of at most ${MAX_IMAGES} http(s) addresses`);
  const discontinued = fields.discontinued ?? false;
  if (typeof discontinued !== "boolean") return refuse("discontinued", "true or false");
  return {
    id,
    content: {
      partNumber: itemNumber,
      title: description.includes(size) ? description : `${description}, ${size}`.slice(0, MAX_LENGTH.title),
      manufacturer: { name: brand, code: vendor.code },
      category: WHEELS_AND_TIRES,
      kind,
      price,
      imageUrls,
      status: discontinued ? "discontinued" : "active",
      // Below nothing, more was sold than there is.
      ...(quantity === undefined ? {} : { quantityOnHand: Math.max(0, Math.floor(quantity)) }),
    },
  };
}

/** Trimmed, white space run together; undefined when it is no text, blank, too long, or has a control character. */
function textOf(value: unknown, longest: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim().replace(/\s+/g, " ");
  return text === "" || text.length > longest || hasControlCharacter(text) ? undefined : text;
}

/** Cents; null when there is none, undefined when it is no price. */
function priceOf(value: unknown): Cents | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !isWholeCents(value)) return undefined;
  const cents = toCents(value);
  return cents >= 1 && cents <= HIGHEST_PRICE ? cents : undefined;
}

function isQuantity(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_QUANTITY;
}

/** Undefined when it is no list of addresses. */
function readUrls(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_IMAGES) return undefined;
  const urls = value.map((url) => (typeof url === "string" ? readHttpUrl(url) : undefined));
  return urls.every((url) => url !== undefined) ? urls : undefined;
}
