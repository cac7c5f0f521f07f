import type { DocumentStore, Update } from "../../../mixins/document-store/port.ts";
import { JOBS, READINGS, type JobDocument, type ReadingDocument, type Tries } from "../collections.ts";
import { workKey, type WorkItem } from "./work-item.ts";

/**
 * How often each piece of work was begun and failed, kept with what it belongs to: a process that dies over it says
 * nothing, and what kills one process is not to kill the next one for ever.
 */
export interface TryBook {
  /** How often it was begun and never ended: with what else its process was at, it may be what ended that. */
  deaths(item: WorkItem): Promise<number>;
  /** Notes that a piece of work is begun. Undefined when what it belongs to is gone. */
  begin(item: WorkItem): Promise<Tries | undefined>;
  /** It ended as it should, or was stopped. */
  end(item: WorkItem): Promise<void>;
  /** It failed, and its process goes on. Answers how often by now. */
  fail(item: WorkItem): Promise<number>;
  giveUp(item: WorkItem, reason: string): Promise<void>;
}

export function createTryBook(documents: DocumentStore): TryBook {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const jobs = documents.collection<JobDocument>(JOBS);
  const pathOf = (item: WorkItem): string =>
    item.kind === "take" ? `files.${item.file}.tries` : `tries.${workKey(item)}`;

  const change = async (item: WorkItem, update: Update): Promise<Tries | undefined> => {
    if (item.kind === "take")
      return (await jobs.findOneAndUpdate({ _id: item.batch }, update))?.files[item.file]?.tries;
    return (await readings.findOneAndUpdate({ _id: item.reading }, update))?.tries[workKey(item)];
  };

  return {
    deaths: async (item) => {
      const known =
        item.kind === "take"
          ? (await jobs.findOne({ _id: item.batch }))?.files[item.file]?.tries
          : (await readings.findOne({ _id: item.reading }))?.tries[workKey(item)];
      return known?.begun ?? 0;
    },
    begin: (item) => change(item, { $inc: { [`${pathOf(item)}.begun`]: 1 } }),
    end: async (item) => {
      await change(item, { $unset: { [pathOf(item)]: true } });
    },
    fail: async (item) =>
      (await change(item, { $inc: { [`${pathOf(item)}.begun`]: -1, [`${pathOf(item)}.failed`]: 1 } }))?.failed ?? 0,
    giveUp: async (item, reason) => {
      await change(item, { $set: { [`${pathOf(item)}.gaveUp`]: reason } });
    },
  };
}
