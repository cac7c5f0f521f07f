import { entryFound } from "../jobs/jobs.ts";
import { assembleManual } from "./assemble-manual.ts";
import type { WorkDeps } from "./deps.ts";
import { openFile } from "./open-file.ts";
import { loseRange, readRange } from "./read-range.ts";
import { isAway, withRetry } from "./retry.ts";
import { take } from "./take.ts";
import type { WorkItem } from "./work-item.ts";

const AWAY = "A store that it needs could not be used for minutes";

/** Each piece is harmless to repeat. */
export interface Worker {
  run(item: WorkItem, signal: AbortSignal): Promise<void>;
  /** Fails what waits for the piece. @param error undefined if its processes died */
  gaveUp(item: WorkItem, error: unknown): Promise<void>;
}

export function createWorker(deps: WorkDeps): Worker {
  return {
    run: async (item, signal) => {
      deps.counts.busy += 1;
      try {
        await withRetry(() => perform(item, deps, signal), signal);
      } finally {
        deps.counts.busy -= 1;
      }
    },
    gaveUp: async (item, error) => {
      const reason =
        error === undefined
          ? "Each process that worked on it ended"
          : isAway(error)
            ? AWAY
            : "It failed again and again; the log tells why";
      if (item.kind === "take") await deps.queue([entryFound(item.batch, item.file, { error: reason })]);
      // The other pages would fail, too.
      else if (item.kind === "range" && reason !== AWAY) await loseRange(item, reason, deps);
      else if (await deps.readings.fail(item.reading, reason)) deps.counts.filesFailed += 1;
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
