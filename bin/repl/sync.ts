import { ask, cell, listing, onlyWord, type Command } from "./command.ts";

export const sync: Command = {
  name: "sync",
  summary: "Sync a supplier's listing, see how a sync or refresh went, or list them",
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
  },
};
