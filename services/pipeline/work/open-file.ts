import { hasObjectStoreCode } from "../../../mixins/object-store/port.ts";
import { ACTIVE } from "../readings.ts";
import type { WorkDeps } from "./worker.ts";
import { outstandingRanges, type WorkItem, workOf } from "./work-item.ts";

/** Counts a file's pages and queues its first ranges in one batch. */
export async function openFile(
  { reading: id }: WorkItem & { kind: "open" },
  { readings, failReading, copies, reader, wake }: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const reading = await readings.find(id);
  if (!reading || !ACTIVE.includes(reading.status) || reading.pages !== undefined) return;
  try {
    const opened = await copies.use(reading.sha256, (path) => reader.open(path, { signal }));
    if ("refused" in opened) {
      await failReading(id, opened.refused.reason);
      return;
    }
    const { pages } = opened;
    if (pages < 1) {
      await failReading(id, "The file has no pages");
      return;
    }
    const begun = { $set: { status: "processing", pages, startedAt: new Date() } };
    await readings.change(
      id,
      { status: "queued" },
      begun,
      outstandingRanges(pages, []).map((range) => workOf({ kind: "range", reading: id, range })),
    );
    wake();
  } catch (error) {
    if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
    await failReading(id, "The file is not in the object store any more");
  }
}
