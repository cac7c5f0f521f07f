import { LRUCache } from "lru-cache";
import type { NodeSample } from "../../broker/telemetry/sample.ts";
import { compareAndSet, replacing } from "../../mixins/compare-and-set.ts";
import type { AtomicWrite, CollectionDefinition, Document, DocumentStore } from "../../mixins/document-store/port.ts";
import type { Events } from "../contracts.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import { minuteOf, minuteWith, trafficMinuteWith } from "./accounts.ts";
import {
  LEVELS,
  RUNS,
  VENDOR_SYNCS,
  type Account,
  type NodeRun,
  type TrafficAccount,
  type VendorSyncs,
} from "./collections.ts";
import { hear, runId } from "./runs.ts";

/** Of a node, while the store is away (five minutes); older ones are dropped. */
const MOST_WAITING = 60;
/** Whose last sample is remembered. */
const MOST_RUNS = 1_000;

interface Heard {
  sample: NodeSample;
  heardAt: Date;
}

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Keeps each sample once, however many processes hear it: run and minute change together. While the store is away
 * samples wait, so that its outage is in the history too.
 */
export function createRecorder(documents: DocumentStore, onError: (error: unknown) => void) {
  const runs = documents.collection<NodeRun>(RUNS);
  const minutes = documents.collection<Account>(LEVELS.minute.accounts);
  const trafficMinutes = documents.collection<TrafficAccount>(LEVELS.minute.traffic);
  const inOrder = new KeyedQueue();
  const waiting = new Map<string, Heard[]>();
  const lastHeard = new LRUCache<string, Date>({ max: MOST_RUNS });

  const keep = ({ sample, heardAt }: Heard): Promise<void> =>
    compareAndSet(documents, "The health of the node", async () => {
      const known = await runs.findOne({ _id: runId(sample) });
      if (known && known.sampleAt >= sample.at) return { conditions: [], result: undefined };
      const run = hear(known ?? undefined, sample, heardAt);
      const { _id } = minuteOf(sample);
      const minute = minuteWith(await minutes.findOne({ _id }), { ...sample, entryPoints: run.entryPoints });
      const traffic = trafficMinuteWith(await trafficMinutes.findOne({ _id }), sample);
      return {
        conditions: [replacing(RUNS, known, "sampleAt", run)],
        also: [put(LEVELS.minute.accounts, minute), ...(traffic ? [put(LEVELS.minute.traffic, traffic)] : [])],
        result: undefined,
      };
    });

  const keepWaiting = async (node: string): Promise<void> => {
    const heard = waiting.get(node) ?? [];
    const isAny = heard.length > 0;
    for (let first = heard.shift(); first; first = heard.shift()) {
      try {
        await keep(first);
      } catch (error) {
        // Meanwhile the queue may be full.
        if (heard.length < MOST_WAITING) heard.unshift(first);
        onError(error);
        return;
      }
    }
    waiting.delete(node);
    // The store is back, and a node that has left would not come to retry its goodbye.
    if (isAny) for (const other of waiting.keys()) void inOrder.run(other, () => keepWaiting(other));
  };

  return {
    lastHeard: (run: string): Date | undefined => lastHeard.get(run),
    /** Resolves when the sample is kept, or waits for a store that does not answer. */
    hear: (sample: NodeSample, heardAt: Date): Promise<void> => {
      lastHeard.set(runId(sample), heardAt);
      const heard = waiting.get(sample.node) ?? [];
      waiting.set(sample.node, heard);
      heard.push({ sample, heardAt });
      if (heard.length > MOST_WAITING) heard.shift();
      return inOrder.run(sample.node, () => keepWaiting(sample.node));
    },
  };
}

export function put(collection: CollectionDefinition, document: Document): AtomicWrite {
  return { collection, replaceOne: { filter: { _id: document._id }, replacement: { ...document }, upsert: true } };
}

type Ended = Pick<Events["sync.ended"], "vendor" | "status"> & { at: Date };

/** Undefined for a known or an older one. */
export function afterSync(known: VendorSyncs | null, { vendor, status, at }: Ended): VendorSyncs | undefined {
  if (known && at <= known.endedAt) return undefined;
  const { failingSince = null, failingUntil = null } = known ?? {};
  const isFailing = failingSince !== null && failingUntil === null;
  const record = { _id: vendor, endedAt: at, failingSince, failingUntil };
  if (status === "completed") return isFailing ? { ...record, failingUntil: at } : record;
  return isFailing ? record : { ...record, failingSince: at, failingUntil: null };
}

/** Events may come twice and in any order. */
export function recordSync(documents: DocumentStore, ended: Ended): Promise<void> {
  return compareAndSet(documents, "The record of the vendor's syncs", async () => {
    const known = await documents.collection<VendorSyncs>(VENDOR_SYNCS).findOne({ _id: ended.vendor });
    const next = afterSync(known, ended);
    if (!next) return { conditions: [], result: undefined };
    return { conditions: [replacing(VENDOR_SYNCS, known, "endedAt", next)], result: undefined };
  });
}
