import { hash } from "node:crypto";
import type { Infer } from "../../broker/contract/rules.ts";
import type { Document } from "../../mixins/document-store/port.ts";
import { toDecimal, type Cents } from "../../mixins/money.ts";
import type { catalogPartRule, indexedPartRule } from "./contract.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { partId, skuOf, skuVariantsOf, slugOf } from "./part-number.ts";
import { vendorByCode, type Vendor } from "./vendors.ts";

export type PartStatus = "active" | "discontinued";
export type TireKind = "Tires" | "Wheels";
export type Source = "price_file" | "dis" | "tire_supplier";

export const WHEELS_AND_TIRES = "Wheels & Tires";
export const DEFAULT_CATEGORY = "parts";

/** What a source says of a part. Everything else in the document follows from it. */
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
}

/** A part as it is stored; `_id` is its id. */
export interface PartDocument extends Document, Omit<PartContent, "imageUrls"> {
  slug: string;
  sku: string;
  skuVariants: string[];
  pnNorm: string;
  media?: { hasImages: boolean; imageCount: number; images?: { url: string; type: string }[] };
  sources: Source[];
  /** Of the content: a part whose hash is the same is not rewritten. */
  contentHash: string;
  /** Ascending number of the change that wrote it, among the vendor's changes. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The document of a part that a source tells of, new or in the place of the one that is there. */
export function toDocument(
  vendor: Vendor,
  content: PartContent,
  change: { source: Source; now: Date; revision: number; previous?: PartDocument },
): PartDocument {
  const { imageUrls, ...rest } = content;
  const pnNorm = normalizePartNumber(content.partNumber);
  const id = partId(vendor.code, pnNorm);
  return {
    _id: id,
    ...rest,
    slug: slugOf(content.title, id),
    sku: skuOf(vendor.code, content.partNumber),
    skuVariants: skuVariantsOf(vendor.code, content.partNumber),
    pnNorm,
    media: {
      hasImages: imageUrls.length > 0,
      imageCount: imageUrls.length,
      ...(imageUrls.length > 0 ? { images: imageUrls.map((url) => ({ url, type: "product" })) } : {}),
    },
    sources: [...new Set([...(change.previous?.sources ?? []), change.source])],
    contentHash: contentHash(content),
    revision: change.revision,
    createdAt: change.previous?.createdAt ?? change.now,
    updatedAt: change.now,
  };
}

/** Equal for equal content, whatever the order of its fields. */
export function contentHash(content: PartContent): string {
  const entries = Object.entries(content).filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(entries), "base64url");
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

function publicFields({ _id, contentHash: _contentHash, revision: _revision, kind: _kind, ...fields }: PartDocument) {
  return { id: _id, ...fields };
}
