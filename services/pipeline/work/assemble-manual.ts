import type { PageToCheck } from "@partline/manual-reader";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createWorkerPool, readFileContent, isMachineExhausted, ProcessFailed, writeContent } from "@partline/toolkit";
import { hasObjectStoreCode, type ObjectStore } from "@partline/durable";
import { outbox } from "../../contracts.ts";
import { getManualPrefix } from "../../shared/manual-objects.ts";
import type { Assembled, AssemblyJob } from "../assembly/process.ts";
import type { ReadingDocument } from "../collections.ts";
import { type Correction, CORRECTIONS, keepMachine } from "../corrections/correction.ts";
import { describeLostPages, describePictures, WITH_RESULTS } from "../jobs/progress.ts";
import { LONG_MANUAL_PAGES } from "../limits.ts";
import { getRangeKey } from "../object-keys.ts";
import type { OcrMode, WorkDeps } from "./work-deps.ts";
import { countRanges } from "./ranges.ts";
import { enqueueRecognition, enqueueWork, waitForOther, type WorkItem } from "./work-item.ts";

/** Pages that are kept by their numbers. */
const MOST_TO_CHECK = 100;
const MEMORY_MB = 400;
const WITHIN_MS = 5 * 60_000;

/** The next attempt would fail, too. */
export class AssemblyFailed extends Error {}

const UNDONE = { $unset: { "correction.isUndoing": true } } as const;

/** Puts a manual together, corrects it or undoes that, keeps its files, and publishes it in one write. */
export async function assembleManual(
  { reading: id }: WorkItem & { kind: "assemble" },
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const { readings, failReading, counts } = deps;
  const reading = await readings.find(id);
  if (!reading || !isDue(reading)) return;
  if (reading.isCompleting) return deps.queue([enqueueWork({ kind: "assemble", reading: id }, waitForOther())]);
  const { lost, pages = 0 } = reading;
  const error = describeLostPages(lost);
  if (Object.keys(lost).length === pages) return failReading(id, error ?? "The file has no pages");
  try {
    const assembled = await assembleReading(reading, deps, signal);
    if (await finish(reading, assembled, error, deps)) counts.filesRead += 1;
  } catch (failure) {
    if (!(failure instanceof AssemblyFailed)) throw failure;
    if (reading.correction?.isUndoing) await readings.change(id, {}, UNDONE);
    else await failReading(id, failure.message);
  }
}

export function isDue({ status, correction }: ReadingDocument): boolean {
  if (!correction) return status === "processing";
  return WITH_RESULTS.includes(status) && (correction.error === undefined || correction.isUndoing === true);
}

/** An assembled manual with the time of the last correction in it. */
type CorrectedManual = Assembled & Required<Pick<ReadingDocument, "correctedUntil">>;

/** Assembles a manual from what was read so far, and keeps its files. @throws AssemblyFailed, and what may pass */
export async function assembleReading(
  reading: ReadingDocument,
  { documents, objects, copies, reader }: WorkDeps,
  signal: AbortSignal,
): Promise<CorrectedManual> {
  const { sha256, filename, title, author, chapters = [], pages = 0, correction } = reading;
  const { equipment, manufacturer } = correction && !correction.isUndoing ? correction : reading;
  const ranges = countRanges(pages);
  const corrections = await documents
    .collection<Correction>(CORRECTIONS)
    .find({ sha256 }, { sort: { correctedAt: 1 } });
  return copies.useFolder(async (folder) => {
    await mkdir(join(folder, "ranges"));
    for (let range = 0; range < ranges; range += 1) {
      signal.throwIfAborted();
      await fetchRange(objects, sha256, range, join(folder, "ranges", `${range}.ndjson`));
    }
    if (pages > LONG_MANUAL_PAGES) reader.rest();
    const outline = chapters.map((chapter) => chapter.title);
    const facts = { sha256, filename, title, author, chapters: outline, equipment, manufacturer, pages };
    const assembled = await runAssembly({ folder, ranges, given: facts, corrections }, signal);
    for (const name of assembled.files) {
      signal.throwIfAborted();
      const content = readFileContent(join(folder, name));
      await objects.put(`${getManualPrefix(sha256)}${name}`, content, { contentType: "application/json" });
    }
    return { ...assembled, correctedUntil: corrections.at(-1)?.correctedAt ?? new Date(0) };
  });
}

