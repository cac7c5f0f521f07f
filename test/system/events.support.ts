import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { EventsState, EventsWish, WorkerOptions } from "./events.worker.ts";

const WORKER = fileURLToPath(new URL("./events.worker.ts", import.meta.url));

/** One process over its own store, which may be killed and started again. */
export interface EventsProcess {
  write(n: number, isFatal?: boolean): Promise<string>;
  state(): Promise<EventsState>;
  /** How often each event was handed to its handler, in this life and those before. */
  handedOut(): Map<string, number>;
  ended: Promise<string | null>;
  kill(): Promise<unknown>;
  /** Another process over the same store. */
  again(options?: Pick<WorkerOptions, "dies">): Promise<EventsProcess>;
}

export type ProcessOptions = Omit<WorkerOptions, "dataDir" | "servers" | "namespace">;

/** A namespace on a NATS server, with the processes in it. */
export function eventsSystem(servers: string) {
  const namespace = testNamespace();
  const running = new Set<WorkerProcess<EventsWish>>();
  let isStopped = false;

  const launch = async (options: WorkerOptions): Promise<EventsProcess> => {
    const worker = await startWorkerProcess<EventsWish>(WORKER, [JSON.stringify(options)]);
    running.add(worker);
    // A test that was cut off goes on until it notices.
    if (isStopped) {
      await worker.kill();
      throw new Error("The system of this test has stopped");
    }
    const file = join(options.dataDir, "handed-out");
    return {
      write: (n, isFatal) => worker.ask({ do: "write", n, ...(isFatal ? { isFatal } : {}) }),
      state: () => worker.ask({ do: "state" }),
      handedOut: () => {
        const counts = new Map<string, number>();
        const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
        for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
        return counts;
      },
      ended: worker.ended,
      kill: () => worker.kill(),
      again: ({ dies } = {}) => {
        const { dies: _, ...same } = options;
        return launch({ ...same, ...(dies === undefined ? {} : { dies }) });
      },
    };
  };

  return {
    namespace,
    start: (options: ProcessOptions = {}) =>
      launch({ ...options, dataDir: mkdtempSync(join(tmpdir(), "partline-events-")), servers, namespace }),
    stop: async () => {
      isStopped = true;
      await Promise.all([...running].map((worker) => worker.kill()));
      await removeStreams(servers, namespace);
    },
  };
}

export type EventsSystem = ReturnType<typeof eventsSystem>;

/** Writes one event after another until it has `count` or the process dies; answers those that were acknowledged. */
export async function writeUntil(writer: EventsProcess, count: number, first = 0): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let n = first; n < first + count; n++) {
    try {
      acknowledged.push(await writer.write(n));
    } catch {
      return acknowledged;
    }
  }
  return acknowledged;
}

/**
 * Waits until the consumer has the effect of every event and nothing is on its way; returns how many deliveries that
 * took.
 */
export async function expectEffectsOf(
  consumer: EventsProcess,
  acknowledged: readonly string[],
  what: string,
): Promise<number> {
  const state = await eventually(async () => {
    const now = await consumer.state();
    const have = new Set(now.effects);
    const missing = acknowledged.filter((id) => !have.has(id));
    if (missing.length === 0 && now.depth.pending === 0) return now;
    throw new Error(`${missing.length} of ${acknowledged.length} events are missing: ${JSON.stringify(now.depth)}`);
  }, 60_000);
  // Ids are unique in the store: as many effects as events is each of them once.
  expect(new Set(state.effects).size).toBe(state.effects.length);
  const deliveries = [...consumer.handedOut().values()].reduce((sum, times) => sum + times, 0);
  process.stdout.write(
    `${what}: ${acknowledged.length} events acknowledged, ${state.effects.length} effects, ${deliveries} deliveries\n`,
  );
  return deliveries;
}
