import { availableParallelism } from "node:os";
import type { Readable } from "node:stream";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { paginate } from "../../broker/contract/common.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings/addresses.ts";
import { PartlineError, tooMany } from "../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import { call, implement } from "../contracts.ts";
import { takePage } from "../shared/paging.ts";
import { pipelineContract } from "./contract.ts";
import { keepMachine } from "./corrections/correction.ts";
import { present, type PresentedCorrection } from "./corrections/corrections.ts";
import { toAnswer, toPageRow, readJobParts, listProgressEvents, toSummary } from "./jobs/views.ts";
import { createBatchId, createJob } from "./jobs/jobs.ts";
import { AGAIN, getSourceKey } from "./object-keys.ts";
import { openPipeline, type Pipeline } from "./open-pipeline.ts";
import { getShownStatus } from "./jobs/progress.ts";
import { toOverview } from "./results/overview.ts";
import { describePages } from "./results/page-summaries.ts";
import { listPdfs } from "./uploads/bucket.ts";
import { receiveForm } from "./uploads/form.ts";
import { findStoredFacts, listIgnoredFields } from "./uploads/not-taken.ts";
import { readPdfBody } from "./uploads/pdf-body.ts";
import { enqueueWork, type RecognitionItem } from "./work/work-item.ts";

/** Failures until work is given up; the death of a process is none. */
const MOST_TRIES = 3;
/** Pages that one client may wait for, drawn one at a time. */
const MOST_DRAWN_FOR_CLIENT = 16;
const REMOVALS_AT_ONCE = 2;

