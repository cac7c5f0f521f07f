import { hasObjectStoreCode } from "@partline/durable";
import { outbox } from "../../contracts.ts";
import type { ReadingDocument } from "../collections.ts";
import { isBeingRecognised, WITH_RESULTS } from "../jobs/progress.ts";
import { keepPage, replacePage } from "../results/page-results.ts";
import { AssemblyFailed, assembleReading, describeAssembled, isDue } from "./assemble-manual.ts";
import { enqueueRecognition, type RecognitionItem, waitForOther } from "./work-item.ts";
import type { WorkDeps } from "./work-deps.ts";

/** Reads a page by OCR and queues the next; the page stays as it is if OCR fails. */
export async function recognizePage(
  { reading: id, page }: RecognitionItem,
  deps: WorkDeps,
  signal: AbortSignal,
): Promise<void> {
  const { readings, copies, objects, reader, recogniser } = deps;
  const reading = await readings.find(id);
  if (!reading || !isBeingRecognised(reading)) return;
  if (page === undefined) return completeReading(reading, deps, signal);
  const { sha256 } = reading;
  if (reading.toRecognise?.[`p${page}`]) {
    // What idle readers hold is as much as it takes.
    reader.rest();
    try {
      await copies.use(sha256, (path) =>
        recogniser.read(
          path,
          page,
          page,
          async (pageRead) => {
            signal.throwIfAborted();
            if ("failed" in pageRead) return;
            await keepPage(objects, sha256, pageRead);
            await replacePage(objects, sha256, pageRead.findings);
          },
          { signal },
        ),
      );
    } catch (error) {
      // Removed meanwhile.
      if (!hasObjectStoreCode(error, "NOT_FOUND")) throw error;
    }
  }
  await skipRecognition({ reading: id, page }, deps);
}

const OVER = { toRecognise: true, isCompleting: true } as const;

/** Counts a page as done, read or not, and queues the next. */
export async function skipRecognition({ reading: id, page }: RecognitionItem, deps: WorkDeps): Promise<void> {
  const { readings, wake } = deps;
  const reading = await readings.find(id);
  if (!reading || !isBeingRecognised(reading)) return;
  if (page === undefined) return void (await readings.change(id, {}, { $unset: OVER }));
  const { [`p${page}`]: _, ...left } = reading.toRecognise ?? {};
  await readings.change(
    id,
    { status: { $in: WITH_RESULTS }, [`toRecognise.p${page}`]: true },
    { $unset: { [`toRecognise.p${page}`]: true } },
    [enqueueRecognition({ _id: id, toRecognise: left })],
  );
  wake();
}

/** Puts the manual together with what OCR read, and publishes it again. */
async function completeReading(reading: ReadingDocument, deps: WorkDeps, signal: AbortSignal): Promise<void> {
  const { readings, queue, wake } = deps;
  const { _id, revision } = reading;
  // One that was taken and broke off goes on: a correction waits for it.
  const isCorrected = reading.correction !== undefined && isDue(reading) && !reading.isCompleting;
  const isTaken = !isCorrected && (await readings.change(_id, { revision }, { $set: { isCompleting: true } }));
  if (!isTaken) return queue([enqueueRecognition(reading, waitForOther())]);
  try {
    const { correction: _, ...uncorrected } = reading;
    const assembled = await assembleReading(uncorrected, deps, signal);
    const { event, outcome } = describeAssembled(reading, assembled, deps);
    await readings.change(
      _id,
      { status: { $in: WITH_RESULTS }, toRecognise: { $exists: true } },
      { $set: { ...outcome, finishedAt: new Date() }, $unset: OVER },
      [outbox("document.created", event, `manual_${_id}-recognised`)],
    );
  } catch (error) {
    if (!(error instanceof AssemblyFailed)) throw error;
    await readings.change(_id, {}, { $set: { note: error.message }, $unset: OVER });
  }
  wake();
}
