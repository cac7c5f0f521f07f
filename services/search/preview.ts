import type { Infer } from "../../broker/contract/rules.ts";
import { foldName } from "../../mixins/fold.ts";
import { toDecimal, type Cents } from "../../mixins/money.ts";
import type { Facets, IndexDocument, Suggestion } from "../../mixins/search-index/port.ts";
import type { FoundHit } from "./interchange.ts";
import type { facetsRule, partDetailRule, partPreviewRule, suggestionRule } from "./resources.ts";
import { namingWords } from "./shopper-words.ts";

export function toPartPreview({ document, highlights, interchangeOf }: FoundHit): Infer<typeof partPreviewRule> {
  const price = decimalOrNull(document.price);
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
    highlights,
    ...(interchangeOf && { interchangeOf }),
  };
}

export function toPartDetail(document: IndexDocument): Infer<typeof partDetailRule> {
  const { highlights: _highlights, ...preview } = toPartPreview({ document, highlights: {} });
  return { ...preview, description: document.description ?? null, skuVariants: document.skuVariants };
}

export function toSuggestion({ text, highlighted, document }: Suggestion): Infer<typeof suggestionRule> {
  if (!document) return { text, highlighted, kind: "query" };
  const { id, partNumber, title, price, imageUrl } = document;
  return {
    text,
    highlighted,
    kind: "part",
    part: { id, partNumber, title, unitPrice: decimalOrNull(price), imageUrl },
  };
}

/** Of parts without a category in the source. Source: specification, IndexedPart. */
const NO_CATEGORY = foldName("parts");
/** "Parts" would say that the others are none. */
const NO_CATEGORY_LABEL = "Other parts";

export function toFacets({
  manufacturer,
  category,
  availability,
  attributes,
  price,
}: Facets): Infer<typeof facetsRule> {
  return {
    manufacturer,
    category: category.map((facet) =>
      foldName(facet.value) === NO_CATEGORY ? { ...facet, label: NO_CATEGORY_LABEL } : facet,
    ),
    availability,
    ...attributes,
    price: {
      min: decimalOrNull(price.min),
      max: decimalOrNull(price.max),
      ranges: price.ranges.map(({ from, to, count }) => ({ from: toDecimal(from), to: decimalOrNull(to), count })),
    },
  };
}

function decimalOrNull(cents: Cents | null): number | null {
  return cents === null ? null : toDecimal(cents);
}

/** A word that names no part alone is not worth showing, although it begins parts' words. */
export function isWorthShowing(suggestion: string): boolean {
  return namingWords(suggestion).length > 0;
}
