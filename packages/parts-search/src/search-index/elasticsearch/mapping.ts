import { hasDigit } from "@partline/parts-language/terms";
import type { estypes } from "@elastic/elasticsearch";
import { toAttributeKey, ATTRIBUTES } from "../attributes.ts";
import { completeDocument } from "../completions.ts";
import { listCategoryKeys, listManufacturerKeys, computeQuality } from "../derived.ts";
import { toCents, toDecimal } from "@partline/parts-language";
import type { IndexDocument } from "../index-document.ts";
import { listVariantNorms, listVendorKeys } from "../query-plan.ts";
import { computeHeadFactor, WORD_FIELDS, toWordFields, type WordField } from "../word-fields.ts";

/** Raised when the meaning of a stored field changes: an index of another version is rebuilt. */
export const INDEX_VERSION = 12;

/** A field of parts that progress documents lack. */
export const PART_FIELD = "status";

/** Longest indexed word: the server's limit is in bytes. */
const MAX_WORD = 1_000;

/** How far a source was read: a document in the index that it describes. */
export interface ProgressSource {
  progress: { source: string; revision: number };
}

const keyword: estypes.MappingProperty = { type: "keyword", doc_values: false };
const aggregated: estypes.MappingProperty = { type: "keyword" };
const storedKeyword: estypes.MappingProperty = { type: "keyword", index: false, doc_values: false };
/** Terms of our own, joined by blanks: the analyser only splits them. */
const terms: estypes.MappingProperty = { type: "text", analyzer: "whitespace", index_options: "docs", norms: false };

const DERIVED: Record<keyof Required<Derived>, estypes.MappingProperty> = {
  ...(Object.fromEntries(WORD_FIELDS.map((field) => [field, terms])) as Record<WordField, typeof terms>),
  words: keyword,
  vocabulary: keyword,
  completions: aggregated,
  headFactor: { type: "float", index: false },
  numbers: keyword,
  variants: keyword,
  reversedNumber: keyword,
  vendors: keyword,
  manufacturerKeys: keyword,
  categoryKeys: keyword,
  attributeKeys: keyword,
  attributes: aggregated,
  cents: { type: "long" },
  manufacturerFacet: aggregated,
  quality: { type: "byte", index: false },
};

const DOCUMENT: Record<Exclude<keyof IndexDocument, "isHidden">, estypes.MappingProperty> = {
  id: aggregated,
  slug: storedKeyword,
  sku: storedKeyword,
  skuVariants: storedKeyword,
  partNumber: keyword,
  pnNorm: aggregated,
  title: storedKeyword,
  description: storedKeyword,
  manufacturer: { dynamic: "strict", properties: { name: storedKeyword, code: storedKeyword } },
  category: aggregated,
  price: {
    dynamic: "strict",
    properties: { list: { dynamic: "strict", properties: { value: { type: "double" }, currency: storedKeyword } } },
  },
  media: { type: "object", enabled: false },
  status: keyword,
  sources: storedKeyword,
  createdAt: { type: "date" },
  updatedAt: { type: "date", index: false, doc_values: false },
  vendorName: storedKeyword,
  vendorAliases: storedKeyword,
  kind: storedKeyword,
  imageUrl: storedKeyword,
  availability: aggregated,
  supersededBy: storedKeyword,
  weightGrams: { type: "long", index: false, doc_values: false },
  hazmat: { type: "boolean", index: false, doc_values: false },
  oversize: { type: "boolean", index: false, doc_values: false },
  fits: aggregated,
  isTire: { type: "boolean" },
  attributes: {
    dynamic: "strict",
    properties: Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, aggregated])),
  },
};

export const MAPPINGS: estypes.MappingTypeMapping = {
  dynamic: "strict",
  _source: { excludes: ["search"] },
  properties: {
    ...DOCUMENT,
    search: { dynamic: "strict", properties: DERIVED },
    progress: { dynamic: "strict", properties: { source: aggregated, revision: { type: "long" } } },
  },
};

/** During a build: no copies, no refresh. */
export const SETTINGS: estypes.IndicesIndexSettings = { number_of_replicas: 0, refresh_interval: "-1" };

/** One copy as soon as there is a second node. */
export const LIVE_SETTINGS: estypes.IndicesIndexSettings = { refresh_interval: "1s", auto_expand_replicas: "0-1" };

/** The price as the specification's IndexedPart has it, for who reads the index itself. */
type StoredPrice = { list: { value: number; currency: "usd" } };

export function toSource(document: IndexDocument) {
  const { price, ...rest } = document;
  const stored: { price?: StoredPrice } =
    price === null ? {} : { price: { list: { value: toDecimal(price), currency: "usd" } } };
  return { ...rest, ...stored, search: deriveFields(document) };
}

/** A document, or those fields of it that a search returns, as the index has them. */
export type StoredFields<T> = Omit<T, "price"> & { price?: StoredPrice };

/** Returns a stored document with its price in cents again. */
export function fromSource<T>({ price, ...rest }: StoredFields<T>) {
  return { ...rest, price: price ? toCents(price.list.value) : null };
}

type Derived = ReturnType<typeof deriveFields>;

/** Fields of a part that are indexed and not stored. */
function deriveFields(document: IndexDocument) {
  const { pnNorm, manufacturer, vendorName } = document;
  const variants = listVariantNorms(document);
  const attributes = Object.entries(document.attributes ?? {});
  const fields = toWordFields(document);
  const words = [...new Set(Object.values(fields).flat())].filter((word) => word.length <= MAX_WORD);
  const joined = Object.fromEntries(WORD_FIELDS.map((field) => [field, fields[field].join(" ")]));
  return {
    ...(joined as Record<WordField, string>),
    /** All of its words, and those that a misspelt word may be corrected to. */
    words,
    vocabulary: words.filter((word) => !hasDigit(word)),
    completions: completeDocument(document),
    headFactor: computeHeadFactor(fields.head.length),
    /** Its own number and the variants. */
    numbers: [pnNorm, ...variants],
    variants,
    reversedNumber: reverseText(pnNorm),
    /** Names that may precede its number. */
    vendors: listVendorKeys(document),
    manufacturerKeys: listManufacturerKeys(document),
    categoryKeys: listCategoryKeys(document),
    attributeKeys: attributes.map(([attribute, value]) => `${attribute}\t${toAttributeKey(value)}`),
    /** All in one field, for one aggregation. */
    attributes: attributes.map((pair) => pair.join("\t")),
    /** Price for filters and sorts; missing without a price. */
    ...(document.price === null ? {} : { cents: document.price }),
    /** The vendor's code and name. */
    manufacturerFacet: `${manufacturer.code}\t${vendorName}`,
    quality: computeQuality(document),
  };
}

export function readManufacturer(facet: string): { value: string; label: string } {
  const tab = facet.indexOf("\t");
  return { value: facet.slice(0, tab), label: facet.slice(tab + 1) };
}

export function reverseText(text: string): string {
  return [...text].reverse().join("");
}
