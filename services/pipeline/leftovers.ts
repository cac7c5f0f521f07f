import { Readable } from "node:stream";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import type { ObjectStore } from "../../mixins/object-store/port.ts";
import { prefixOf } from "../shared/manual-objects.ts";
import { type ReadingDocument, READINGS } from "./collections.ts";
import { LEFTOVERS_AFTER_MS } from "./limits.ts";
import type { FileStatus } from "./resources.ts";
import type { WorkDeps } from "./work/worker.ts";

const WITHOUT_RESULTS: readonly FileStatus[] = ["failed", "cancelled"];
const FILES_AT_ONCE = 100;

/**
 * Deletes objects of files that failed or were cancelled and not sent again; the next run finishes. @throws what the
 * stores throw
 */
export async function removeLeftovers(documents: DocumentStore, objects: ObjectStore): Promise<void> {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const last = { isFollowed: { $exists: false }, leftovers: { $ne: "gone" } };
  const before = new Date(Date.now() - LEFTOVERS_AFTER_MS);
  const over = await readings.find(
    { status: { $in: WITHOUT_RESULTS }, updatedAt: { $lt: before }, ...last },
    { limit: FILES_AT_ONCE },
  );
  for (const { _id, sha256, run } of over) {
    if (await readings.findOne({ sha256, run: { $gt: run } })) continue;
    const { matched } = await readings.updateOne({ _id, ...last }, { $set: { leftovers: "going" } });
    if (matched === 0) continue;
    await removeBelow(objects, prefixOf(sha256));
    await readings.updateOne({ _id }, { $set: { leftovers: "gone" } });
  }
}

/** Deletes a manual's objects, so that its file can be sent again. What another node adds later is a leftover. */
export async function removeManual(
  _id: string,
  { documents, objects }: Pick<WorkDeps, "documents" | "objects">,
  signal: AbortSignal,
): Promise<void> {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const reading = await readings.findOne({ _id });
  if (reading?.leftovers !== "going") return;
  await removeBelow(objects, prefixOf(reading.sha256), signal);
  await readings.updateOne({ _id, leftovers: "going" }, { $unset: { leftovers: true } });
}

const AT_ONCE = 16;

/** @throws what the store throws first, and the signal's reason */
async function removeBelow(objects: ObjectStore, prefix: string, signal?: AbortSignal): Promise<void> {
  const remove = ({ key }: { key: string }): Promise<void> => {
    signal?.throwIfAborted();
    return objects.delete(key);
  };
  await Readable.from(objects.list(prefix)).forEach(remove, { concurrency: AT_ONCE });
}