export default function pipelineService(broker: ServiceBroker): ServiceSchema {
  const { settings } = getServiceRuntime(broker);
  let opened: Pipeline | undefined;
  const use = (): Pipeline => {
    if (!opened) throw new PartlineError("SERVICE_UNAVAILABLE", "The pipeline is not open yet");
    return opened;
  };

  const drawnFor = new KeyedQueue(MOST_DRAWN_FOR_CLIENT, () => tooMany(MOST_DRAWN_FOR_CLIENT));
  const onRecognitionGaveUp = (item: RecognitionItem): Promise<void> => use().worker.onRecognitionGaveUp(item);
  const onUnknown = (error: unknown): void =>
    broker.logger.warn("The known facts of a manual that was uploaded again cannot be read", error);

  /** Has the manual put together with it. */
  const announce = (correction: PresentedCorrection): PresentedCorrection => {
    use().wake();
    return correction;
  };

  return implement(pipelineContract, {
    actions: {
      upload: async (ctx) => {
        const { readings, results, staging, wake } = use();
        const batch = createBatchId();
        const { form, kept: reading } = await receiveForm(
          ctx.stream as Readable | undefined,
          ctx.params.contentType,
          (file, parsedForm) =>
            staging.useStaged(readPdfBody(file), async (staged) => {
              const form = await parsedForm;
              return readings.want({ ...staged, ...form }, batch, (id) => [
                createJob(batch, [{ name: form.filename, reading: id }]),
              ]);
            }),
        );
        wake();
        const { filename, equipment, manufacturer } = form;
        const { _id: job_id, sha256, wantedBy } = reading;
        const status = getShownStatus(reading);
        const isKnown = !wantedBy.includes(batch) && (equipment.length > 0 || manufacturer !== undefined);
        const ignored = isKnown ? listIgnoredFields(form, await findStoredFacts(reading, results, onUnknown)) : [];
        const not_taken = ignored.length === 0 ? undefined : ignored;
        return { batch_id: batch, job_id, filename, sha256, status, not_taken };
      },
      processBucket: async ({ params }) => {
        const { objects, queue } = use();
        const { entries, next } = await listPdfs(objects, params);
        const batch = createBatchId();
        await queue([
          createJob(batch, entries),
          ...entries.map((_, index) => enqueueWork({ kind: "take", batch, file: `f${index}` })),
        ]);
        return { batch_id: batch, total: entries.length, next };
      },
      jobs: async ({ params: { page, pageSize } }) => {
        const { jobs, pagination } = await use().jobs.list(page, pageSize);
        return { jobs: jobs.map(toSummary), pagination };
      },
      job: async (ctx) => toAnswer(await use().jobs.get(ctx.params.batch_id)),
      jobParts: async ({ params: { batch_id, page, pageSize } }) => {
        const { jobs, results } = use();
        const { state } = await jobs.get(batch_id);
        const { parts, total } = await readJobParts(state.files, results, { page, pageSize });
        return { parts, pagination: paginate(total, page, pageSize) };
      },
      cancel: async (ctx) => toAnswer(await use().jobs.cancel(ctx.params.batch_id)),
      jobEvents: async ({ params: { batch_id, after } }) => listProgressEvents(await use().jobs.get(batch_id), after),

      source: ({ params: { sha256, file } }) => use().files.getSource(sha256, file),
      image: ({ params: { sha256, image, file } }) => use().files.getImage(sha256, image, file),
      table: ({ params: { sha256, table, file } }) => use().files.getTable(sha256, table, file),
      pageText: ({ params: { sha256, page, file } }) => use().files.getText(sha256, page, file),
      pageImage: ({ params: { sha256, page, view, file }, meta: { client } }) => {
        // The first client may give up while others wait.
        const draw = () => call(broker, "pipeline.drawPage", { sha256, page });
        return use().files[view === "page" ? "getPage" : "getDrawing"](sha256, page, file, () =>
          client === undefined ? draw() : drawnFor.run(client, draw),
        );
      },
      pageFindings: async ({ params: { sha256, page } }) => {
        const { state, parts, figures, corrections, ...findings } = await use().results.getPage(sha256, page);
        const { check, recognition, error, error_code } = state;
        return {
          page,
          ...findings,
          ...{ check, recognition, error, error_code },
          parts: parts.map(toPageRow),
          figures: figures.map(({ id, label, title, correction = null }) => ({ figure: id, label, title, correction })),
          corrections: corrections.map(({ correction, state: progress }) => present(correction, progress)),
        };
      },
      pages: async ({ params: { sha256, page, pageSize } }) => {
        const { results } = use();
        const [reading, summaries] = await Promise.all([results.reading(sha256), results.readSummaries(sha256)]);
        const { found: pages, pagination } = takePage(describePages(reading, summaries), { page, pageSize });
        return { pages, pagination };
      },
      corrections: async ({ params: { sha256, page, pageSize } }) => {
        const { found: pageOfList, pagination } = takePage(await use().results.getCorrections(sha256), {
          page,
          pageSize,
        });
        return { corrections: pageOfList.map(({ correction, state }) => present(correction, state)), pagination };
      },
      addPart: async ({ params: { sha256, page, ...row } }) =>
        announce(await use().corrections.addRow({ sha256, page }, row)),
      correctPart: async ({ params: { sha256, page, row, ...input } }) =>
        announce(await use().corrections.correctRow({ sha256, page }, row, input)),
      removePart: async ({ params: { sha256, page, row } }) =>
        announce(await use().corrections.correctRow({ sha256, page }, row, null)),
      correctFigure: async ({ params: { sha256, page, figure, ...input } }) =>
        announce(await use().corrections.correctFigure({ sha256, page }, figure, input)),
      confirmPage: async ({ params: place }) => announce(await use().corrections.confirmPage(place)),
      withdrawCorrection: async ({ params: { sha256, correction } }) =>
        announce(await use().corrections.withdraw(sha256, correction)),
      drawPage: async ({ params: { sha256, page } }) => {
        await use().files.draw(sha256, page);
        return {};
      },

      overview: async ({ params: { sha256, after } }) => {
        const { results } = use();
        const [reading, manual, contents] = await Promise.all([
          results.reading(sha256),
          results.getManual(sha256),
          results.getContents(sha256),
        ]);
        return toOverview({ reading, manual, contents }, after, linkBase(settings, "pipeline"));
      },
      correct: async ({ params: { sha256, ...correction } }) => {
        const { readings, wake } = use();
        const { equipment, manufacturer = null } = await readings.correct(sha256, correction);
        wake();
        return { sha256, equipment: equipment.length === 0 ? null : equipment, manufacturer };
      },
      readAgain: async ({ params: { sha256 } }) => {
        const { objects, readings, results, wake } = use();
        const { filename } = await results.reading(sha256);
        // Its own file goes with the manual.
        const key = `${AGAIN}${sha256}.pdf`;
        await objects.put(key, (await objects.get(getSourceKey(sha256))).body, { contentType: "application/pdf" });
        const batch = createBatchId();
        await readings.remove(sha256, ({ equipment, manufacturer }) => [
          ...(equipment.length > 0 || manufacturer !== undefined
            ? [keepMachine(sha256, { equipment, manufacturer })]
            : []),
          createJob(batch, [{ name: filename, key }]),
          enqueueWork({ kind: "take", batch, file: "f0" }),
        ]);
        wake();
        return { batch_id: batch };
      },
      remove: async ({ params: { sha256 } }) => {
        const { readings, wake } = use();
        await readings.remove(sha256);
        wake();
        return { deleted: true };
      },
      ready: async () => {
        await use().objects.ping();
        return {};
      },
    },
    tasks: {
      "pipeline.work": {
        concurrency: settings.pipelineWorkers,
        // Processes that can read at once.
        eager: availableParallelism(),
        maxRetries: MOST_TRIES - 1,
        run: (payload, { signal }) => use().worker.run(payload, signal),
        gaveUp: (payload, error) => use().worker.onGaveUp(payload, error),
      },
      "pipeline.recognition": {
        // One process, which gives way to all others.
        concurrency: 1,
        maxRetries: MOST_TRIES - 1,
        run: (payload, { signal }) => use().worker.recognizePage(payload, signal),
        gaveUp: onRecognitionGaveUp,
      },
      "pipeline.removal": {
        concurrency: REMOVALS_AT_ONCE,
        run: ({ reading }, run) => use().removeManual(reading, run),
      },
    },
    started: async () => {
      opened = await openPipeline(broker);
    },
    stopped: async () => {
      await opened?.close();
      opened = undefined;
    },
  });
}