/** Assembles in a process of its own, whose memory goes with it. @throws AssemblyFailed, and an Error that may pass */
async function runAssembly(job: AssemblyJob, signal: AbortSignal): Promise<Assembled> {
  const pool = createWorkerPool<AssemblyJob, Assembled>(1, {
    entry: new URL("../assembly/process.ts", import.meta.url),
    heapMb: MEMORY_MB,
  });
  try {
    return await pool.run((worker) => worker.ask(job, WITHIN_MS), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const isPassing = error instanceof ProcessFailed ? error.code === "CRASHED" : isMachineExhausted(error);
    if (isPassing) throw error;
    const why = (error as Error).message.replace(/^It/, "it");
    throw new AssemblyFailed(`The manual could not be put together: ${why}`);
  } finally {
    await pool.close();
  }
}

/** Fetches a range's findings; without a readable page there are none. */
async function fetchRange(objects: ObjectStore, sha256: string, range: number, path: string): Promise<void> {
  try {
    await writeContent(path, (await objects.get(getRangeKey(sha256, range))).body);
  } catch (error) {
    if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
    await writeFile(path, "");
  }
}

/** Publishes an assembled manual. Returns whether it was read for the first time. */
async function finish(
  reading: ReadingDocument,
  assembled: CorrectedManual,
  error: string | undefined,
  deps: WorkDeps,
): Promise<boolean> {
  const { readings, wake } = deps;
  const { _id, sha256, run, correction } = reading;
  const toRecognise = correction ? reading.toRecognise : listForOcr(reading, assembled, deps.ocrMode);
  const { event, outcome } = describeAssembled({ ...reading, toRecognise }, assembled, deps);
  if (correction) {
    const { number, equipment: correctedEquipment, manufacturer: maker, isUndoing = { $exists: false } } = correction;
    const facts = { equipment: correctedEquipment, manufacturer: maker };
    const isKept = correction.isOfMachine === true && isUndoing !== true;
    await readings.change(
      _id,
      { status: { $in: WITH_RESULTS }, "correction.number": number, "correction.isUndoing": isUndoing },
      isUndoing === true
        ? { ...UNDONE, $set: outcome }
        : {
            $set: { ...outcome, ...facts },
            $unset: { correction: true, ...(maker === undefined ? { manufacturer: true } : {}) },
          },
      [
        outbox("document.created", event, `manual_${_id}-corrected-${number}`),
        ...(isKept ? [keepMachine(sha256, facts)] : []),
      ],
    );
    wake();
    return false;
  }
  const status = error === undefined ? "completed" : "partially_failed";
  const isDone = await readings.change(
    _id,
    { status: "processing" },
    { $set: { status, ...outcome, toRecognise, finishedAt: new Date(), error } },
    [
      outbox("document.created", event, run === 1 ? `manual_${sha256}` : `manual_${_id}`),
      ...(toRecognise ? [enqueueRecognition({ _id, toRecognise })] : []),
    ],
  );
  wake();
  return isDone;
}

/** Pages without text that `auto` reads after lists: the covers, and the first so many of a manual that is a scan. */
const COVERS = 2;
const MOST_SCANS = 100;

/** Lists the pages that OCR reads, lists first. */
function listForOcr({ pages = 0 }: ReadingDocument, { pictures }: Assembled, mode: OcrMode) {
  const { list_picture: lists = [], scanned: scans = [] } = Object.groupBy(pictures, ({ reason }) => reason);
  const most = mode === "on" ? Infinity : pictures.length >= pages / 2 ? MOST_SCANS : 0;
  const chosen = [...lists, ...scans.filter(({ page }, n) => page <= COVERS || page === pages || n < most)];
  if (mode === "off" || chosen.length === 0) return undefined;
  return Object.fromEntries(chosen.map(({ page }) => [`p${page}`, true as const]));
}

/** Returns the event of an assembled manual, and what its reading keeps of it. */
export function describeAssembled(
  { sha256, run, filename, pages = 0, images, toRecognise = {} }: ReadingDocument,
  assembled: CorrectedManual,
  { ocrMode, embeddingModel }: Pick<WorkDeps, "ocrMode" | "embeddingModel">,
) {
  const { found: counts, pictures, toCheck, equipment, manufacturer, unsure } = assembled;
  const event = {
    sha256,
    run,
    filename,
    equipment: equipment.slice(0, 50).map((model) => model.slice(0, 100)),
    manufacturer,
    pages,
    ...counts,
    images,
    object_prefix: getManualPrefix(sha256),
    embedding_model: embeddingModel,
  };
  const countLeft = (pagesToCheck: readonly PageToCheck[], what: PageToCheck["reason"]): number =>
    pagesToCheck.filter(({ page, reason }) => reason === what && !toRecognise[`p${page}`]).length;
  const left = countLeft(pictures, "list_picture");
  const scans = countLeft(toCheck, "scanned");
  const notes = [
    describePictures("list_picture", left, ocrMode === "off" ? "switch recognition on (PIPELINE_OCR)" : undefined),
    describePictures("scanned", scans, ocrMode === "on" ? undefined : "PIPELINE_OCR=on reads them"),
    assembled.note,
  ].filter((text) => text !== undefined);
  const outcome = {
    ...counts,
    machine: { equipment, manufacturer, unsure },
    toCheck: { count: toCheck.length, pages: toCheck.slice(0, MOST_TO_CHECK) },
    listPictures: left,
    ocr: ocrMode,
    unneeded: assembled.unneeded,
    correctedUntil: assembled.correctedUntil,
    note: notes.length > 0 ? notes.join(". ") : undefined,
  };
  return { event, outcome };
}
