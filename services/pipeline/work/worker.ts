import { setTimeout as delay } from "node:timers/promises";
import { hasObjectStoreCode, isStoreAway } from "@partline/durable";
import { isMachineExhausted } from "@partline/toolkit";
import { settleEntry } from "../jobs/jobs.ts";
import { assembleManual } from "./assemble-manual.ts";
import { loseRange, openFile, readRange } from "./read-file.ts";
import { recognizePage, skipRecognition } from "./recognize-pages.ts";
import { take } from "./take.ts";
import type { RecognitionItem, WorkItem } from "./work-item.ts";
import type { WorkDeps } from "./work-deps.ts";

const AWAY = "A store that it needs could not be used for minutes";

/** Creates what runs pieces of work, each harmless to repeat. */
export function createWorker(deps: WorkDeps) {
  return {
    run: async (item: WorkItem, signal: AbortSignal): Promise<void> => {
      deps.counts.busy += 1;
      try {
        await withRetry(() => perform(item, deps, signal), signal);
      } finally {
        deps.counts.busy -= 1;
      }
    },
    recognizePage: (item: RecognitionItem, signal: AbortSignal) =>
      withRetry(() => recognizePage(item, deps, signal), signal),
    /** The page stays without text, and the manual as it is. */
    onRecognitionGaveUp: (item: RecognitionItem) => skipRecognition(item, deps),
    /** Fails what waits for the piece. @param error undefined if its processes died */
    onGaveUp: async (item: WorkItem, error: unknown): Promise<void> => {
      const reason =
        error === undefined
          ? "Each process that worked on it ended"
          : isAway(error)
            ? AWAY
            : "It failed again and again; the log has the reason";
      if (item.kind === "take") await deps.queue([settleEntry(item.batch, item.file, { error: reason })]);
      // The other pages would fail, too.
      else if (item.kind === "range" && reason !== AWAY) await loseRange(item, reason, deps);
      else await deps.failReading(item.reading, reason);
      deps.counts.workGivenUp += 1;
    },
  };
}

async function perform(item: WorkItem, deps: WorkDeps, signal: AbortSignal): Promise<void> {
  switch (item.kind) {
    case "take":
      return take(item, deps, signal);
    case "open":
      return openFile(item, deps, signal);
    case "range":
      return readRange(item, deps, signal);
    case "assemble":
      return assembleManual(item, deps, signal);
  }
}

/** Attempts while a store is away, over half a minute, before that is a failure. */
const MOST_ASKED = 7;
const FIRST_PAUSE_MS = 500;

/** Returns whether a store is away or this machine's disk or files have run out. */
function isAway(error: unknown): boolean {
  return hasObjectStoreCode(error, "UNAVAILABLE") || isStoreAway(error) || isMachineExhausted(error);
}

/**
 * Repeats work after growing pauses while a store is away, in its slot, as other work would fail, too.
 * @throws the last or another error, and the signal's reason
 */
async function withRetry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error) || attempt >= MOST_ASKED) throw error;
    }
    await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
