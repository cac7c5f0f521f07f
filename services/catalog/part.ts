import { hash } from "node:crypto";
import type { Infer } from "../../broker/contract/rules.ts";
import {
  type Availability,
  availabilityOf,
  type Cents,
  isTire,
  normalizePartNumber,
  tireFacts,
  toDecimal,
  WHEELS_AND_TIRES,
} from "@partline/parts-language";
import type { Document } from "@partline/durable";
import type { indexedPartRule } from "../shared/indexed-part.ts";
import type { catalogPartRule } from "./resources.ts";
import type { Component } from "./components.ts";
import { partId, skuOf, skuVariantsOf, slugOf } from "./part-number.ts";
import { makerOf, type Vendor } from "./vendors.ts";

type CatalogPart = Infer<typeof catalogPartRule>;

const DEFAULT_CATEGORY = "parts";

/** What sources say of a part; the rest of the document follows from it. */
export interface PartContent extends Pick<
  CatalogPart,
  | "partNumber"
  | "title"
  | "description"
  | "manufacturer"
  | "category"
  | "kind"
  | "status"
  | "supersededBy"
  | "weightGrams"
  | "hazmat"
  | "oversize"
> {
  /** List price; null without one. */
  price: Cents | null;
  imageUrls: string[];
  /** Missing if the source has no stock. */
  quantityOnHand?: number;
  components?: Component[];
}

type Deletable = "description" | "supersededBy" | "weightGrams";

/** What a source says of a part: a missing field stays as it is known; null deletes. `kind` goes with `category`. */
export type PartNews = Pick<PartContent, "partNumber" | "title"> &
  Partial<Omit<PartContent, "partNumber" | "title" | Deletable>> & { [F in Deletable]?: PartContent[F] | null };

interface Stock {
  quantityOnHand: number;
  /** As the dealer says beside the quantity. */
  available?: boolean;
  /** When it last changed. */
  learntAt: Date;
}

/** What the dealer says of a part now; null is unknown. */
export interface Observation {
  /** False: the dealer does not have it, and the known stock is out of date. */
  found: boolean;
  price: Cents | null;
  quantity: number | null;
  available: boolean | null;
  saidAt: Date;
}

export interface PartDocument
  extends
    Document,
    Omit<PartContent, "imageUrls" | "quantityOnHand">,
    Pick<
      CatalogPart,
      "slug" | "sku" | "skuVariants" | "pnNorm" | "media" | "sources" | "revision" | "createdAt" | "updatedAt"
    > {
  stock?: Stock;
  /** Without stock: when the dealer said that it has the part no more. What it said before is no news. */
  unstockedAt?: Date;
  /** Of `supersededBy`, even if no such part exists. */
  successorId?: string;
  /** The content's price, if `price` is the dealer's and differs: the same again is no news. */
  replacedPrice?: Cents | null;
  /** When a source last changed the price: what the dealer said before is no news. Missing in older documents. */
  pricedAt?: Date;
  /** A part with an equal hash is not rewritten. */
  contentHash: string;
}

export interface Change {
  /** `price_file`, `dis`, or the id of a supplier. */
  source: string;
  now: Date;
  revision: number;
}

/** Merges the news into the known part, or into the defaults of a new one. */
export function contentAfter(vendor: Vendor, news: PartNews, known?: PartDocument): PartContent {
  const said = <F extends keyof PartNews & keyof PartDocument>(field: F) =>
    news[field] === undefined ? known?.[field] : news[field];
  const components = said("components") ?? [];
  return {
    partNumber: news.partNumber,
    title: news.title,
    description: said("description") || undefined,
    manufacturer: said("manufacturer") ?? { name: vendor.name, code: vendor.code },
    category: said("category") ?? DEFAULT_CATEGORY,
    kind: news.category === undefined ? known?.kind : news.kind,
    price: news.price !== undefined ? news.price : known ? toldPrice(known) : null,
    imageUrls: news.imageUrls ?? known?.media?.images?.map(({ url }) => url) ?? [],
    status: said("status") ?? "active",
    supersededBy: said("supersededBy") || undefined,
    quantityOnHand: news.quantityOnHand,
    weightGrams: said("weightGrams") ?? undefined,
    hazmat: said("hazmat") || undefined,
    oversize: said("oversize") || undefined,
    components: components.length > 0 ? components : undefined,
  };
}

export function toDocument(
  vendor: Vendor,
  content: PartContent,
  change: Change & { previous?: PartDocument },
): PartDocument {
  const { imageUrls, quantityOnHand, ...rest } = content;
  const { previous, source, now, revision } = change;
  const pnNorm = normalizePartNumber(content.partNumber);
  const id = partId(vendor.code, pnNorm);
  // A file that repeats the price which the dealer's replaced brings no news.
  const keepsPrice = previous?.replacedPrice !== undefined && previous.replacedPrice === content.price;
  const isPriced = previous !== undefined && toldPrice(previous) === content.price;
  const stock =
    quantityOnHand === undefined ? previous?.stock : withQuantity(previous?.stock, { quantityOnHand, learntAt: now });
  return {
    _id: id,
    ...rest,
    ...(keepsPrice ? { price: previous.price, replacedPrice: previous.replacedPrice } : {}),
    pricedAt: isPriced || content.price === null ? previous?.pricedAt : now,
    slug: slugOf(content.title, id),
    sku: skuOf(vendor.code, content.partNumber),
    skuVariants: skuVariantsOf(vendor.code, content.partNumber),
    pnNorm,
    media: {
      hasImages: imageUrls.length > 0,
      imageCount: imageUrls.length,
      images: imageUrls.length > 0 ? imageUrls.map((url) => ({ url, type: "product" })) : undefined,
    },
    stock,
    unstockedAt: stock ? undefined : previous?.unstockedAt,
    successorId: content.supersededBy && partId(vendor.code, normalizePartNumber(content.supersededBy)),
    sources: [...new Set([...(previous?.sources ?? []), source])],
    contentHash: contentHash(content),
    revision,
    createdAt: previous?.createdAt ?? now,
    updatedAt: now,
  };
}

