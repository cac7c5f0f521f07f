import { type Cents, foldName, toDecimal } from "@partline/parts-language";
import { toJsonText, type JsonText } from "@partline/toolkit";
import type { SearchPage, Facets, SearchHit } from "./search-page.ts";
import type { HitDocument } from "./index-document.ts";

/** Parts and facets as lists of the shop show them. */

export type ShownPart = ReturnType<typeof presentPart>;
export type ShownHit = ShownPart & Omit<SearchHit, "document">;
export type ShownFacets = ReturnType<typeof presentFacets>;

/** A page as JSON that is ready to be sent. */
export interface ShownPage {
  hits: JsonText<ShownHit[]>;
  total: number;
  facets: JsonText<ShownFacets>;
  /** Query that finds something, if nothing is found. */
  suggestion?: string;
}

export function presentPage({ hits, total, facets, suggestion }: SearchPage): ShownPage {
  return { hits: toJsonText(hits.map(presentHit)), total, facets: toJsonText(presentFacets(facets)), suggestion };
}

/** Presents a hit with its data beside the document. */
export function presentHit<Hit extends SearchHit>({ document, ...hitFields }: Hit): ShownPart & Omit<Hit, "document"> {
  return { ...presentPart(document), ...hitFields };
}

export function presentPart(document: HitDocument) {
  const price = toDecimalOrNull(document.price);
  return {
    id: document.id,
    productId: document.id,
    slug: document.slug,
    sku: document.sku,
    partNumber: document.partNumber,
    title: document.title,
    manufacturer: document.manufacturer,
    category: document.category,
    price,
    unitPrice: price,
    currency: "usd",
    imageUrl: document.imageUrl,
    availability: document.availability,
    status: document.status,
    supersededBy: document.supersededBy ?? null,
    weightGrams: document.weightGrams,
    hazmat: document.hazmat,
    oversize: document.oversize,
    fits: document.fits,
  };
}

/** Category of parts without one in the source. Source: specification, IndexedPart. */
const NO_CATEGORY = foldName("parts");
/** "Parts" would say that the others are none. */
const NO_CATEGORY_LABEL = "Other parts";

export function presentFacets({ manufacturer, category, availability, machine, attributes, price }: Facets) {
  return {
    manufacturer,
    category: category.map((facet) =>
      foldName(facet.value) === NO_CATEGORY ? { ...facet, label: NO_CATEGORY_LABEL } : facet,
    ),
    availability,
    ...(machine.length === 0 ? {} : { machine }),
    ...attributes,
    price: {
      min: toDecimalOrNull(price.min),
      max: toDecimalOrNull(price.max),
      ranges: price.ranges.map(({ from, to, count }) => ({ from: toDecimal(from), to: toDecimalOrNull(to), count })),
    },
  };
}

export function toDecimalOrNull(cents: Cents | null): number | null {
  return cents === null ? null : toDecimal(cents);
}
