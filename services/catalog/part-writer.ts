import { type AtomicWrite, type DocumentStore, compareAndSet } from "@partline/durable";
import { getAt, getFrom, KeyedQueue } from "@partline/toolkit";
import { normalizePartNumber } from "@partline/parts-language";
import { type Events, outbox } from "../contracts.ts";
import { getPartsCollection, LOW_STOCK, VENDOR_STATES, type VendorState } from "./collections.ts";
import { toPartId } from "./part-number.ts";
import {
  type Change,
  mergeContent,
  computeContentHash,
  type Observation,
  applyObservation,
  countByFile,
  PRICE_FILE,
  type PartDocument,
  toDocument,
  discontinuePart,
} from "./part.ts";
import type { PartNews } from "./part-content.ts";
import { applyEdits, findBasePrice, removeEdits } from "./part-edits.ts";
import type { KeptCount } from "./resources.ts";
import { MAIN_PLACE } from "../../mixins/shop/shelves.ts";
import { type FileCount, isLow, keepHandCount } from "./shelf.ts";
import { DEFAULT_VENDORS, type Vendor, type Vendors } from "./vendors.ts";

interface WriteOutcome {
  written: number;
  unchanged: number;
}

export interface RowsOutcome extends WriteOutcome {
  /** Parts that a person counted since, of which the rows say another number. */
  keptCounts?: readonly KeptCount[];
  /** Numbers of parts that have no price any more, as their margin has nothing left to count on. */
  unpriced?: readonly string[];
  /** Positions of rows without a title whose part is new: they are not written. */
  untitled?: readonly number[];
}

/** How the rows of a price file count the shop's shelves. */
export interface FileCounting {
  /** The place that they count; the main one unless given. */
  place?: string;
  /** They replace what people counted. */
  overwrites?: boolean;
}

/** A part as it is and as it will be. */
export interface PartChange {
  previousPart: PartDocument | undefined;
  nextPart: PartDocument;
}

/**
 * Writes that go with the parts, all or none, given how many parts are written, and how each changes, by id. If one fails
 * (a lost lease), so does the call.
 */
export type Bookkeeping = (outcome: WriteOutcome, changes: ReadonlyMap<string, PartChange>) => AtomicWrite[];

export type PartWriter = ReturnType<typeof createPartWriter>;

/**
 * Writes parts, the vendor's revision and its number of parts in one batch, if the revision is still the one read. So
 * revisions appear in order, a reader that goes on from its last one misses none, and the number is exact.
 */
