import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { hasObjectStoreCode, type ObjectStore } from "../../../mixins/object-store/port.ts";
import { outbox } from "../../contracts.ts";
import type { Assembled } from "../assembly/job.ts";
import { AssemblyFailed, runAssembly } from "../assembly/run.ts";
import type { ReadingDocument } from "../collections.ts";
import { lostPagesError } from "../jobs/lost-pages.ts";
import { LONG_MANUAL_PAGES } from "../limits.ts";
import { prefixOf, rangeKey } from "../object-keys.ts";
import type { WorkDeps } from "./deps.ts";
import { rangeCount } from "./ranges.ts";
import type { WorkItem } from "./work-item.ts";

/** Puts a manual together, keeps its files, and then writes that it is read and that it is there, at once. */
export async function assembleManual(
  { reading: id }: WorkItem & { kind: "assemble" },
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const { readings, counts } = deps;
  const reading = await readings.find(id);
  if (reading?.status !== "processing") return;
  const { lost, pages = 0 } = reading;
  const fail = async (reason: string): Promise<void> => {
    if (await readings.fail(id, reason)) counts.filesFailed += 1;
  };
  const error = lostPagesError(lost);
  if (Object.keys(lost).length === pages) return fail(error ?? "The file has no pages");
  try {
    const assembled = await putTogether(reading, deps, signal);
    if (await finish(reading, assembled, error, deps)) counts.filesRead += 1;
  } catch (failure) {
    if (!(failure instanceof AssemblyFailed)) throw failure;
    await fail(failure.message);
  }
}

async function putTogether(
  reading: ReadingDocument,
  { objects, copies, reader }: WorkDeps,
  signal: AbortSignal,
): Promise<Assembled> {
  const { sha256, filename, equipment, manufacturer, pages = 0 } = reading;
  const ranges = rangeCount(pages);
  return copies.folder(async (folder) => {
    await mkdir(join(folder, "ranges"));
    for (let range = 0; range < ranges; range += 1) {
      signal.throwIfAborted();
      await fetchRange(objects, sha256, range, join(folder, "ranges", `${range}.ndjson`));
    }
    if (pages > LONG_MANUAL_PAGES) reader.rest();
    const assembled = await runAssembly(
      { folder, ranges, given: { sha256, filename, equipment, manufacturer, pages } },
      signal,
    );
    for (const { name, contentType } of assembled.files) {
      signal.throwIfAborted();
      await objects.put(`${prefixOf(sha256)}${name}`, createReadStream(join(folder, name)), { contentType });
    }
    return assembled;
  });
}

/** A range whose pages were all lost has left nothing. */
async function fetchRange(objects: ObjectStore, sha256: string, range: number, path: string): Promise<void> {
  try {
    await pipeline((await objects.get(rangeKey(sha256, range))).body, createWriteStream(path));
  } catch (error) {
    if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
    await writeFile(path, "");
  }
}

async function finish(
  reading: ReadingDocument,
  { found, equipment, manufacturer }: Assembled,
  error: string | undefined,
  { readings, wake }: WorkDeps,
): Promise<boolean> {
  const { _id, sha256, run, filename, pages = 0, images } = reading;
  const status = error === undefined ? "completed" : "partially_failed";
  const created = {
    sha256,
    filename,
    equipment: equipment.slice(0, 50).map((model) => model.slice(0, 100)),
    ...(manufacturer === undefined ? {} : { manufacturer }),
    pages,
    ...found,
    images,
    object_prefix: prefixOf(sha256),
  };
  const isDone = await readings.change(
    _id,
    { status: "processing" },
    { $set: { status, ...found, finishedAt: new Date(), ...(error === undefined ? {} : { error }) } },
    [outbox("document.created", created, run === 1 ? `manual_${sha256}` : `manual_${_id}`)],
  );
  wake();
  return isDone;
}