/** The price in the content, regardless of the dealer's. */
function toldPrice({ price, replacedPrice }: PartDocument): Cents | null {
  return replacedPrice === undefined ? price : replacedPrice;
}

/**
 * Returns the part with the dealer's price and stock, undefined if nothing changes: each counts unless a source said
 * another since. A part that the dealer lacks loses its stock.
 */
export function observed(
  part: PartDocument,
  { found, price, quantity, available, saidAt }: Observation,
  { source, now, revision }: Change,
): PartDocument | undefined {
  const { stock: known } = part;
  const isSince = (at: Date | undefined): boolean => at !== undefined && saidAt < at;
  const keepsStock = isSince(known ? known.learntAt : part.unstockedAt);
  if (!found) {
    if (!known || keepsStock) return undefined;
    return { ...part, stock: undefined, unstockedAt: saidAt, revision, updatedAt: now };
  }
  const said = toldPrice(part);
  const newPrice = isSince(part.pricedAt) ? part.price : (price ?? part.price);
  const stock =
    quantity === null || keepsStock
      ? known
      : withQuantity(known, { quantityOnHand: quantity, available: available ?? undefined, learntAt: saidAt });
  if (newPrice === part.price && stock === known && part.sources.includes(source)) return undefined;
  return {
    ...part,
    price: newPrice,
    replacedPrice: newPrice === said ? undefined : said,
    pricedAt: newPrice === part.price ? part.pricedAt : saidAt,
    stock,
    unstockedAt: stock ? undefined : part.unstockedAt,
    sources: [...new Set([...part.sources, source])],
    revision,
    updatedAt: now,
  };
}

/** Returns the part as discontinued, undefined if it is already. Listed again, it is news. */
export function unlisted(part: PartDocument, { now, revision }: Omit<Change, "source">): PartDocument | undefined {
  if (part.status === "discontinued" && !part.stock) return undefined;
  return { ...part, stock: undefined, status: "discontinued", contentHash: "", revision, updatedAt: now };
}

function withQuantity(known: Stock | undefined, told: Stock): Stock {
  return known && known.quantityOnHand === told.quantityOnHand && known.available === told.available ? known : told;
}

/** Form of the documents: raise it to rewrite every part when its content comes again. */
const FORM = 2;

/** Does not depend on the order of fields. */
export function contentHash(content: PartContent): string {
  const entries = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([FORM, entries]), "base64url");
}

export function readCategory(category: string): Pick<PartContent, "category" | "kind"> {
  const folded = category.toLowerCase();
  if (folded === "tires" || folded === "tire") return { category: WHEELS_AND_TIRES, kind: "Tires" };
  if (folded === "wheels" || folded === "wheel") return { category: WHEELS_AND_TIRES, kind: "Wheels" };
  if (folded === WHEELS_AND_TIRES.toLowerCase()) return { category: WHEELS_AND_TIRES };
  return { category: category === "" ? DEFAULT_CATEGORY : category };
}

/**
 * The specification's IndexedPart; its price is decimal.
 * @param held pieces of unpaid checkouts and unshipped orders
 */
export function toIndexedPart(document: PartDocument, vendor: Vendor, held = 0): Infer<typeof indexedPartRule> {
  const { price, ...fields } = publicFields(document, vendor, held);
  return price === null ? fields : { ...fields, price: { list: { value: toDecimal(price), currency: "usd" } } };
}

export function toCatalogPart(document: PartDocument, vendor: Vendor, held = 0): CatalogPart {
  const { kind, revision } = document;
  const names = { vendorName: vendor.name, vendorAliases: [...vendor.aliases] };
  return { ...publicFields(document, vendor, held), ...names, kind, revision };
}

/** @param held pieces of unpaid checkouts and unshipped orders */
export function availabilityOfPart({ stock }: Pick<PartDocument, "stock">, held = 0): Availability {
  return availabilityOf({ quantity: stock ? stock.quantityOnHand - held : null, available: stock?.available });
}

function publicFields(document: PartDocument, vendor: Vendor, held: number) {
  const {
    _id,
    contentHash,
    revision,
    kind,
    replacedPrice,
    pricedAt,
    unstockedAt,
    successorId,
    components,
    stock,
    ...fields
  } = document;
  return {
    id: _id,
    ...fields,
    manufacturer: makerOf(document, vendor),
    availability: availabilityOfPart(document, held),
    ...tireOf(document),
    ...(stock && {
      stock: { quantityOnHand: stock.quantityOnHand, held: held > 0 ? held : undefined, learntAt: stock.learntAt },
    }),
  };
}

function tireOf(document: PartDocument) {
  const tire = isTire(document) ? tireFacts(document.title, document.manufacturer.name) : undefined;
  // The name of a wheel is none of a tread.
  return tire && { tire: document.kind === "Wheels" ? { ...tire, pattern: undefined } : tire };
}