export function createPartWriter(documents: DocumentStore) {
  const states = documents.collection<VendorState>(VENDOR_STATES);
  const queue = new KeyedQueue();

  /** Counts the parts if the number is missing: the write stands only if none was added meanwhile. */
  async function getState(vendor: Vendor): Promise<Required<Omit<VendorState, "_id">>> {
    const state = await states.findOne({ _id: vendor.code });
    if (state) {
      const {
        revision,
        hidden = 0,
        parts = await documents.collection(getPartsCollection(vendor.code)).count({}),
      } = state;
      return { revision, parts, hidden };
    }
    await states.updateOne({ _id: vendor.code }, { $setOnInsert: { revision: 0 } }, { upsert: true });
    return getState(vendor);
  }

  /** The parts as their sources say they are. */
  async function findKnownParts(vendor: Vendor, ids: string[]): Promise<ReadonlyMap<string, PartDocument>> {
    const foundParts = await documents
      .collection<PartDocument>(getPartsCollection(vendor.code))
      .find({ _id: { $in: ids } });
    return new Map(foundParts.map((part) => [part._id, removeEdits(part)]));
  }

  /** `decide` gets a part as its sources say it is, and returns the new one, or undefined for no change. */
  const change = (
    vendor: Vendor,
    ids: string[],
    decide: (
      previousPart: PartDocument | undefined,
      index: number,
      change: Omit<Change, "source">,
    ) => PartDocument | undefined,
    bookkeep: Bookkeeping = () => [],
  ): Promise<WriteOutcome> =>
    queue.run(vendor.code, () =>
      compareAndSet(documents, `The catalog of ${vendor.name}`, async () => {
        const collection = getPartsCollection(vendor.code);
        const { revision, parts, hidden } = await getState(vendor);
        const previous = await findKnownParts(vendor, ids);
        const now = new Date();
        const changes = new Map<string, PartChange>();
        const writes = ids.flatMap((id, index): AtomicWrite[] => {
          const previousPart = previous.get(id);
          const decidedPart = decide(previousPart, index, { now, revision: revision + changes.size + 1 });
          if (!decidedPart) return [];
          const nextPart = applyEdits(decidedPart);
          changes.set(id, { previousPart, nextPart });
          const replacement = { ...nextPart };
          return [
            ...followLowStock(previousPart, nextPart),
            previousPart
              ? { collection, replaceOne: { filter: { _id: id }, replacement } }
              : { collection, insertOne: replacement },
          ];
        });
        const writeCount = changes.size;
        const result = { written: writeCount, unchanged: ids.length - writeCount };
        const also = [...writes, ...bookkeep(result, changes)];
        const count = (isCounted: (change: PartChange) => boolean | undefined): number =>
          [...changes.values()].filter(isCounted).length;
        const hiddenBefore = count(({ previousPart }) => previousPart?.edits?.values.hidden);
        const counts = {
          revision: revision + writeCount,
          parts: parts + count(({ previousPart }) => !previousPart),
          hidden: hidden - hiddenBefore + count(({ nextPart }) => nextPart.hidden),
        };
        const stands: AtomicWrite = {
          collection: VENDOR_STATES,
          require: true,
          updateOne: {
            filter: { _id: vendor.code, revision },
            update: { $set: counts },
          },
        };
        return { conditions: also.length > 0 ? [stands] : [], also, result };
      }),
    );

  return {
    /** Writes what differs. Numbers must not repeat within one call. */
    write: async (
      vendor: Vendor,
      news: PartNews[],
      source: string,
      books?: Bookkeeping,
      counting: FileCounting = {},
    ): Promise<RowsOutcome> => {
      const decisions: RowDecision[] = [];
      const outcome = await change(
        vendor,
        listIds(vendor, news),
        (previousPart, index, facts) => {
          const rowFacts = { ...facts, source };
          const decision = decideRow(vendor, getAt(news, index), previousPart, rowFacts, counting);
          decisions[index] = decision;
          return decision.part;
        },
        books,
      );
      return countRows(outcome.written, decisions);
    },
    /** Counts what `write` would write, and writes nothing. */
    compare: async (
      vendor: Vendor,
      news: PartNews[],
      source: string,
      counting: FileCounting = {},
    ): Promise<RowsOutcome> => {
      const ids = listIds(vendor, news);
      const previous = await findKnownParts(vendor, ids);
      const facts = { now: new Date(), revision: 0, source };
      const decisions = news.map((row, index) =>
        decideRow(vendor, row, previous.get(getAt(ids, index)), facts, counting),
      );
      return countRows(decisions.filter(({ part }) => part).length, decisions);
    },
    /** Records what the dealer says of parts by id; unknown ones are skipped. */
    observe: (vendor: Vendor, observations: ReadonlyMap<string, Observation>, books?: Bookkeeping) =>
      change(
        vendor,
        [...observations.keys()],
        (previousPart, _index, changeFacts) =>
          previousPart &&
          applyObservation(previousPart, getFrom(observations, previousPart._id), { ...changeFacts, source: "dis" }),
        books,
      ),
    /** Counts parts as changed, for followers to read again what does not stand in their documents. */
    touch: (vendor: Vendor, ids: string[], books?: Bookkeeping) =>
      change(
        vendor,
        ids,
        (previousPart, _index, { now, revision }) => previousPart && { ...previousPart, revision, updatedAt: now },
        books,
      ),
    /** Writes what `decide` makes of known parts by id; undefined is no change. */
    rewriteKnown: (
      vendor: Vendor,
      ids: string[],
      decide: (part: PartDocument, facts: Omit<Change, "source">) => PartDocument | undefined,
      books: Bookkeeping,
    ) => change(vendor, ids, (previousPart, _index, facts) => previousPart && decide(previousPart, facts), books),
    /** Adds a part that `decide` makes; it refuses one that is there by throwing, or leaves it with undefined. */
    add: (
      vendor: Vendor,
      partNumber: string,
      decide: (previousPart: PartDocument | undefined, facts: Omit<Change, "source">) => PartDocument | undefined,
      books: Bookkeeping,
    ) =>
      change(
        vendor,
        [toPartId(vendor.code, normalizePartNumber(partNumber))],
        (previousPart, _index, facts) => decide(previousPart, facts),
        books,
      ),
    /** Marks parts as no longer listed. */
    unlist: (vendor: Vendor, ids: string[], books?: Bookkeeping) =>
      change(
        vendor,
        ids,
        (previousPart, _index, changeFacts) => previousPart && discontinuePart(previousPart, changeFacts),
        books,
      ),
  };
}

