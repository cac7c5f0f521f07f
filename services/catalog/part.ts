import { hash } from "node:crypto";
import type { Infer } from "@partline/api-contracts";
import {
  type Availability,
  describeAvailability,
  type Cents,
  isTire,
  normalizePartNumber,
  readTireFacts,
  toDecimal,
  WHEELS_AND_TIRES,
} from "@partline/parts-language";
import type { Document } from "@partline/durable";
import { listFits } from "@partline/parts-search";
import type { indexedPartRule } from "../shared/indexed-part.ts";
import type { PriceEdit } from "../shared/part-price.ts";
import { toPartId, toSku, listSkuVariants, toSlug } from "./part-number.ts";
import { resolveMaker, type Vendor } from "./vendors.ts";
import type { CatalogPart, PartContent, PartNews } from "./part-content.ts";
import { countShelfByFile, type FileCount, findCountedAt, type Shelf, sumShelves } from "./shelf.ts";

/** The source of parts that price files list. */
export const PRICE_FILE = "price_file";
const DEFAULT_CATEGORY = "parts";

interface Stock {
  /** Missing if a price list says yes or no alone. */
  quantityOnHand?: number;
  /** Availability that the dealer reports beside the quantity, or a price list in its place. */
  available?: boolean;
  /** Time of the last change. */
  learntAt: Date;
}

/** Report of the dealer on a part; null is unknown. */
export interface Observation {
  /** False: the dealer does not have it, and the known stock is out of date. */
  found: boolean;
  price: Cents | null;
  quantity: number | null;
  available: boolean | null;
  saidAt: Date;
}

/** What people changed of a part: it stands in place of what the sources say, now and later. */
export interface PartEdits {
  title?: string;
  /** Empty: none. */
  description?: string;
  category?: string;
  price?: PriceEdit;
  hidden?: boolean;
  images?: string[];
  attributes?: Record<string, string>;
  fits?: string[];
}

/** What edits replace in a document. */
export type EditedFields = Partial<
  Pick<
    PartDocument,
    "title" | "slug" | "description" | "category" | "kind" | "price" | "hidden" | "media" | "attributes" | "fits"
  >
>;

export interface PartDocument
  extends
    Document,
    Omit<PartContent, "imageUrls" | "quantityOnHand" | "available">,
    Pick<
      CatalogPart,
      | "slug"
      | "sku"
      | "skuVariants"
      | "pnNorm"
      | "media"
      | "attributes"
      | "sources"
      | "revision"
      | "createdAt"
      | "updatedAt"
    > {
  /** As the dealer or a supplier said. */
  stock?: Stock;
  /** As the shop itself counted. */
  shelves?: Shelf[];
  /** Time at which the dealer reported that it no longer has the part. Older reports are ignored. */
  unstockedAt?: Date;
  /** Id of `supersededBy`, even if no such part exists. */
  successorId?: string;
  /** The content's price, if `price` is the dealer's and differs: the same again is no news. */
  replacedPrice?: Cents | null;
  /**
   * Time at which a source last changed the price: older reports of the dealer are ignored. Missing in older documents.
   */
  pricedAt?: Date;
  /** A part with an equal hash is not rewritten. */
  contentHash: string;
  /** The shop does not show or sell it. */
  hidden?: boolean;
  /** What people changed. `version` counts their changes, for compare-and-set. */
  edits?: { version: number; values: PartEdits; /** Request that added the part. */ addedBy?: string };
  /** What the sources say in place of the edits. */
  replaced?: EditedFields;
}

export interface Change {
  /** `price_file`, `dis`, or the id of a supplier. */
  source: string;
  now: Date;
  revision: number;
}

/** Merges the news into the known part, or into the defaults of a new one. */
export function mergeContent(vendor: Vendor, news: PartNews, previous?: PartDocument): PartContent {
  const pickField = <F extends keyof PartNews & keyof PartDocument>(field: F) =>
    news[field] === undefined ? previous?.[field] : news[field];
  const components = pickField("components") ?? [];
  const fits = pickField("fits") ?? [];
  return {
    partNumber: news.partNumber,
    title: pickField("title") ?? news.partNumber,
    description: pickField("description") || undefined,
    manufacturer: pickField("manufacturer") ?? { name: vendor.name, code: vendor.code },
    category: pickField("category") ?? DEFAULT_CATEGORY,
    kind: news.category === undefined ? previous?.kind : news.kind,
    price: news.price !== undefined ? news.price : previous ? getSourcePrice(previous) : null,
    cost: pickField("cost") ?? undefined,
    imageUrls: news.imageUrls ?? previous?.media?.images?.map(({ url }) => url) ?? [],
    status: pickField("status") ?? "active",
    supersededBy: pickField("supersededBy") || undefined,
    quantityOnHand: news.quantityOnHand,
    available: news.available,
    weightGrams: pickField("weightGrams") ?? undefined,
    hazmat: pickField("hazmat") || undefined,
    oversize: pickField("oversize") || undefined,
    components: components.length > 0 ? components : undefined,
    fits: fits.length > 0 ? fits : undefined,
  };
}

