import { LRUCache } from "lru-cache";
import type { NodeSample } from "../../broker/telemetry/sample.ts";
import { compareAndSet, replacing } from "../../mixins/documents/compare-and-set.ts";
import type { DocumentStore } from "@partline/durable";
import { KeyedQueue } from "@partline/toolkit";
import { minuteOf, minuteWith, trafficMinuteWith } from "./accounts.ts";
import { LEVELS, RUNS, type Account, type NodeRun, type TrafficAccount, put } from "./collections.ts";
import { hear, runId } from "./runs.ts";

/** Samples of a node that wait for the store (five minutes); older ones are dropped. */
const MOST_WAITING = 60;
/** Whose last sample is remembered. */
const MOST_RUNS = 1_000;

interface Heard {
  sample: NodeSample;
  heardAt: Date;
}

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Keeps each sample once, however many processes hear it: run and minute change together unless this sample or a later
 * one is kept. While the store is away samples wait, so that its outage is in the history too.
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
    /** When this process last heard the run; undefined if long ago. */
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
