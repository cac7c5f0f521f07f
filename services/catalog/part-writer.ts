import { compareAndSet, type Decision } from "../../mixins/compare-and-set.ts";
import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { partsCollection, VENDOR_STATES, type VendorState } from "./collections.ts";
import { contentHash, toDocument, type PartContent, type PartDocument, type Source } from "./part.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { partId } from "./part-number.ts";
import type { Vendor } from "./vendors.ts";

interface Written {
  written: number;
  unchanged: number;
}

export interface PartWriter {
  /**
   * Writes what differs from what is there. Numbers must not repeat within one call.
   * @throws VERSION_CONFLICT (see `compareAndSet`)
   */
  write(vendor: Vendor, contents: PartContent[], source: Source): Promise<Written>;
}

/**
 * Writes parts and the vendor's revision in one atomic batch, on condition that the revision is still the one that was
 * read. So a vendor's revisions become visible in ascending order whatever races, and whoever reads the changes after
 * the last revision that it knows misses none.
 */
export function partWriter(documents: DocumentStore): PartWriter {
  const states = documents.collection<VendorState>(VENDOR_STATES);

  async function currentRevision(vendor: Vendor): Promise<number> {
    const state = await states.findOne({ _id: vendor.code });
    if (state) return state.revision;
    await states.updateOne({ _id: vendor.code }, { $setOnInsert: { revision: 0 } }, { upsert: true });
    return currentRevision(vendor);
  }

  async function decide(vendor: Vendor, contents: PartContent[], source: Source): Promise<Decision<Written>> {
    const definition = partsCollection(vendor.code);
    const revision = await currentRevision(vendor);
    const ids = contents.map(({ partNumber }) => partId(vendor.code, normalizePartNumber(partNumber)));
    const known = await documents.collection<PartDocument>(definition).find({ _id: { $in: ids } });
    const previous = new Map(known.map((part) => [part._id, part]));
    const now = new Date();
    let next = revision;
    const writes = contents.flatMap((content, index): AtomicWrite[] => {
      const before = previous.get(ids[index]!);
      if (before && before.contentHash === contentHash(content) && before.sources.includes(source)) return [];
      const replacement = toDocument(vendor, content, { source, now, revision: (next += 1), previous: before });
      const document = { ...replacement };
      if (!before) return [{ collection: definition, insertOne: document }];
      return [{ collection: definition, replaceOne: { filter: { _id: replacement._id }, replacement: document } }];
    });
    const result = { written: writes.length, unchanged: contents.length - writes.length };
    if (writes.length === 0) return { conditions: [], result };
    const advance = { filter: { _id: vendor.code, revision }, update: { $set: { revision: next } } };
    return { conditions: [{ collection: VENDOR_STATES, require: true, updateOne: advance }], also: writes, result };
  }

  return {
    write: (vendor, contents, source) => compareAndSet(documents, "The catalog", () => decide(vendor, contents, source)),
  };
}