export function toDocument(
  vendor: Vendor,
  content: PartContent,
  change: Change & { previous?: PartDocument },
): PartDocument {
  const { imageUrls, quantityOnHand, available, ...rest } = content;
  const { previous, source, now, revision } = change;
  const pnNorm = normalizePartNumber(content.partNumber);
  const id = toPartId(vendor.code, pnNorm);
  // A file that repeats the price which the dealer's replaced brings no news.
  const keepsPrice = previous?.replacedPrice !== undefined && previous.replacedPrice === content.price;
  const isPriced = previous !== undefined && getSourcePrice(previous) === content.price;
  const isStocked = quantityOnHand !== undefined || available !== undefined;
  const stock = isStocked
    ? withQuantity(previous?.stock, { quantityOnHand, available, learntAt: now })
    : previous?.stock;
  return {
    _id: id,
    ...rest,
    ...(keepsPrice ? { price: previous.price, replacedPrice: previous.replacedPrice } : {}),
    pricedAt: isPriced || content.price === null ? previous?.pricedAt : now,
    slug: toSlug(content.title, id),
    sku: toSku(vendor.code, content.partNumber),
    skuVariants: listSkuVariants(vendor.code, content.partNumber),
    pnNorm,
    media: presentMedia(imageUrls),
    stock,
    shelves: previous?.shelves,
    edits: previous?.edits,
    unstockedAt: stock ? undefined : previous?.unstockedAt,
    successorId: content.supersededBy && toPartId(vendor.code, normalizePartNumber(content.supersededBy)),
    sources: [...new Set([...(previous?.sources ?? []), source])],
    contentHash: computeContentHash(content),
    revision,
    createdAt: previous?.createdAt ?? now,
    updatedAt: now,
  };
}

export function presentMedia(imageUrls: readonly string[]): NonNullable<PartDocument["media"]> {
  return {
    hasImages: imageUrls.length > 0,
    imageCount: imageUrls.length,
    images: imageUrls.length > 0 ? imageUrls.map((url) => ({ url, type: "product" })) : undefined,
  };
}

/** The price in the content, regardless of the dealer's. */
function getSourcePrice({ price, replacedPrice }: PartDocument): Cents | null {
  return replacedPrice === undefined ? price : replacedPrice;
}

/**
 * Returns the part with the dealer's price and stock, undefined if nothing changes: each counts unless a source said
 * another since. A part that the dealer lacks loses its stock.
 */
export function applyObservation(
  part: PartDocument,
  { found, price, quantity, available, saidAt }: Observation,
  { source, now, revision }: Change,
): PartDocument | undefined {
  const { stock: knownStock } = part;
  const isSince = (changedAt: Date | undefined): boolean => changedAt !== undefined && saidAt < changedAt;
  const keepsStock = isSince(knownStock ? knownStock.learntAt : part.unstockedAt);
  if (!found) {
    if (!knownStock || keepsStock) return undefined;
    return { ...part, stock: undefined, unstockedAt: saidAt, revision, updatedAt: now };
  }
  const sourcePrice = getSourcePrice(part);
  const newPrice = isSince(part.pricedAt) ? part.price : (price ?? part.price);
  const stock =
    quantity === null || keepsStock
      ? knownStock
      : withQuantity(knownStock, { quantityOnHand: quantity, available: available ?? undefined, learntAt: saidAt });
  if (newPrice === part.price && stock === knownStock && part.sources.includes(source)) return undefined;
  return {
    ...part,
    price: newPrice,
    replacedPrice: newPrice === sourcePrice ? undefined : sourcePrice,
    pricedAt: newPrice === part.price ? part.pricedAt : saidAt,
    stock,
    unstockedAt: stock ? undefined : part.unstockedAt,
    sources: [...new Set([...part.sources, source])],
    revision,
    updatedAt: now,
  };
}

/** Returns the part as discontinued, undefined if it is already. Listed again, it is news. */
export function discontinuePart(
  part: PartDocument,
  { now, revision }: Omit<Change, "source">,
): PartDocument | undefined {
  if (part.status === "discontinued" && !part.stock) return undefined;
  return { ...part, stock: undefined, status: "discontinued", contentHash: "", revision, updatedAt: now };
}

function withQuantity(knownStock: Stock | undefined, newStock: Stock): Stock {
  return knownStock &&
    knownStock.quantityOnHand === newStock.quantityOnHand &&
    knownStock.available === newStock.available
    ? knownStock
    : newStock;
}

/** Form of the documents: raise it to rewrite every part when its content comes again. */
const FORM = 2;

