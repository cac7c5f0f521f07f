/**
 * The search index port. `embedded/` is the embedded adapter. What both adapters promise: a search reads the index that
 * the alias `{name}_current_read` points at, a write goes to that of `{name}_current_write`, a build goes into a dated
 * index beside them and becomes theirs in one atomic step. No search waits for a build or for that step.
 *
 * The index is derived data: it may be lost and built anew. Each write carries how far it has read its sources, and is
 * one transaction with it, so that reading on from `progress()` after a crash, a switch to a build or back misses
 * nothing.
 */
import type { Availability } from "../availability.ts";
import type { Cents } from "../money.ts";
import type { PartStatus } from "../part-status.ts";

/** `parts` holds every part, tires too; `tires` the tires and wheels alone. */
export const LOGICAL_INDEXES = ["parts", "tires"] as const;
export type LogicalIndex = (typeof LOGICAL_INDEXES)[number];

export interface IndexDocument {
  id: string;
  slug: string;
  sku: string;
  /** Other spellings of its number, and numbers that it also goes by. */
  skuVariants: string[];
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
  availability: Availability;
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

/** A part of whatever vendor, or of the one with this code. */
export interface PartKey {
  pnNorm: string;
  vendor?: string;
}

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
  /** Of an equipment's parts alone; every facet counts these. */
  fits?: { equipment: string; parts: readonly PartKey[] };
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

/** What somebody who is still typing may mean. */
export interface Suggestion {
  /** A query. */
  text: string;
  /** `text` as HTML, what was typed in `<em>`, the rest escaped. */
  highlighted: string;
  /** The part, when it names one. */
  document?: IndexDocument;
}

export interface DatedIndex {
  name: string;
  index: LogicalIndex;
  documents: number;
  createdAt: Date;
  /** The aliases point at it. */
  live: boolean;
}

export interface IndexBuild {
  /** The dated indexes that are being built. */
  readonly names: Partial<Record<LogicalIndex, string>>;
  /** Documents go to those of the indexes that they belong to, as `write` has it. */
  add(batch: IndexBatch): Promise<void>;
  /**
   * The aliases move to the new indexes, which have the progress of the build: what was written to the live ones
   * meanwhile is read again from there. Of each logical index the new one and the one that was live before stay.
   * @throws BUILD_REFUSED when an index does not hold `expected` documents, or holds absurdly few beside the live one
   * and `force` is not given
   */
  publish(expected: Partial<Record<LogicalIndex, number>>, options?: { force?: boolean }): Promise<void>;
  discard(): Promise<void>;
}

/**
 * All operations but close @throws UNAVAILABLE, and all but startBuild and indexes BUILD_NEEDED where nothing is live
 * that this version of the code can use: never is such an index taken for an empty one.
 */
export interface SearchIndex {
  readonly backend: "embedded" | "elasticsearch";
  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage>;
  /**
   * While a query is typed: numbers that begin so in any spelling, then the last word completed, then phrases, those
   * that lead to most active parts first. From the fourth letter on one that is wrong is forgiven where nothing begins
   * as typed. Each finds something.
   */
  suggest(index: LogicalIndex, query: { q: string; limit: number }): Promise<Suggestion[]>;
  /** In the order of the ids, unknown ones left out. */
  get(index: LogicalIndex, ids: string[]): Promise<IndexDocument[]>;
  /** Adds or replaces by id in the live indexes; what is no tire, or has stopped being one, is taken out of `tires`. */
  write(batch: IndexBatch): Promise<void>;
  /** As far as all live indexes have read. */
  progress(): Promise<Progress>;
  status(): Promise<IndexStatus>;
  /** Newest first. */
  indexes(): Promise<DatedIndex[]>;
  startBuild(which: readonly LogicalIndex[]): Promise<IndexBuild>;
  /**
   * The aliases go to the next older index that is kept. It has the progress that it had.
   * @throws NOTHING_TO_ROLL_BACK
   */
  rollback(index: LogicalIndex): Promise<{ from: string; to: string }>;
  close(): Promise<void>;
}

export type SearchIndexErrorCode = "UNAVAILABLE" | "BUILD_NEEDED" | "BUILD_REFUSED" | "NOTHING_TO_ROLL_BACK";

export class SearchIndexError extends Error {
  override readonly name = "SearchIndexError";
  readonly code: SearchIndexErrorCode;

  constructor(code: SearchIndexErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
