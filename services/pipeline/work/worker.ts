import { ulid } from "ulid";
import { GivenUp, type ChannelHandler } from "../../../broker/channels/port.ts";
import { reasonOf } from "../../../broker/channels/redelivery.ts";
import { KeyedQueue } from "../../../mixins/keyed-queue.ts";
import type { Events } from "../../contracts.ts";
import { entryFound } from "../jobs/jobs.ts";
import { MOST_DEATHS, MOST_TRIES, PAUSE_AFTER_DEATHS_MS } from "../limits.ts";
import { assembleManual } from "./assemble-manual.ts";
import type { WorkDeps } from "./deps.ts";
import { openFile } from "./open-file.ts";
import { isAway, withRetry, pause } from "./retry.ts";
import { loseRange, readRange } from "./read-range.ts";
import { removeManual } from "./remove-manual.ts";
import { createStops, Leaving, Stopped, type Stops } from "./stops.ts";
import { take } from "./take.ts";
import { createTryBook } from "./tries.ts";
import { workItemOf, workOf, type WorkItem } from "./work-item.ts";

const AWAY = "A store that it needs could not be used for minutes";

export interface Worker {
  handle: ChannelHandler<Events["pipeline.work"] | Events["pipeline.removal"]>["handler"];
  stops: Stops;
}

/**
 * Does the pieces of work that the channel hands out, each harmless to repeat. One that fails
 * MOST_TRIES times is given up, and so is one over which MOST_DEATHS processes ended: what it
 * belongs to goes on without it or is told as failed, and the event becomes a dead letter.
 * The channel itself gives nothing up, so that no file waits for work that nobody does.
 */
export function createWorker(deps: WorkDeps): Worker {
  const stops = createStops();
  const tries = createTryBook(deps.documents);
  /** One at a time, so that of all that were under way when a process ended the one that ends the next is found. */
  const suspects = new KeyedQueue();

  const giveUp = async (item: WorkItem, reason: string): Promise<void> => {
    if (item.kind === "take") await deps.queue([entryFound(item.batch, item.file, { error: reason })]);
    // Its other pages would fail alike.
    else if (item.kind === "range" && reason !== AWAY) await loseRange(item, reason, deps);
    else if (await deps.readings.fail(item.reading, reason)) deps.counts.filesFailed += 1;
    await tries.giveUp(item, reason);
    deps.counts.workGivenUp += 1;
  };

  const attempt = async (item: WorkItem, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    const tried = await withRetry(() => tries.begin(item), signal);
    if (!tried) return;
    if (tried.gaveUp !== undefined) throw new GivenUp(tried.gaveUp);
    if (tried.begun! > MOST_DEATHS) {
      const reason = "Each process that worked on it ended";
      await giveUp(item, reason);
      throw new GivenUp(reason);
    }
    try {
      await withRetry(() => perform(item, deps, signal), signal);
      await tries.end(item);
    } catch (error) {
      if (error instanceof Stopped || signal.aborted) await tries.end(item);
      else if ((await tries.fail(item)) >= MOST_TRIES) {
        await giveUp(item, isAway(error) ? AWAY : "It failed again and again; the log tells why");
        throw new GivenUp(reasonOf(error), { cause: error });
      }
      throw error;
    }
  };

  return {
    stops,
    handle: async ({ payload }) => {
      const item = workItemOf(payload);
      const slots = item.kind === "remove" ? 0 : 1;
      deps.counts.busy += slots;
      try {
        await stops.during(stoppedWith(item), async (signal) => {
          const deaths = await withRetry(() => tries.deaths(item), signal);
          if (deaths === 0) return attempt(item, signal);
          await pause(pauseAfter(deaths), signal);
          return suspects.run("one", () => attempt(item, signal));
        });
      } catch (error) {
        // An event of its own: one that comes back counts as failed, and a system that is restarted node by node may
        // stop it at each.
        if (error instanceof Leaving) await deps.queue([workOf(item, `handed-on-${ulid()}`)]);
        // Else nobody wants it any more.
        else if (!(error instanceof Stopped)) throw error;
      } finally {
        deps.counts.busy -= slots;
      }
    },
  };
}

/** Milliseconds before work over which so many processes ended is begun again; none before it is given up. */
function pauseAfter(deaths: number): number {
  return deaths < 2 || deaths >= MOST_DEATHS ? 0 : PAUSE_AFTER_DEATHS_MS * 2 ** (deaths - 2);
}

/** The job or the reading that it ends with. Whoever cancels a reading does not stop what is removed of it. */
function stoppedWith(item: WorkItem): string {
  if (item.kind === "take") return item.batch;
  return item.kind === "remove" ? item.kind : item.reading;
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
    case "remove":
      return removeManual(item, deps, signal);
  }
}