function followLowStock(previousPart: PartDocument | undefined, { _id, shelves }: PartDocument): AtomicWrite[] {
  const collection = LOW_STOCK;
  const hasLow = (shelves: PartDocument["shelves"]): boolean => shelves?.some(isLow) === true;
  if (hasLow(shelves) === hasLow(previousPart?.shelves)) return [];
  if (!hasLow(shelves)) return [{ collection, deleteOne: { filter: { _id } } }];
  return [{ collection, replaceOne: { filter: { _id }, replacement: { _id }, upsert: true } }];
}

function listIds(vendor: Vendor, news: readonly PartNews[]): string[] {
  return news.map(({ partNumber }) => toPartId(vendor.code, normalizePartNumber(partNumber)));
}

interface RowDecision {
  /** What the row makes of the part; undefined if it is no news. */
  part: PartDocument | undefined;
  /** A count by hand stands against it. */
  keptCount?: KeptCount | undefined;
  isUnpriced?: boolean;
  isUntitled?: boolean;
}

function countRows(writeCount: number, decisions: readonly RowDecision[]): RowsOutcome {
  const untitled = decisions.flatMap(({ isUntitled }, index) => (isUntitled ? [index] : []));
  const keptCounts = decisions.flatMap(({ keptCount }) => keptCount ?? []);
  const unpriced = decisions.flatMap(({ part, isUnpriced }) => (part && isUnpriced ? [part.partNumber] : []));
  const unchanged = decisions.length - writeCount - untitled.length;
  return { written: writeCount, unchanged, keptCounts, unpriced, untitled };
}

function decideRow(
  vendor: Vendor,
  row: PartNews,
  previousPart: PartDocument | undefined,
  facts: Change,
  { place = MAIN_PLACE, overwrites = false }: FileCounting,
): RowDecision {
  if (row.title === undefined && !previousPart) return { part: undefined, isUntitled: true };
  const { item, ...fileCount } = readOwnStock(vendor, row, facts.source);
  const content = findNewContent(vendor, item, previousPart, facts.source);
  const next = content ? toDocument(vendor, content, { ...facts, previous: previousPart }) : previousPart;
  if (!next) return { part: undefined };
  const isFixed = previousPart?.edits?.values.price?.fixed !== undefined;
  const hadPrice = previousPart !== undefined && !isFixed && findBasePrice(previousPart) !== null;
  const isUnpriced = hadPrice && findBasePrice(next) === null;
  if (fileCount.count === undefined) return { part: content && next, isUnpriced };
  const count = { place, ...fileCount.count };
  const shelves = previousPart?.shelves ?? [];
  const takenCount = overwrites ? count : keepHandCount(shelves, count);
  const { _id: id, partNumber } = next;
  const counted = shelves.find((shelf) => shelf.place === place)?.onHand ?? null;
  const isKept = Object.keys(takenCount).length < Object.keys(count).length;
  return {
    part: countByFile(next, vendor, takenCount, facts) ?? (content && next),
    isUnpriced,
    keptCount: isKept ? { id, partNumber, counted, inFile: count.onHand ?? null } : undefined,
  };
}

