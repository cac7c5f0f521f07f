import type { Result } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { ask, formatCell, toListing, createVerb, type Command } from "./command.ts";

const JOB = ["<job: dealer, or a supplier's vendor code>", "The job"] as const;

function toTimetable(jobs: Result<Actions["catalog.timetable"]>["jobs"]) {
  return toListing(
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
  summary: "Sync a supplier's listing, show or list syncs, or pause a scheduled job",
  verbs: {
    start: createVerb(
      "<supplier: its vendor code, or as TIRE_SUPPLIER_SLUG has it>",
      "The supplier",
      async (broker, supplier) => {
        const { syncId } = await ask(broker, "catalog.batchSync", { supplier });
        return toListing([{ sync: syncId, outcome: "running" }], `sync status ${syncId} shows its progress`);
      },
    ),
    status: createVerb("<syncId>", "The sync id", async (broker, id) => {
      const sync = await ask(broker, "catalog.sync", { syncId: id });
      const { syncId, kind, vendor, status, pages, rows, rate, startedAt, finishedAt, notes, errors } = sync;
      const { read: readRows, written: writtenRows, refused, failed } = rows;
      return toListing(
        [
          {
            sync: syncId,
            kind,
            vendor,
            status,
            pages: `${pages.done}/${pages.total ?? "?"}`,
            read: readRows,
            written: writtenRows,
            refused,
            failed,
            "rows/s": rate,
            started: startedAt,
            finished: finishedAt,
          },
        ],
        [...notes, ...errors.map((error) => formatCell(error))].join("\n") || undefined,
      );
    }),
    list: {
      takes: "",
      run: async (broker) => {
        const { syncs, pagination } = await ask(broker, "catalog.syncs", { pageSize: 20 });
        return toListing(
          syncs.map(({ syncId, kind, vendor, status, rows: { written: writtenRows, refused, failed }, startedAt }) => ({
            sync: syncId,
            of: `${kind} ${vendor}`,
            status,
            written: writtenRows,
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
      run: async (broker) => toTimetable((await ask(broker, "catalog.timetable", {})).jobs),
    },
    pause: createVerb(...JOB, async (broker, job) => toTimetable([await ask(broker, "catalog.pauseJob", { job })])),
    resume: createVerb(...JOB, async (broker, job) => toTimetable([await ask(broker, "catalog.resumeJob", { job })])),
  },
};
