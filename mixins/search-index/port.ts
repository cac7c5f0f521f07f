/**
 * The search index port. `sqlite/` is the embedded adapter. What both adapters promise: a search reads the index that
 * the alias `{name}_current_read` points at, a write goes to that of `{name}_current_write`, a build goes into a dated
 * index beside them and becomes theirs in one atomic step.
 *
 * The index is derived data: it may be lost and built anew. Each write carries how far it has read its sources, and
 * is one transaction with it, so that reading on from `progress()` after a crash misses nothing.
 */
import type { Cents } from "../money.ts";

/** `parts` holds every part, tires too; `tires` the tires and wheels alone. */
export const LOGICAL_INDEXES = ["parts", "tires"] as const;
export type LogicalIndex = (typeof LOGICAL_INDEXES)[number];

export type PartStatus = "active" | "discontinued";

export interface IndexDocument {
  id: string;
  slug: string;
  sku: string;
  partNumber: string;
  pnNorm: string;
  title: string;
  description?: string;
  /** `name` is the brand, which for most vendors is the vendor's own name. */
  manufacturer: { name: string; code: string };
  vendorName: string;
  vendorAliases: string[];
  category: string;
  /** A narrower category that can be filtered by, and is not counted. */
  kind?: string;
  /** Null: no price. */
  price: Cents | null;
  imageUrl: string | null;
  status: PartStatus;
  /** Number of the successor at the same vendor. */
  supersededBy?: string;
  createdAt: Date;
  /** Belongs in `tires` as well. */
  isTire: boolean;
}

/** How far each source has been read: a vendor's code and its revision. */
export type Progress = Record<string, number>;

export interface IndexBatch {
  documents: IndexDocument[];
  progress: Progress;
}

export type Sort = "relevance" | "price_asc" | "price_desc" | "newest";

export interface SearchQuery {
  /** Empty finds everything. */
  q: string;
  /** Any of them, in any case; empty is no filter. So are manufacturers: by name, code or alias. */
  categories: string[];
  manufacturers: string[];
  minPrice?: Cents;
  maxPrice?: Cents;
  /** An exact part number finds a discontinued part though `active` is asked for. */
  status: PartStatus;
  sort: Sort;
  offset: number;
  /** 0 counts only. */
  limit: number;
}

export interface Highlights {
  /** HTML, what matched in `<em>`, the rest escaped. */
  partNumber?: string;
  title?: string;
}

export interface SearchHit {
  document: IndexDocument;
  highlights: Highlights;
}

export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

/** Each facet is counted without its own filter. */
export interface Facets {
  manufacturer: FacetValue[];
  category: FacetValue[];
  /** Both ends of a range are included; `to` null is open. */
  price: { min: Cents | null; max: Cents | null; ranges: { from: Cents; to: Cents | null; count: number }[] };
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  facets: Facets;
  /** Where nothing is found: a query that finds something. */
  suggestion?: string;
}

export type IndexStatus = Record<LogicalIndex, { name: string; documents: number }>;

export interface IndexBuild {
  readonly names: Record<LogicalIndex, string>;
  add(batch: IndexBatch): Promise<void>;
  /**
   * The aliases move to the new indexes.
   * @throws BUILD_REFUSED when `parts` does not hold `expected` documents, or holds far fewer than the live one and
   * `force` is not given
   */
  publish(expected: number, options?: { force?: boolean }): Promise<void>;
  discard(): Promise<void>;
}

export interface SearchIndex {
  readonly backend: "embedded" | "elasticsearch";
  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage>;
  /** Adds or replaces by id in the live indexes. */
  write(batch: IndexBatch): Promise<void>;
  progress(): Promise<Progress>;
  status(): Promise<IndexStatus>;
  startBuild(): Promise<IndexBuild>;
  close(): Promise<void>;
}

export type SearchIndexErrorCode = "UNAVAILABLE" | "BUILD_REFUSED";

export class SearchIndexError extends Error {
  override readonly name = "SearchIndexError";
  readonly code: SearchIndexErrorCode;

  constructor(code: SearchIndexErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
