import {
  type AtomicWrite,
  type DocumentStore,
  type Filter,
  isWritten,
  type Update,
  compareAndSet,
} from "@partline/durable";
import { invalidField, notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { isSafeText } from "@partline/parts-language";
import { enqueue, outbox } from "../contracts.ts";
import { type GivenFacts, type ReadingDocument, READINGS } from "./collections.ts";
import { CORRECTIONS, type MachineCorrection } from "./corrections/correction.ts";
import { isBeingRecognised, isOver, WITH_RESULTS } from "./jobs/progress.ts";
import { JOB_LIFE_MS, UNDONE_AFTER_MS } from "./limits.ts";
import type { FileError, FileStatus } from "./resources.ts";
import { enqueueWork } from "./work/work-item.ts";

interface SentFile extends GivenFacts {
  sha256: string;
  filename: string;
  /** Puts it into the object store under its hash. */
  place(): Promise<void>;
}

export type Readings = ReturnType<typeof createReadings>;

export const ACTIVE: readonly FileStatus[] = ["queued", "processing"];

/** @param news `onCancelled` ends the work on a reading or correction */
export function createReadings(
  documents: DocumentStore,
  news: { onChange(reading: string): void; onCancelled(reading: ReadingDocument): Promise<void> },
) {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const machines = documents.collection<MachineCorrection>(CORRECTIONS);

  const findNewest = (sha256: string, filter: Filter = {}) =>
    readings.findOne({ sha256, ...filter }, { sort: { run: -1 } });
  const findWithResults = (sha256: string) => findNewest(sha256, { status: { $in: WITH_RESULTS } });
  const isCurrent = ({ status }: ReadingDocument): boolean => !isOver(status) || WITH_RESULTS.includes(status);

  /** Changes a reading and counts its revision; false if the filter does not match. */
  const change = async (id: string, filter: Filter, update: Update, also: AtomicWrite[] = []) => {
    const fullUpdate: Update = {
      ...update,
      $inc: { ...update.$inc, revision: 1 },
      $set: { ...update.$set, updatedAt: new Date() },
    };
    const write = documents.atomically([updateReading({ _id: id, ...filter }, fullUpdate), ...also]);
    const isChanged = await isWritten(write, "CONDITION_FAILED");
    if (isChanged) news.onChange(id);
    return isChanged;
  };

  /** Ends a reading that is active; null if it has ended, or the filter does not match. */
  const end = async (
    id: string,
    filter: Filter,
    how: { status: FileStatus; error?: string; errorCode?: FileError },
  ) => {
    const now = new Date();
    const ended = await readings.findOneAndUpdate(
      { _id: id, status: { $in: ACTIVE }, ...filter },
      { $set: { ...how, finishedAt: now, updatedAt: now, expiresAt: getExpiry(now) }, $inc: { revision: 1 } },
    );
    if (ended) news.onChange(id);
    return ended;
  };

  return {
    find: (id: string) => readings.findOne({ _id: id }),
    /** Finds readings by their ids; missing ones are left out. */
    findAll: async (ids: readonly string[]) =>
      new Map((await readings.find({ _id: { $in: [...new Set(ids)] } })).map((reading) => [reading._id, reading])),
    withResults: findWithResults,
    /**
     * Makes a job wait for the file's reading, or begins one; `jobWrites` join the batch. @throws VERSION_CONFLICT
     * (also while remains are being deleted), and what `place` throws
     */
    want: (file: SentFile, job: string, jobWrites: (reading: string) => AtomicWrite[]) =>
      compareAndSet(documents, "The file", async () => {
        const previous = await findNewest(file.sha256);
        if (previous === null || !isCurrent(previous)) {
          const machine = previous && (await machines.findOne({ _id: file.sha256 }));
          const newReading = createReading(withKeptFacts(file, machine), (previous?.run ?? 0) + 1, job);
          // Placed after the check for a removal; counts only if none has begun since.
          if (previous?.leftovers === "going")
            throw new PartlineError(
              "VERSION_CONFLICT",
              "What an earlier reading of this file left is being removed; send it again in a moment",
            );
          await file.place();
          const leftovers = previous?.leftovers ?? { $exists: false };
          const followed = previous
            ? [updateReading({ _id: previous._id, leftovers }, { $set: { isFollowed: true } })]
            : [];
          return {
            conditions: [...followed, { collection: READINGS, insertOne: { ...newReading } }],
            also: [...jobWrites(newReading._id), enqueueWork({ kind: "open", reading: newReading._id })],
            result: newReading,
          };
        }
        // A reading with results does not record who asks.
        const isRead = isOver(previous.status);
        if (isRead && !isBeingRecognised(previous)) return { conditions: jobWrites(previous._id), result: previous };
        const status = { $in: isRead ? WITH_RESULTS : ACTIVE };
        const waiting = updateReading({ _id: previous._id, status }, { $addToSet: { wantedBy: job } });
        return { conditions: [waiting], also: jobWrites(previous._id), result: previous };
      }),
    change,
    /** Ends it without results. False if it has ended: then its correction failed, and its files are put back. */
    fail: async (id: string, error: string, errorCode?: FileError) => {
      const undo = enqueueWork({ kind: "assemble", reading: id }, { dueAt: new Date(Date.now() + UNDONE_AFTER_MS) });
      const corrected = { status: { $in: WITH_RESULTS }, correction: { $exists: true } };
      const failed = { $set: { "correction.error": error, "correction.isUndoing": true } };
      if (await change(id, corrected, failed, [undo])) return false;
      return (await end(id, {}, { status: "failed", error, errorCode })) !== null;
    },
    /**
     * Ends the reading or withdraws its results, and deletes them; the writes that `decide` makes join the batch. @throws
     * NOT_FOUND, VERSION_CONFLICT
     */
    remove: async (sha256: string, decide: (current: ReadingDocument) => AtomicWrite[] = () => []) => {
      const removed = await compareAndSet(documents, "The manual", async () => {
        const current = await findNewest(sha256);
        if (!current || !isCurrent(current)) throw notFound("Manual", sha256);
        const { _id, revision, run, status } = current;
        const now = new Date();
        const isRead = isOver(status);
        // Its number stays taken, as its events have it.
        const outcome = isRead
          ? { removedAs: status }
          : { error: "The manual was removed", finishedAt: now, expiresAt: getExpiry(now) };
        const update = {
          $set: { status: "cancelled", leftovers: "going", updatedAt: now, ...outcome },
          $inc: { revision: 1 },
        };
        return {
          conditions: [updateReading({ _id, revision }, update)],
          also: [
            enqueue("pipeline.removal", _id, { reading: _id }),
            ...(isRead
              ? [outbox("document.deleted", { sha256, run, deleted_at: now.toISOString() }, `manual_${_id}-deleted`)]
              : []),
            ...decide(current),
          ],
          result: current,
        };
      });
      news.onChange(removed._id);
      // A correction would add its files to those of the next reading.
      if (!isOver(removed.status) || removed.correction) await news.onCancelled(removed);
    },
    /**
     * Puts a manual together again with other facts. @throws NOT_FOUND, VERSION_CONFLICT (also during another
     * correction), VALIDATION_FAILED
     */
    correct: (sha256: string, correction: Correction) =>
      compareAndSet(documents, "The manual", async () => {
        const current = await findWithResults(sha256);
        if (!current) throw notFound("Manual", sha256);
        if (current.isCompleting || (current.correction && current.correction.error === undefined))
          throw new PartlineError("VERSION_CONFLICT", "The manual is being corrected; send it again in a moment");
        const facts = applyCorrection(current, correction);
        return { ...requestAssembly(current, { ...facts, isOfMachine: true }), result: facts };
      }),
    /**
     * Puts a manual together again with corrections of its rows and figures, which `decide` makes. @throws NOT_FOUND,
     * VERSION_CONFLICT, and what `decide` throws
     */
    correctPages: <T>(
      sha256: string,
      decide: (current: ReadingDocument) => Promise<{ write: AtomicWrite; result: T }>,
    ) =>
      compareAndSet(documents, "The manual", async () => {
        const current = await findWithResults(sha256);
        if (!current) throw notFound("Manual", sha256);
        const { write, result } = await decide(current);
        const { correction, equipment, manufacturer } = current;
        const isPending = correction?.isOfMachine === true && correction.error === undefined;
        const { conditions, also } = requestAssembly(current, isPending ? correction : { equipment, manufacturer });
        return { conditions: [...conditions, write], also, result };
      }),
    /** Cancels the reading if no other job waits. */
    leave: async (id: string, job: string) => {
      await readings.updateOne({ _id: id }, { $pull: { wantedBy: job } });
      const ended = await end(id, { wantedBy: { $size: 0 } }, { status: "cancelled" });
      if (ended) await news.onCancelled(ended);
      // What is read stays; the rest is not recognised.
      const recognised = { status: { $in: WITH_RESULTS }, toRecognise: { $exists: true } };
      const unwanted = { ...recognised, wantedBy: { $size: 0 }, isCompleting: { $exists: false } };
      await change(id, unwanted, { $unset: { toRecognise: true } });
    },
  };
}

/** Returns the write that updates a reading and must match. */
const updateReading = (filter: Filter, update: Update): AtomicWrite => ({
  collection: READINGS,
  require: true,
  updateOne: { filter, update },
});

/** Returns the writes that have a manual put together again with these facts. */
function requestAssembly({ _id, revision: number }: ReadingDocument, facts: GivenFacts & { isOfMachine?: true }) {
  const { equipment, manufacturer, isOfMachine } = facts;
  const correction = { equipment, manufacturer, isOfMachine, number };
  const update = { $set: { correction, updatedAt: new Date() }, $inc: { revision: 1 } };
  return {
    conditions: [updateReading({ _id, revision: number }, update)],
    also: [enqueueWork({ kind: "assemble", reading: _id })],
  };
}

/** Facts that staff corrected in an earlier reading of the file stay, unless the sender gives others. */
function withKeptFacts<T extends GivenFacts>(file: T, machine: MachineCorrection | null): T {
  if (!machine) return file;
  const { equipment, manufacturer = machine.manufacturer } = file;
  return { ...file, equipment: equipment.length > 0 ? equipment : machine.equipment, manufacturer };
}

const getExpiry = (now: Date): Date => new Date(now.getTime() + JOB_LIFE_MS);

function createReading(
  { sha256, filename, equipment, manufacturer }: SentFile,
  run: number,
  job: string,
): ReadingDocument {
  const now = new Date();
  return {
    _id: `${sha256}-${run}`,
    sha256,
    run,
    status: "queued",
    filename,
    equipment,
    manufacturer,
    wantedBy: [job],
    revision: 1,
    readPages: 0,
    done: [],
    parts: 0,
    tables: 0,
    images: 0,
    lost: {},
    createdAt: now,
    updatedAt: now,
  };
}

/** Facts to correct: null restores the manual's own, a missing field stays. */
interface Correction {
  equipment?: string[] | null;
  manufacturer?: string | null;
}

/** Applies a correction to facts: trims it, and names each model once. @throws VALIDATION_FAILED */
function applyCorrection(facts: GivenFacts, { equipment, manufacturer }: Correction): GivenFacts {
  if (equipment === undefined && manufacturer === undefined)
    throw validationFailed({ field: "body", message: "The body must have the field 'equipment' or 'manufacturer'." });
  const models =
    equipment === undefined ? facts.equipment : (equipment ?? []).map((model) => parseText("equipment", model));
  const maker = typeof manufacturer === "string" ? parseText("manufacturer", manufacturer) : undefined;
  return {
    equipment: [...new Set(models)],
    manufacturer: manufacturer === undefined ? facts.manufacturer : maker,
  };
}

function parseText(field: string, value: string): string {
  const text = value.trim();
  if (text === "" || !isSafeText(text)) throw invalidField(field, "must not be blank or have control characters");
  return text;
}
