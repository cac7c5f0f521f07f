import type { estypes } from "@elastic/elasticsearch";
import { attributeKey, ATTRIBUTES } from "../attributes.ts";
import { completionsOf } from "../completions.ts";
import { categoryKeys, manufacturerKeys, qualityOf } from "../derived.ts";
import { toCents, toDecimal } from "@partline/parts-language";
import type { IndexDocument } from "../port.ts";
import { variantNorms, vendorKeys } from "../query-plan.ts";
import { hasDigit } from "../text.ts";
import { headFactor, WORD_FIELDS, wordFieldsOf, type WordField } from "../word-fields.ts";

/** Raised when the meaning of a stored field changes: an index of another version is rebuilt. */
export const INDEX_VERSION = 11;

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
const kept: estypes.MappingProperty = { type: "keyword", index: false, doc_values: false };
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

const DOCUMENT: Record<keyof IndexDocument, estypes.MappingProperty> = {
  id: aggregated,
  slug: kept,
  sku: kept,
  skuVariants: kept,
  partNumber: keyword,
  pnNorm: aggregated,
  title: kept,
  description: kept,
  manufacturer: { dynamic: "strict", properties: { name: kept, code: kept } },
  category: aggregated,
  price: {
    dynamic: "strict",
    properties: { list: { dynamic: "strict", properties: { value: { type: "double" }, currency: kept } } },
  },
  media: { type: "object", enabled: false },
  status: keyword,
  sources: kept,
  createdAt: { type: "date" },
  updatedAt: { type: "date", index: false, doc_values: false },
  vendorName: kept,
  vendorAliases: kept,
  kind: kept,
  imageUrl: kept,
  availability: aggregated,
  supersededBy: kept,
  weightGrams: { type: "long", index: false, doc_values: false },
  hazmat: { type: "boolean", index: false, doc_values: false },
  oversize: { type: "boolean", index: false, doc_values: false },
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
  return { ...rest, ...stored, search: derivedOf(document) };
}

/** A document, or those fields of it that a search returns, as the index has them. */
export type Stored<T> = Omit<T, "price"> & { price?: StoredPrice };

/** Returns a stored document with its price in cents again. */
export function fromSource<T>({ price, ...rest }: Stored<T>) {
  return { ...rest, price: price ? toCents(price.list.value) : null };
}

type Derived = ReturnType<typeof derivedOf>;

/** Fields of a part that are indexed and not stored. */
function derivedOf(document: IndexDocument) {
  const { pnNorm, manufacturer, vendorName } = document;
  const variants = variantNorms(document);
  const attributes = Object.entries(document.attributes ?? {});
  const fields = wordFieldsOf(document);
  const words = [...new Set(Object.values(fields).flat())].filter((word) => word.length <= MAX_WORD);
  const joined = Object.fromEntries(WORD_FIELDS.map((field) => [field, fields[field].join(" ")]));
  return {
    ...(joined as Record<WordField, string>),
    /** All of its words, and those that a misspelt word may be corrected to. */
    words,
    vocabulary: words.filter((word) => !hasDigit(word)),
    completions: completionsOf(document),
    headFactor: headFactor(fields.head.length),
    /** Its own number and the variants. */
    numbers: [pnNorm, ...variants],
    variants,
    reversedNumber: reversed(pnNorm),
    /** Names that may precede its number. */
    vendors: vendorKeys(document),
    manufacturerKeys: manufacturerKeys(document),
    categoryKeys: categoryKeys(document),
    attributeKeys: attributes.map(([attribute, value]) => `${attribute}\t${attributeKey(value)}`),
    /** All in one field, for one aggregation. */
    attributes: attributes.map((each) => each.join("\t")),
    /** To filter and sort by; missing without a price. */
    ...(document.price === null ? {} : { cents: document.price }),
    /** The vendor's code and name. */
    manufacturerFacet: `${manufacturer.code}\t${vendorName}`,
    quality: qualityOf(document),
  };
}

export function readManufacturer(facet: string): { value: string; label: string } {
  const at = facet.indexOf("\t");
  return { value: facet.slice(0, at), label: facet.slice(at + 1) };
}

export function reversed(text: string): string {
  return [...text].reverse().join("");
}