/** Does not depend on the order of fields. */
export function computeContentHash(content: PartContent): string {
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
 * @param heldQuantity pieces of unpaid checkouts and unshipped orders
 */
export function toIndexedPart(document: PartDocument, vendor: Vendor, heldQuantity = 0): Infer<typeof indexedPartRule> {
  const { price, ...fields } = presentFields(document, vendor, heldQuantity);
  return price === null ? fields : { ...fields, price: { list: { value: toDecimal(price), currency: "usd" } } };
}

export function toCatalogPart(document: PartDocument, vendor: Vendor, heldQuantity = 0): CatalogPart {
  const { kind, revision, hidden, edits, price, cost } = document;
  const names = { vendorName: vendor.name, vendorAliases: [...vendor.aliases] };
  const { price: edit } = edits?.values ?? {};
  // A margin on the shop's cost does not follow the dealer's price.
  const isOnCost = edit?.marginPercent !== undefined && cost !== undefined && price !== null;
  const internal = { kind, revision, hidden, priceEdit: isOnCost ? { fixed: toDecimal(price) } : edit };
  return { ...presentFields(document, vendor, heldQuantity), ...names, ...internal };
}

/**
 * Returns the pieces that can be sold: the shop's own, and the dealer's, none while the dealer does not sell the part
 * now. Null if nobody has said.
 */
export function countOnHand({ stock, shelves }: Pick<PartDocument, "stock" | "shelves">): number | null {
  const ownCount = sumShelves(shelves);
  const otherCount = countElsewhere(stock);
  return otherCount === undefined ? (ownCount ?? null) : (ownCount ?? 0) + otherCount;
}

const countElsewhere = ({ available, quantityOnHand }: Partial<Stock> = {}): number | undefined =>
  available === false ? 0 : quantityOnHand && Math.max(0, quantityOnHand);

/** Returns whether more pieces than are known may lie there, as nobody has counted them and no dealer has said. */
export function isUncounted({ stock, shelves }: Pick<PartDocument, "stock" | "shelves">): boolean {
  return countElsewhere(stock) === undefined && findCountedAt(shelves) === undefined;
}

/** @param heldQuantity pieces of unpaid checkouts and unshipped orders */
export function resolveAvailability(part: Pick<PartDocument, "stock" | "shelves">, heldQuantity = 0): Availability {
  const left = (countOnHand(part) ?? 0) - heldQuantity;
  return describeAvailability({
    quantity: left <= 0 && isUncounted(part) ? null : left,
    available: part.shelves ? undefined : part.stock?.available,
  });
}

/** Returns the part with what a price file says is on the shop's shelf; undefined if that is no news. */
export function countByFile(
  part: PartDocument,
  vendor: Pick<Vendor, "pricing">,
  count: FileCount,
  { now, revision }: Omit<Change, "source">,
): PartDocument | undefined {
  const shelves = countShelfByFile(part.shelves ?? [], count, now);
  return shelves && { ...setShelves(part, vendor, shelves), revision, updatedAt: now };
}

/** Returns the part as counted: an earlier word on a vendor that nobody but the shop counts no longer adds to it. */
export function setShelves(part: PartDocument, { pricing }: Pick<Vendor, "pricing">, shelves: Shelf[]): PartDocument {
  return { ...part, shelves, stock: pricing === "manual" ? undefined : part.stock };
}

function presentFields(document: PartDocument, vendor: Vendor, heldQuantity: number) {
  const { replacedPrice, pricedAt, unstockedAt, successorId, cost, edits, replaced, ...shownDocument } = document;
  const { _id, contentHash, revision, kind, components, stock, shelves, hidden, ...fields } = shownDocument;
  const fits = listFits(document).map(({ machine }) => machine);
  return {
    id: _id,
    ...fields,
    manufacturer: resolveMaker(document, vendor),
    availability: resolveAvailability(document, heldQuantity),
    ...(fits.length > 0 && { fits }),
    ...presentTire(document),
    ...presentStock(document, heldQuantity),
  };
}

function presentStock({ stock, shelves, updatedAt }: PartDocument, heldQuantity: number) {
  const ownCount = sumShelves(shelves);
  if (isUncounted({ stock, shelves }) && (ownCount ?? 0) <= heldQuantity) return undefined;
  const times = [findCountedAt(shelves), stock?.learntAt].filter((time) => time !== undefined);
  return {
    stock: {
      quantityOnHand: (ownCount ?? 0) + (stock?.quantityOnHand ?? 0),
      own: ownCount,
      held: heldQuantity > 0 ? heldQuantity : undefined,
      learntAt: times.length === 0 ? updatedAt : new Date(Math.max(...times.map(Number))),
    },
  };
}

function presentTire(document: PartDocument) {
  const tire = isTire(document) ? readTireFacts(document.title, document.manufacturer.name) : undefined;
  // The name of a wheel is none of a tread.
  return tire && { tire: document.kind === "Wheels" ? { ...tire, pattern: undefined } : tire };
}
