import { paginate } from "../../broker/contract/common.ts";
import type { Collection, Condition, DocumentStore, Filter } from "@partline/durable";
import { getAt } from "@partline/toolkit";
import { isTireIn, normalizePartNumber } from "@partline/parts-language";
import { getPartsCollection, VENDOR_STATES, type VendorState } from "./collections.ts";
import type { PartDocument } from "./part.ts";
import { DEFAULT_VENDORS, type Vendor } from "./vendors.ts";

interface PartsQuery {
  page: number;
  pageSize: number;
  /** Beginning of a number in any spelling; if none matches, words of the title. */
  q?: string;
  updatedSince?: Date;
}

export type PartReader = ReturnType<typeof createPartReader>;

/** @param names the vendors as they are named now @param options.isPublic without the parts that the shop hides */
export function createPartReader(documents: DocumentStore, names = DEFAULT_VENDORS, { isPublic = false } = {}) {
  const getCollection = ({ code }: Pick<Vendor, "code">): Collection<PartDocument> =>
    documents.collection<PartDocument>(getPartsCollection(code));
  const states = documents.collection<VendorState>(VENDOR_STATES);
  const listStatesInUse = (): Promise<VendorState[]> => states.find({ revision: { $gt: 0 } }, { sort: { _id: 1 } });
  const toVisible = (parts: PartDocument[]): PartDocument[] =>
    isPublic ? parts.filter(({ hidden }) => !hidden) : parts;
  /** Excludes hidden parts from a query: of most vendors there are none, and an index answers it. */
  const limitToVisible = async ({ code }: Vendor): Promise<Filter> =>
    isPublic && (await states.findOne({ _id: code }))?.hidden ? { hidden: { $ne: true } } : {};
  return {
    names,
    findByIds: async (vendor: Vendor, ids: string[]) =>
      toVisible(await getCollection(vendor).find({ _id: { $in: ids } })),
    /** Reads a page of the parts of vendors, one vendor after another. */
    page: async (vendors: readonly Vendor[], { page, pageSize, ...query }: PartsQuery) => {
      const visible = await Promise.all(vendors.map(limitToVisible));
      for (const filter of buildFilters(query)) {
        const counts = await Promise.all(
          vendors.map((vendor, index) => getCollection(vendor).count({ ...filter, ...visible[index] })),
        );
        const total = counts.reduce((sum, count) => sum + count, 0);
        if (total === 0) continue;
        const parts: PartDocument[] = [];
        let skip = (page - 1) * pageSize;
        for (const [index, vendor] of vendors.entries()) {
          const limit = pageSize - parts.length;
          const options = { sort: { pnNorm: 1 }, skip, limit } as const;
          if (limit > 0 && skip < getAt(counts, index))
            parts.push(...(await getCollection(vendor).find({ ...filter, ...visible[index] }, options)));
          skip = Math.max(0, skip - getAt(counts, index));
        }
        return { parts, pagination: paginate(total, page, pageSize) };
      }
      return { parts: [], pagination: paginate(0, page, pageSize) };
    },
    /** The ids behind which pages with an active part begin, by id: each entry of the index is passed once. */
    pageStarts: async (vendor: Vendor, pageSize: number) => {
      const starts: string[] = [];
      for (let start = ""; ;) {
        const sort = { _id: 1 } as const;
        const afterStart = { $gt: start };
        const [last, next] = await getCollection(vendor).find(
          { _id: afterStart },
          { sort, skip: pageSize - 1, limit: 2 },
        );
        const active = { _id: last ? { ...afterStart, $lte: last._id } : afterStart, status: "active" };
        if ((await getCollection(vendor).find(active, { sort, limit: 1 })).length > 0) starts.push(start);
        if (!last || !next) return starts;
        start = last._id;
      }
    },
    /** Parts changed after a revision, in order; `tires` restricts to the tire index. */
    listChanges: (vendor: Vendor, { after, limit, tires }: { after: number; limit: number; tires: boolean }) =>
      getCollection(vendor).find(
        { ...(tires ? isTireIn(vendor.code) : {}), revision: { $gt: after } },
        { sort: { revision: 1 }, limit },
      ),
    listAfter: (vendor: Vendor, id: string, limit: number) =>
      getCollection(vendor).find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit }),
    /** The first of these parts, by their last change. */
    listChanged: (vendor: Vendor, filter: Filter, limit: number) =>
      getCollection(vendor).find(filter, { sort: { updatedAt: 1 }, limit }),
    /** Vendors that have had a part. */
    listVendors: async () => (await listStatesInUse()).flatMap(({ _id }) => names.find(_id) ?? []),
    listRevisions: async () => (await listStatesInUse()).map(({ _id, revision }) => ({ vendor: _id, revision })),
    listPredecessors: async (vendor: Vendor, id: string, limit: number) =>
      toVisible(await getCollection(vendor).find({ successorId: id }, { sort: { _id: 1 }, limit })),
    /** Parts changed after a revision that name a successor, in order. */
    listSuperseded: (vendor: Vendor, after: number, limit: number) =>
      getCollection(vendor).find(
        { revision: { $gt: after }, successorId: { $gt: "" } },
        { sort: { revision: 1 }, limit },
      ),
    /** Returns the revision of the newest change; 0 without one. */
    getRevision: async ({ code }: Vendor) => (await states.findOne({ _id: code }))?.revision ?? 0,
    count: (vendor: Vendor, status?: PartDocument["status"]) => getCollection(vendor).count(status ? { status } : {}),
    /** Number of parts by vendor, as written with them; counted only if missing. */
    countByVendor: async () => {
      const toCount = async ({ _id: code, parts: partCount }: VendorState) => ({
        vendor: code,
        parts: partCount ?? (await getCollection({ code }).count({})),
      });
      return Promise.all((await listStatesInUse()).map(toCount));
    },
  };
}

/** A title with all of these words, in any order. */
function containsAll(words: string[]): Condition {
  const patterns = words.map((word) => `(?=.*${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})`);
  return { $regex: new RegExp(`^${patterns.join("")}`, "i") };
}

/** Builds filters in order; the first that finds something is the answer. */
function buildFilters({ q, updatedSince }: Omit<PartsQuery, "page" | "pageSize">): Filter[] {
  const base: Filter = updatedSince ? { updatedAt: { $gte: updatedSince } } : {};
  const text = q?.trim();
  if (!text) return [base];
  const pnNorm = normalizePartNumber(text);
  return [
    // By index; titles have none, so they are scanned only if no number matches.
    ...(pnNorm === "" ? [] : [{ ...base, pnNorm: { $gte: pnNorm, $lt: `${pnNorm}\uFFFF` } }]),
    { ...base, title: containsAll(text.split(/\s+/)) },
  ];
}
