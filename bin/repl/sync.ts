import type { Result } from "../../broker/contract/define.ts";
import type { Actions } from "../../services/contracts.ts";
import { ask, cell, listing, noWord, onlyWord, type Command } from "./command.ts";

const JOB = "<job: dealer, or a supplier's vendor code>";
const jobOf = (words: readonly string[]): { job: string } => ({ job: onlyWord(words, "The job") });

function timetable(jobs: Result<Actions["catalog.timetable"]>["jobs"]) {
  return listing(
    jobs.map(({ job, everySeconds, paused, succeededAt, nextAt }) => ({
      job,
      "every (s)": everySeconds,
      "last success": succeededAt,
      next: paused ? "paused" : nextAt,
    })),
  );
}

export const sync: Command = {
  name: "sync",
  summary: "Sync a supplier's listing, see how a sync or refresh went, list them, or pause what runs by itself",
  verbs: {
    start: {
      takes: "<supplier: its vendor code, or as TIRE_SUPPLIER_SLUG has it>",
      run: async (broker, words) => {
        const { syncId } = await ask(broker, "catalog.batchSync", { supplier: onlyWord(words, "The supplier") });
        return listing([{ sync: syncId, outcome: "runs" }], `sync status ${syncId} tells how it goes`);
      },
    },
    status: {
      takes: "<syncId>",
      run: async (broker, words) => {
        const { syncId, kind, vendor, status, pages, rows, rate, startedAt, finishedAt, notes, errors } = await ask(
          broker,
          "catalog.sync",
          { syncId: onlyWord(words, "The sync's id") },
        );
        const { read, written, refused, failed } = rows;
        return listing(
          [
            {
              sync: syncId,
              kind,
              vendor,
              status,
              pages: `${pages.done}/${pages.total ?? "?"}`,
              read,
              written,
              refused,
              failed,
              "rows/s": rate,
              started: startedAt,
              finished: finishedAt,
            },
          ],
          [...notes, ...errors.map((error) => cell(error))].join("\n") || undefined,
        );
      },
    },
    list: {
      takes: "",
      run: async (broker) => {
        const { syncs, pagination } = await ask(broker, "catalog.syncs", { pageSize: 20 });
        return listing(
          syncs.map(({ syncId, kind, vendor, status, rows: { written, refused, failed }, startedAt }) => ({
            sync: syncId,
            of: `${kind} ${vendor}`,
            status,
            written,
            refused,
            failed,
            started: startedAt,
          })),
          `${syncs.length} of ${pagination.total}`,
        );
      },
    },
    timetable: {
      takes: "",
      run: async (broker, words) => {
        noWord(words);
        return timetable((await ask(broker, "catalog.timetable", {})).jobs);
      },
    },
    pause: {
      takes: JOB,
      run: async (broker, words) => timetable([await ask(broker, "catalog.pauseJob", jobOf(words))]),
    },
    resume: {
      takes: JOB,
      run: async (broker, words) => timetable([await ask(broker, "catalog.resumeJob", jobOf(words))]),
    },
  },
};
