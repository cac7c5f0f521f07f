/**
 * The search index port. Both adapters promise: a search reads the index of the alias `{name}_current_read`, a write
 * goes to that of `{name}_current_write`; a build goes into a dated index beside them, which takes their place in one
 * atomic step. No search waits for it. The index is derived data: it may be lost and rebuilt. Each write is one
 * transaction with the progress of its sources, so that reading on from `progress()` misses nothing after a crash, a
 * switch or a rollback.
 */
import type { Attribute } from "./attributes.ts";
import type { Availability, Cents, PartStatus } from "@partline/parts-language";
import type { CatalogMachine } from "./fits.ts";
import type { ShownPage } from "./shown.ts";
import type { HitDocument, IndexDocument } from "./index-document.ts";
import type { SearchPage } from "./search-page.ts";

/** `parts` holds every part, `tires` tires and wheels only. */
export const LOGICAL_INDEXES = ["parts", "tires"] as const;
export type LogicalIndex = (typeof LOGICAL_INDEXES)[number];

/** The revision of each source, by vendor code. */
export type Progress = Record<string, number>;

export interface IndexBatch {
  documents: IndexDocument[];
  progress: Progress;
}

export type Sort = "relevance" | "price_asc" | "price_desc" | "newest";

/** A part of any vendor, or of the one with this code. */
export interface PartKey {
  pnNorm: string;
  vendor?: string;
}

export interface SearchQuery {
  /** Empty finds everything. */
  q: string;
  /** Any of them, in any case; empty is no filter. Manufacturers by name, code or alias. */
  categories: string[];
  manufacturers: string[];
  /** Any of them; undefined is no filter. */
  availabilities?: readonly Availability[];
  /** Any of the values of each, in any case; a part without the attribute does not pass. */
  attributes?: Partial<Record<Attribute, readonly string[]>>;
  minPrice?: Cents;
  maxPrice?: Cents;
  /** An exact part number finds a discontinued part even if this is `active`. */
  status: PartStatus;
  /**
   * Restricts to parts of an equipment: these, and those that fit one of the machines by the catalog. Every facet
   * counts them.
   */
  fits?: { equipment: string; parts: readonly PartKey[]; machines?: readonly string[] };
  /** Restricts to parts that fit one of these machines by the catalog, as it writes them; every facet counts these. */
  machines?: readonly string[];
  /** True to count the machines of the hits, which takes about a tenth of a short search. */
  countsMachines?: boolean;
  /** Parts that the query also names, as another maker's number: a variant of their own number. */
  named?: readonly PartKey[];
  /** Lines in place of the synonyms of the index, for this search alone. */
  synonyms?: readonly string[];
  sort: Sort;
  offset: number;
  /** 0 only counts. */
  limit: number;
}

export type IndexStatus = Record<LogicalIndex, { name: string; documents: number }>;

export interface Suggestion {
  /** A query. */
  text: string;
  /** `text` as HTML: what was typed in `<em>`, the rest escaped. */
  highlighted: string;
  /** The part that it names, if it does. */
  document?: HitDocument;
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
  readonly names: Partial<Record<LogicalIndex, string>>;
  /**
   * Documents go to the indexes that they belong to, as in `write`. The batch may still be written when this resolves:
   * the next call, or `publish`, throws what went wrong.
   */
  add(batch: IndexBatch): Promise<void>;
  /**
   * Moves the aliases to the new indexes; what was written to the live ones meanwhile is read again from the build's
   * progress. The new indexes and those that were live before are kept.
   * @throws BUILD_REFUSED when an index does not hold `expected` documents, or far fewer than the live one without
   * `force`
   */
  publish(expected: Partial<Record<LogicalIndex, number>>, options?: { force?: boolean }): Promise<void>;
  discard(): Promise<void>;
}

/**
 * @throws UNAVAILABLE: every operation except `close`.
 * @throws BUILD_NEEDED: every one except `startBuild` and `indexes`, when no live index is usable by this version (it
 * is never treated as empty).
 */
export interface SearchIndex {
  readonly backend: "embedded" | "elasticsearch";
  search(index: LogicalIndex, query: SearchQuery): Promise<SearchPage>;
  /** The same, as it is sent. */
  searchShown(index: LogicalIndex, query: SearchQuery): Promise<ShownPage>;
  /**
   * Completes a query: numbers that begin so in any spelling, then the last word, then phrases, those that lead to
   * most active parts first. If nothing begins as typed, one wrong letter is forgiven from the fourth on. Each
   * suggestion finds something.
   */
  suggest(index: LogicalIndex, query: { q: string; limit: number }): Promise<Suggestion[]>;
  /** Replaces the synonyms from the next search on. */
  useSynonyms(lines: readonly string[]): Promise<void>;
  /** All that parts fit by the catalog, each once. */
  listMachines(index: LogicalIndex): Promise<CatalogMachine[]>;
  /** Returns documents in the order of the ids, without unknown ones. */
  get(index: LogicalIndex, ids: string[]): Promise<IndexDocument[]>;
  /** Adds or replaces by id in the live indexes; removes from `tires` what is no tire. */
  write(batch: IndexBatch): Promise<void>;
  /** Returns the progress that all live indexes have reached. */
  progress(): Promise<Progress>;
  status(): Promise<IndexStatus>;
  /** Newest first. */
  indexes(): Promise<DatedIndex[]>;
  /** One build at a time, in all processes: what another one has not published by now is removed. */
  startBuild(which: readonly LogicalIndex[]): Promise<IndexBuild>;
  /**
   * Moves the aliases to the next older index that is kept, with the progress that it had.
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

export function createUnavailable(reason: string, options?: ErrorOptions): SearchIndexError {
  return new SearchIndexError("UNAVAILABLE", `The search index is unavailable: ${reason}`, options);
}
