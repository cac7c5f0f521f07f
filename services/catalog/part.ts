import { hash } from "node:crypto";
import type { Infer } from "../../broker/contract/rules.ts";
import { availabilityOf } from "../../mixins/availability.ts";
import type { Document } from "../../mixins/document-store/port.ts";
import { toDecimal, type Cents } from "../../mixins/money.ts";
import type { PartStatus } from "../../mixins/part-status.ts";
import { WHEELS_AND_TIRES } from "../../mixins/tires.ts";
import type { catalogPartRule, indexedPartRule } from "./resources.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { partId, skuOf, skuVariantsOf, slugOf } from "./part-number.ts";
import { vendorByCode, type Vendor } from "./vendors.ts";

export type TireKind = "Tires" | "Wheels";
/** `price_file`, `dis`, or the id of a supplier. */
export type Source = string;

export const DEFAULT_CATEGORY = "parts";

/** What is known of a part from the sources that tell what it is. Everything else in the document follows from it. */
export interface PartContent {
  partNumber: string;
  title: string;
  description?: string;
  manufacturer: { name: string; code: string };
  category: string;
  kind?: TireKind;
  /** Whole cents of list price; null when there is none. */
  price: Cents | null;
  imageUrls: string[];
  status: PartStatus;
  supersededBy?: string;
  /** Left out by a source that tells no stock. */
  quantityOnHand?: number;
}

export interface Stock {
  quantityOnHand: number;
  /** What the dealer says beside the quantity. */
  available?: boolean;
  /** When it became this; being told the same again changes nothing. */
  learntAt: Date;
}

/** What the dealer says of a part now. Null is what it does not tell. */
export interface Observation {
  /** False: it does not have the part, and what it said of its stock is out of date. */
  found: boolean;
  price: Cents | null;
  quantity: number | null;
  available: boolean | null;
}

/** A part as it is stored; `_id` is its id. */
export interface PartDocument extends Document, Omit<PartContent, "imageUrls" | "quantityOnHand"> {
  slug: string;
  sku: string;
  skuVariants: string[];
  pnNorm: string;
  media?: { hasImages: boolean; imageCount: number; images?: { url: string; type: string }[] };
  sources: Source[];
  stock?: Stock;
  /** Id of the part that `supersededBy` names, whether there is one or not. */
  successorId?: string;
  /** What the content says it costs, where `price` is the dealer's and differs: told again, it is no news. */
  replacedPrice?: Cents | null;
  /** Of the content: a part whose hash is the same is not rewritten. */
  contentHash: string;
  /** Ascending number of the change that wrote it, among the vendor's changes. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

interface Change {
  source: Source;
  now: Date;
  revision: number;
}

/** The document of a part that a source tells of, new or in the place of the one that is there. */
export function toDocument(
  vendor: Vendor,
  content: PartContent,
  change: Change & { previous?: PartDocument },
): PartDocument {
  const { imageUrls, quantityOnHand, ...rest } = content;
  const { previous, source, now, revision } = change;
  const pnNorm = normalizePartNumber(content.partNumber);
  const id = partId(vendor.code, pnNorm);
  // A file that tells the price which the dealer's has replaced brings no news of it.
  const keepsPrice = previous?.replacedPrice !== undefined && previous.replacedPrice === content.price;
  const stock =
    quantityOnHand === undefined ? previous?.stock : withQuantity(previous?.stock, { quantityOnHand, learntAt: now });
  return {
    _id: id,
    ...rest,
    ...(keepsPrice ? { price: previous.price, replacedPrice: previous.replacedPrice } : {}),
    slug: slugOf(content.title, id),
    sku: skuOf(vendor.code, content.partNumber),
    skuVariants: skuVariantsOf(vendor.code, content.partNumber),
    pnNorm,
    media: {
      hasImages: imageUrls.length > 0,
      imageCount: imageUrls.length,
      ...(imageUrls.length > 0 ? { images: imageUrls.map((url) => ({ url, type: "product" })) } : {}),
    },
    ...(stock ? { stock } : {}),
    ...(content.supersededBy === undefined
      ? {}
      : { successorId: partId(vendor.code, normalizePartNumber(content.supersededBy)) }),
    sources: withSource(previous?.sources ?? [], source),
    contentHash: contentHash(content),
    revision,
    createdAt: previous?.createdAt ?? now,
    updatedAt: now,
  };
}

/** What the content says that the part costs, whatever the dealer has said since. */
export function toldPrice({ price, replacedPrice }: PartDocument): Cents | null {
  return replacedPrice === undefined ? price : replacedPrice;
}

/**
 * The part with the dealer's price and stock, or undefined when they are known. Of a part that the dealer does not have
 * no stock is known.
 */
export function observed(
  part: PartDocument,
  { found, price, quantity, available }: Observation,
  { source, now, revision }: Change,
): PartDocument | undefined {
  const { replacedPrice: _replacedPrice, stock: knownStock, ...rest } = part;
  if (!found) {
    const { stock, ...without } = part;
    return stock && { ...without, revision, updatedAt: now };
  }
  const said = toldPrice(part);
  const newPrice = price ?? part.price;
  const stock =
    quantity === null
      ? knownStock
      : withQuantity(knownStock, {
          quantityOnHand: quantity,
          ...(available === null ? {} : { available }),
          learntAt: now,
        });
  if (newPrice === part.price && stock === knownStock && part.sources.includes(source)) return undefined;
  return {
    ...rest,
    price: newPrice,
    ...(newPrice === said ? {} : { replacedPrice: said }),
    ...(stock ? { stock } : {}),
    sources: withSource(part.sources, source),
    revision,
    updatedAt: now,
  };
}

/**
 * The part as its supplier no longer lists it, or undefined when it is known for gone. Listed again as it was, it is
 * news.
 */
export function unlisted(part: PartDocument, { now, revision }: Omit<Change, "source">): PartDocument | undefined {
  const { stock, ...rest } = part;
  if (part.status === "discontinued" && !stock) return undefined;
  return { ...rest, status: "discontinued", contentHash: "", revision, updatedAt: now };
}

function withQuantity(known: Stock | undefined, told: Stock): Stock {
  return known && known.quantityOnHand === told.quantityOnHand && known.available === told.available ? known : told;
}

function withSource(sources: readonly Source[], source: Source): Source[] {
  return [...new Set([...sources, source])];
}

/**
 * What a document looks like that is made of a content: counted up, every part is written anew when its content comes
 * again.
 */
const FORM = 2;

/** Equal for equal content, whatever the order of its fields. */
export function contentHash(content: PartContent): string {
  const entries = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([FORM, entries]), "base64url");
}

