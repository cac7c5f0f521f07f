import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, noWord, onlyWord, type Answer, type Command } from "./command.ts";

type Summary = Result<Actions["catalog.syncs"]>["syncs"][number];

export const sync: Command = {
  name: "sync",
  summary: "Sync a supplier's listing, see how a sync or refresh went, or list them",
  verbs: {
    start: {
      takes: "<supplier: its vendor code, or as TIRE_SUPPLIER_SLUG has it>",
      run: async (broker, words) => {
        const { syncId } = await call(
          broker,
          "catalog.batchSync",
          { supplier: onlyWord(words, "The supplier") },
          AS_ADMIN,
        );
        return {
          columns: ["sync", "outcome"],
          rows: [[syncId, "runs"]],
          note: `sync status ${syncId} tells how it goes`,
        };
      },
    },
    status: {
      takes: "<syncId>",
      run: async (broker, words) => {
        const report = await call(broker, "catalog.sync", { syncId: onlyWord(words, "The sync's id") }, AS_ADMIN);
        return {
          ...recordOf(report),
          note: [...report.notes, ...report.errors.map((error) => cell(error))].join("\n") || undefined,
        };
      },
    },
    list: {
      takes: "",
      run: async (broker, words) => {
        noWord(words);
        const { syncs, pagination } = await call(broker, "catalog.syncs", { pageSize: 20 }, AS_ADMIN);
        return {
          columns: ["sync", "of", "status", "written", "refused", "failed", "started"],
          rows: syncs.map(({ syncId, kind, vendor, status, rows, startedAt }) =>
            [syncId, `${kind} ${vendor}`, status, rows.written, rows.refused, rows.failed, startedAt].map(cell),
          ),
          note: `${syncs.length} of ${pagination.total}`,
        };
      },
    },
  },
};

function recordOf({ syncId, kind, vendor, status, pages, rows, rate, startedAt, finishedAt }: Summary): Answer {
  return {
    columns: [
      "sync",
      "kind",
      "vendor",
      "status",
      "pages",
      "read",
      "written",
      "refused",
      "failed",
      "rows/s",
      "started",
      "finished",
    ],
    rows: [
      [
        syncId,
        kind,
        vendor,
        status,
        `${pages.done}/${pages.total ?? "?"}`,
        rows.read,
        rows.written,
        rows.refused,
        rows.failed,
        rate,
        startedAt,
        finishedAt,
      ].map(cell),
    ],
  };
}
