import { join } from "node:path";
import type { ServiceBroker } from "moleculer";
import { getMetrics } from "@partline/moleculer-kit";
import { type AtomicWrite, openObjectStore, type TaskRun } from "@partline/durable";
import { startPeriodicTask } from "../../broker/periodic.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { LEXICAL } from "../../mixins/embeddings/port.ts";
import { type ReadingDocument, READINGS } from "./collections.ts";
import { createCorrections } from "./corrections/corrections.ts";
import { openLocalCopies } from "./files/local-copies.ts";
import { createManualFiles } from "./files/manual-files.ts";
import { createJobs } from "./jobs/jobs.ts";
import { removeLeftovers, removeManual } from "./leftovers.ts";
import { createCounts, showPipeline } from "./metrics.ts";
import { createPdfReader, listMissingLanguages } from "@partline/manual-reader";
import { ACTIVE, createReadings } from "./readings.ts";
import type { FileError } from "./resources.ts";
import { createManualResults } from "./results/manual-results.ts";
import { createStaging } from "./uploads/staging.ts";
import { getWorkId, type WorkItem, listRemainingWork } from "./work/work-item.ts";
import { createWorker } from "./work/worker.ts";

/** Milliseconds. */
const DRAW_WITHIN_MS = 10_000;
/** Time limit of OCR for a page, on a busy machine. */
const RECOGNISE_WITHIN_MS = 5 * 60_000;
/** Megabytes. */
const RECOGNISE_MB = 400;
const SWEEP_EVERY_MS = 60_000;
const COUNT_EVERY_MS = 10_000;
const TIDY_EVERY_MS = 10 * 60_000;

export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;

export async function openPipeline(broker: ServiceBroker) {
  const { documents, channels, tasks, settings } = getServiceRuntime(broker);
  const objects = await openObjectStore(settings);
  const copies = await openLocalCopies(join(settings.dataDir, "pipeline-work"), objects);
  const missing = settings.pipelineOcr === "off" ? [] : listMissingLanguages(settings.pipelineOcrLanguages);
  if (missing.length > 0)
    throw new Error(
      `PIPELINE_OCR_LANGUAGES names ${missing.join(", ")}: install ` +
        missing.map((language) => `@tesseract.js-data/${language}`).join(", "),
    );
  const reader = createPdfReader();
  const recogniser = createPdfReader({
    languages: settings.pipelineOcrLanguages,
    processes: 1,
    pageWithinMs: RECOGNISE_WITHIN_MS,
    memoryMb: RECOGNISE_MB,
  });
  // Of its own: what everybody may ask for takes no place of those who read.
  const drawer = createPdfReader({ processes: 1, pageWithinMs: DRAW_WITHIN_MS });
  const onError = (task: string, error: unknown): void =>
    broker.logger.warn(`${task} failed, and is tried again`, error);
  const wake = (): void => {
    channels.wake();
    tasks.wake();
  };
  const drop = async (work: WorkItem[]): Promise<void> => {
    await tasks
      .drop(...work.map(getWorkId))
      .catch((error: unknown) => broker.logger.warn("Work that nobody waits for goes on to its end", error));
  };
  const readings = createReadings(documents, {
    onChange: (reading) => void broker.broadcast("pipeline.progressed", { reading }),
    onCancelled: (reading) => drop(listRemainingWork(reading)),
  });
  const queue = async (writes: AtomicWrite[]): Promise<void> => {
    await documents.atomically(writes);
    wake();
  };
  const jobs = createJobs(documents, readings, drop);
  const staging = createStaging(objects);
  const results = createManualResults(objects, readings, documents);
  const counts = createCounts();
  const failReading = async (id: string, reason: string, code?: FileError): Promise<void> => {
    if (await readings.fail(id, reason, code)) counts.filesFailed += 1;
  };
  const worker = createWorker({
    documents,
    objects,
    readings,
    failReading,
    copies,
    staging,
    reader,
    recogniser,
    ocrMode: settings.pipelineOcr,
    counts,
    embeddingModel: settings.embeddings?.model ?? LEXICAL,
    queue,
    wake,
  });

  const sweeping = startPeriodicTask(
    broker,
    {
      name: "pipeline.sweep",
      everyMs: SWEEP_EVERY_MS,
      run: async () => {
        await staging.sweep();
        await removeLeftovers(documents);
      },
    },
    (error) => onError("pipeline.sweep", error),
  );
  const count = async (): Promise<void> => {
    counts.filesWaiting = await documents.collection<ReadingDocument>(READINGS).count({ status: { $in: ACTIVE } });
  };
  const counting = setInterval(
    () => void count().catch((error: unknown) => broker.logger.debug("The waiting files cannot be counted", error)),
    COUNT_EVERY_MS,
  ).unref();
  const tidy = async (): Promise<void> => {
    await objects.removeAbandoned();
    await copies.sweep();
  };
  const tidying = setInterval(
    () => void tidy().catch((error: unknown) => onError("Tidying the disk", error)),
    TIDY_EVERY_MS,
  ).unref();
  showPipeline(getMetrics(broker), counts, settings.pipelineWorkers);

  return {
    objects,
    readings,
    jobs,
    results,
    corrections: createCorrections({ documents, readings, results }),
    files: createManualFiles({ objects, results, copies, drawer }),
    staging,
    worker,
    removeManual: (reading: string, run: TaskRun) => removeManual(reading, { documents, objects }, run),
    queue,
    wake,
    close: async () => {
      clearInterval(counting);
      clearInterval(tidying);
      await sweeping.stop();
      await Promise.all([reader.close(), recogniser.close(), drawer.close()]);
      await copies.close();
      objects.close();
    },
  };
}