/** `Tires`, `wheels` and `WHEELS & TIRES` are one category with a kind; any other category has none. */
export function readCategory(category: string): { category: string; kind?: TireKind } {
  const folded = category.toLowerCase();
  if (folded === "tires" || folded === "tire") return { category: WHEELS_AND_TIRES, kind: "Tires" };
  if (folded === "wheels" || folded === "wheel") return { category: WHEELS_AND_TIRES, kind: "Wheels" };
  if (folded === WHEELS_AND_TIRES.toLowerCase()) return { category: WHEELS_AND_TIRES };
  return { category: category === "" ? DEFAULT_CATEGORY : category };
}

/** The part as clients see it: the specification's IndexedPart, its price decimal and left out when there is none. */
export function toIndexedPart(document: PartDocument): Infer<typeof indexedPartRule> {
  const { price, ...fields } = publicFields(document);
  return price === null ? fields : { ...fields, price: { list: { value: toDecimal(price), currency: "usd" } } };
}

/** The part as services pass it, with the names that its vendor goes by. */
export function toCatalogPart(document: PartDocument): Infer<typeof catalogPartRule> {
  const vendor = vendorByCode(document.manufacturer.code);
  return {
    ...publicFields(document),
    vendorName: vendor.name,
    vendorAliases: [...vendor.aliases],
    ...(document.kind ? { kind: document.kind } : {}),
    revision: document.revision,
  };
}

function publicFields(document: PartDocument) {
  const {
    _id,
    contentHash: _contentHash,
    revision: _revision,
    kind: _kind,
    replacedPrice: _replacedPrice,
    successorId: _successorId,
    stock,
    ...fields
  } = document;
  return {
    id: _id,
    ...fields,
    availability: availabilityOf({ quantity: stock?.quantityOnHand ?? null, available: stock?.available }),
    ...(stock ? { stock: { quantityOnHand: stock.quantityOnHand, learntAt: stock.learntAt } } : {}),
  };
}
