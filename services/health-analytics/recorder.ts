import { LRUCache } from "lru-cache";
import type { NodeSample } from "../../broker/telemetry/sample.ts";
import { type DocumentStore, compareAndSet, createReplacement } from "@partline/durable";
import { KeyedQueue } from "@partline/toolkit";
import { toMinute, addToMinute, addToTrafficMinute } from "./accounts.ts";
import { LEVELS, RUNS, type Account, type NodeRun, type TrafficAccount, put } from "./collections.ts";
import { applySample, getRunId } from "./runs.ts";

/** Samples of a node that wait for the store (five minutes); older ones are dropped. */
const MOST_WAITING = 60;
/** Maximum number of runs whose last sample is remembered. */
const MOST_RUNS = 1_000;

interface ReceivedSample {
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
  const waiting = new Map<string, ReceivedSample[]>();
  const lastHeard = new LRUCache<string, Date>({ max: MOST_RUNS });

  const keep = ({ sample, heardAt }: ReceivedSample): Promise<void> =>
    compareAndSet(documents, "The health of the node", async () => {
      const currentRun = await runs.findOne({ _id: getRunId(sample) });
      if (currentRun && currentRun.sampleAt >= sample.at) return { conditions: [], result: undefined };
      const run = applySample(currentRun ?? undefined, sample, heardAt);
      const { _id } = toMinute(sample);
      const minute = addToMinute(await minutes.findOne({ _id }), { ...sample, entryPoints: run.entryPoints });
      const traffic = addToTrafficMinute(await trafficMinutes.findOne({ _id }), sample);
      return {
        conditions: [createReplacement(RUNS, currentRun, "sampleAt", run)],
        also: [put(LEVELS.minute.accounts, minute), ...(traffic ? [put(LEVELS.minute.traffic, traffic)] : [])],
        result: undefined,
      };
    });

  const keepWaiting = async (node: string): Promise<void> => {
    const samples = waiting.get(node) ?? [];
    const isAny = samples.length > 0;
    for (let first = samples.shift(); first; first = samples.shift()) {
      try {
        await keep(first);
      } catch (error) {
        // Meanwhile the queue may be full.
        if (samples.length < MOST_WAITING) samples.unshift(first);
        onError(error);
        return;
      }
    }
    waiting.delete(node);
    // The store is back, and a node that has left would not come to retry its goodbye.
    if (isAny) for (const otherNode of waiting.keys()) void inOrder.run(otherNode, () => keepWaiting(otherNode));
  };

  return {
    /** Returns when this process last heard the run; undefined if long ago. */
    lastHeard: (run: string): Date | undefined => lastHeard.get(run),
    /** Resolves when the sample is kept, or waits for a store that does not answer. */
    hear: (sample: NodeSample, heardAt: Date): Promise<void> => {
      lastHeard.set(getRunId(sample), heardAt);
      const samples = waiting.get(sample.node) ?? [];
      waiting.set(sample.node, samples);
      samples.push({ sample, heardAt });
      if (samples.length > MOST_WAITING) samples.shift();
      return inOrder.run(sample.node, () => keepWaiting(sample.node));
    },
  };
}