/**
 * Divides the shop's own count from a row. A price file counts the shelf, except of vendors that the dealer inventory
 * system counts: a yes or no of theirs would only replace its count.
 */
function readOwnStock(
  { pricing }: Vendor,
  news: PartNews,
  source: string,
): { item: PartNews; count?: Omit<FileCount, "place"> } {
  const { quantityOnHand, bin, reorderPoint } = news;
  const isCount = source === PRICE_FILE && pricing !== "dis" && quantityOnHand !== undefined;
  if (!isCount && bin === undefined && reorderPoint === undefined)
    return { item: pricing === "dis" ? { ...news, available: undefined } : news };
  const onHand = isCount ? quantityOnHand : undefined;
  return { item: isCount ? { ...news, quantityOnHand: undefined } : news, count: { onHand, bin, reorderPoint } };
}

/** Returns what a part will be; undefined if it is that, and its source is known. */
function findNewContent(vendor: Vendor, news: PartNews, previousPart: PartDocument | undefined, source: string) {
  const content = mergeContent(vendor, news, previousPart);
  const isKnown = previousPart?.contentHash === computeContentHash(content) && previousPart.sources.includes(source);
  return isKnown ? undefined : content;
}

/** An event names so many parts at most: of more it is said that any may have changed. */
const MOST_NAMED = 500;

/** Returns the event that these parts of a vendor changed, for the batch that changes them. */
export function announceParts({ code: vendor }: Pick<Vendor, "code">, productIds: readonly string[]): AtomicWrite {
  const isNamed = productIds.length <= MOST_NAMED;
  return outbox("catalog.changed", { vendor, ...(isNamed && { productIds: [...productIds] }) });
}

type DealerWord = Omit<Events["dealer.answered"]["parts"][number], "saidAt"> & { saidAt?: string | Date };

/**
 * Records what the dealer said of parts in the catalog, and announces it in the same write. @returns the ids, also of
 * parts that the catalog does not have
 */
export async function learn(writer: PartWriter, words: readonly DealerWord[]): Promise<string[]> {
  const observationsByVendor = new Map<Vendor, Map<string, Observation>>();
  for (const { vendor: code, partNumber, saidAt = new Date(), ...observation } of words) {
    const vendor = DEFAULT_VENDORS.find(code);
    if (vendor?.pricing !== "dis") continue;
    const id = toPartId(vendor.code, normalizePartNumber(partNumber));
    observationsByVendor.set(
      vendor,
      (observationsByVendor.get(vendor) ?? new Map<string, Observation>()).set(id, {
        ...observation,
        saidAt: new Date(saidAt),
      }),
    );
  }
  for (const [vendor, observations] of observationsByVendor)
    await writer.observe(vendor, observations, ({ written }) =>
      written === 0 ? [] : [announceParts(vendor, [...observations.keys()])],
    );
  return [...observationsByVendor.values()].flatMap((observations) => [...observations.keys()]);
}

/** Lets followers read again parts whose availability changed by what is held, and announces it in the same write. */
export async function followHolds(writer: PartWriter, names: Vendors, parts: readonly PartDocument[]): Promise<void> {
  for (const [code, vendorParts] of Map.groupBy(parts, ({ manufacturer }) => manufacturer.code))
    await writer.touch(
      names.getByCode(code),
      vendorParts.map(({ _id }) => _id),
      ({ written }, changes) => (written === 0 ? [] : [announceParts({ code }, [...changes.keys()])]),
    );
}
