import type { Infer } from "@partline/api-contracts";
import type { CollectionDefinition, Document, DocumentStore, Filter } from "@partline/durable";
import { getAt, loadOnce } from "@partline/toolkit";
import { toFilter, readPage } from "../../shared/paging.ts";
import { toPartId } from "../part-number.ts";
import type { crossReferenceRule } from "../resources.ts";

type CrossReferenceDocument = Document & Omit<Infer<typeof crossReferenceRule>, "id">;
export type CrossReference = Omit<CrossReferenceDocument, "_id" | "updatedAt">;
export type VendorNumber = CrossReference["part"];

const CROSS_REFERENCES: CollectionDefinition = {
  name: "catalog_interchange",
  fields: {
    "part.vendor": "string",
    "part.pnNorm": "string",
    "other.vendor": "string",
    "other.pnNorm": "string",
    direction: "string",
    source: "string",
    updatedAt: "date",
  },
  indexes: [{ keys: { "part.pnNorm": 1 } }, { keys: { "other.pnNorm": 1 } }, { keys: { source: 1 } }],
};

/** A longer way says too little: what is like what is like it may be another thing. */
const MOST_STEPS = 3;
/** References that are read of one step, and parts that are found: of a number that is everywhere, the rest is left. */
const MOST_READ = 1_000;
const MOST_FOUND = 200;
const DELETED_AT_ONCE = 500;

export interface Reached extends VendorNumber {
  /** Number of references on the way, 1 to 3. */
  steps: number;
  /** Sources of the references along the way. */
  sources: string[];
  start: VendorNumber;
}

export function toReferenceId({ part, other }: Pick<CrossReference, "part" | "other">): string {
  return `${toPartId(part.vendor, part.pnNorm)}~${toPartId(other.vendor, other.pnNorm)}`;
}

export type CrossReferences = ReturnType<typeof createCrossReferences>;

export function createCrossReferences(documents: DocumentStore) {
  const collection = documents.collection<CrossReferenceDocument>(CROSS_REFERENCES);
  const createEmptyCheck = () => loadOnce(async () => (await collection.findOne({})) === null);
  let isNone = createEmptyCheck();
  /**
   * Remembers the answer with an embedded store, where no other process writes: most shops have no references, and each
   * search for a number asks. Only a write in this process makes it ask again; a deleted last reference goes unnoticed.
   */
  const isEmpty = async (): Promise<boolean> => documents.backend === "embedded" && isNone();

  /** References from numbers at the near end, and back from those at the far one. */
  const findLinks = async (ends: readonly { pnNorm: string }[], near: "part" | "other", far: "part" | "other") => {
    const numbers = new Set(ends.map(({ pnNorm }) => pnNorm));
    if (numbers.size === 0) return [];
    const isOneOf = { $in: [...numbers] };
    // Most numbers have none: one question costs half as much as two.
    const matches = await collection.find(
      { $or: [{ [`${near}.pnNorm`]: isOneOf }, { [`${far}.pnNorm`]: isOneOf, direction: "both" }] },
      { sort: { _id: 1 }, limit: MOST_READ },
    );
    const along = matches.filter((link) => numbers.has(link[near].pnNorm));
    const against = matches.filter((link) => link.direction === "both" && numbers.has(link[far].pnNorm));
    return [
      ...along.map((link) => ({ from: link[near], to: link[far], source: link.source })),
      ...against.map((link) => ({ from: link[far], to: link[near], source: link.source })),
    ];
  };

  return {
    /** Writes references that are new or say something else. They must not repeat within one call. */
    write: async (references: readonly CrossReference[]): Promise<{ written: number; unchanged: number }> => {
      const referencesById = new Map(references.map((reference) => [toReferenceId(reference), reference]));
      const existing = new Map(
        (await collection.find({ _id: { $in: [...referencesById.keys()] } })).map((reference) => [
          reference._id,
          reference,
        ]),
      );
      const now = new Date();
      const serialize = ({ part, other, direction, source }: CrossReference): string =>
        JSON.stringify([part.partNumber, other.partNumber, direction, source]);
      const writes = [...referencesById].filter(([id, reference]) => {
        const storedReference = existing.get(id);
        return !storedReference || serialize(storedReference) !== serialize(reference);
      });
      if (writes.length > 0) {
        const writing = documents.atomically(
          writes.map(([_id, reference]) => ({
            collection: CROSS_REFERENCES,
            replaceOne: { filter: { _id }, replacement: { _id, ...reference, updatedAt: now }, upsert: true },
          })),
        );
        // Also after a failure: it may have been made.
        await writing.finally(() => (isNone = createEmptyCheck()));
      }
      return { written: writes.length, unchanged: references.length - writes.length };
    },

    /**
     * Follows references from some numbers for at most three steps, nearest first. A circle is never followed: each
     * part is reached once, by the shortest way, and a start never. @param starts without a vendor: of any @param way
     * `to`: what can be used in place of the start; `from`: what the start can be used in place of
     */
    reach: async (
      starts: readonly { pnNorm: string; isOf?: (vendor: string) => boolean }[],
      way: "to" | "from",
    ): Promise<Reached[]> => {
      if (await isEmpty()) return [];
      const [near, far] = way === "to" ? (["part", "other"] as const) : (["other", "part"] as const);
      const isStart = ({ vendor, pnNorm }: VendorNumber): boolean =>
        starts.some((start) => start.pnNorm === pnNorm && (start.isOf === undefined || start.isOf(vendor)));
      const reached = new Map<string, Reached>();
      let links = await findLinks(starts, near, far);
      for (const { from } of links)
        if (isStart(from)) reached.set(toKey(from), { ...from, steps: 0, sources: [], start: from });
      for (let steps = 1; steps <= MOST_STEPS && links.length > 0; steps += 1) {
        const next: Reached[] = [];
        for (const { from, to, source } of links) {
          const previous = reached.get(toKey(from));
          if (previous?.steps !== steps - 1 || reached.has(toKey(to))) continue;
          const sources = [...new Set([...previous.sources, source])];
          next.push({ ...to, steps, sources, start: previous.start });
          reached.set(toKey(to), getAt(next, -1));
        }
        const isLast = steps === MOST_STEPS || reached.size > MOST_FOUND;
        links = isLast ? [] : await findLinks(next, near, far);
      }
      return [...reached.values()].filter(({ steps }) => steps > 0).slice(0, MOST_FOUND);
    },

    page: async (
      { vendor, pnNorm, source }: { vendor?: string; pnNorm?: string; source?: string },
      page: { page: number; pageSize: number },
    ) => {
      const atEnd = (end: "part" | "other"): Filter =>
        toFilter({ [`${end}.vendor`]: vendor, [`${end}.pnNorm`]: pnNorm });
      const ends = vendor === undefined && pnNorm === undefined ? undefined : [atEnd("part"), atEnd("other")];
      return readPage(collection, toFilter({ source, $or: ends }), { _id: 1 }, page);
    },
    remove: (id: string): Promise<number> => collection.deleteOne({ _id: id.toLowerCase() }),
    removeSource: async (source: string): Promise<number> => {
      for (let deleted = 0; ;) {
        const batch = await collection.find({ source }, { limit: DELETED_AT_ONCE });
        if (batch.length === 0) return deleted;
        deleted += await collection.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) }, source });
      }
    },
  };
}

function toKey({ vendor, pnNorm }: VendorNumber): string {
  return `${vendor} ${pnNorm}`;
}
