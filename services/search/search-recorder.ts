import { limitToMessage } from "../../broker/contract/message.ts";
import { withScope, ulid } from "@partline/toolkit";
import type { Channels, DocumentStore } from "@partline/durable";
import { outbox } from "../contracts.ts";
import type { PerformedSearch } from "./performed.ts";

export type SearchRecorder = ReturnType<typeof createSearchRecorder>;

interface RecorderDeps {
  documents: Pick<DocumentStore, "atomically">;
  channels: Pick<Channels, "wake">;
  logger: { info(message: string): void; warn(message: string, error?: unknown): void };
}

/** Searches in one event: a write for each would cost more than the search. */
const BATCH = 200;
/** Bytes of their JSON in an event, far below NATS' limit of a message (1 MB by default). */
const BATCH_BYTES = 128 * 1024;
/** Searches that wait while the store is busy or down; more are lost. */
const MOST_WAITING = 5_000;
/** An event's way to its readers costs as much for one search as for hundreds. */
const GATHER_MS = 1_000;
const AFTER_FAILURE_MS = 2_000;

/** Writes `search.performed`. No search waits for it; those that the store cannot take are counted as lost. */
export function createSearchRecorder({ documents, channels, logger }: RecorderDeps) {
  let waiting: PerformedSearch[] = [];
  /** Being written; repeated under the same id, so that an unknown outcome counts once. */
  let batch: { eventId: string; searches: PerformedSearch[] } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let isFailing = false;
  let recorded = 0;
  let lost = 0;

  const writeAll = async (): Promise<void> => {
    while (batch || waiting.length > 0) {
      if (!batch) {
        const searches = limitToMessage(waiting.slice(0, BATCH), BATCH_BYTES);
        waiting.splice(0, searches.length);
        batch = { eventId: ulid(), searches };
      }
      await documents.atomically([outbox("search.performed", { searches: batch.searches }, batch.eventId)]);
      recorded += batch.searches.length;
      batch = undefined;
      channels.wake();
    }
  };
  const turn = async (): Promise<void> => {
    let delay: number | undefined;
    try {
      await writeAll();
      if (isFailing) logger.info(`Searches are recorded again; ${lost} were lost since the start`);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn(`Searches cannot be recorded: up to ${MOST_WAITING} wait, more are lost`, error);
      isFailing = true;
      delay = AFTER_FAILURE_MS;
    }
    timer = undefined;
    if (delay !== undefined || waiting.length > 0) schedule(delay ?? GATHER_MS);
  };
  const schedule = (delay: number): void => {
    // The write belongs to no request's trace.
    timer ??= withScope(undefined, () => setTimeout(() => (writing = turn()), delay));
    timer.unref();
  };

  return {
    record: (search: PerformedSearch): void => {
      if (waiting.length >= MOST_WAITING) {
        lost += 1;
        return;
      }
      waiting.push(search);
      schedule(GATHER_MS);
    },
    getCounts: () => ({ recorded, lost }),
    /** Writes the waiting searches if the store takes them. */
    stop: async (): Promise<void> => {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      await writeAll().catch((error: unknown) => {
        lost += waiting.length + (batch?.searches.length ?? 0);
        waiting = [];
        logger.warn("The last searches could not be recorded", error);
      });
    },
  };
}
