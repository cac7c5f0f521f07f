import type { Input } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, noWord, onlyWord, type Command } from "./command.ts";

export const searchIndex: Command = {
  name: "search-index",
  summary:
    "List the search indexes and whether they are in step with the catalog, build them anew, or go back to the one before",
  verbs: {
    list: {
      takes: "",
      run: async (broker, words) => {
        noWord(words);
        const [{ indexes }, { docCount_api, docCount_es, delta }] = await Promise.all([
          call(broker, "search.indexes", {}, AS_ADMIN),
          call(broker, "search.health", {}, AS_ADMIN),
        ]);
        return {
          columns: ["index", "name", "documents", "created", "live"],
          rows: indexes.map(({ index, name, documents, createdAt, live }) =>
            [index, name, documents, createdAt, live ? "live" : ""].map(cell),
          ),
          note: `${docCount_es ?? "?"} of ${docCount_api ?? "?"} parts of the catalog are in the live index${delta === 0 ? "" : ` (${delta ?? "?"} behind)`}`,
        };
      },
    },
    reindex: {
      takes: "[parts | tires] [force]",
      run: async (broker, words) => {
        const force = words.includes("force");
        const rest = words.filter((word) => word !== "force");
        const index = rest.length === 0 ? undefined : nameOf(onlyWord(rest, "The index"));
        const { buildId } = await call(
          broker,
          "search.reindex",
          { force, ...(index === undefined ? {} : { index }) },
          AS_ADMIN,
        );
        return {
          columns: ["build", "outcome"],
          rows: [[buildId, "runs"]],
          note: `search-index build ${buildId} tells how it goes`,
        };
      },
    },
    build: {
      takes: "<buildId>",
      run: async (broker, words) => {
        const { buildId, status, indexes } = await call(
          broker,
          "search.build",
          { buildId: onlyWord(words, "The build's id") },
          AS_ADMIN,
        );
        return {
          columns: ["build", "status", "index", "name", "sent"],
          rows: indexes.map(({ index, name, sent }) => [buildId, status, index, name, sent].map(cell)),
        };
      },
    },
    rollback: {
      takes: "<parts | tires>",
      run: async (broker, words) => {
        const { index, from, to } = await call(
          broker,
          "search.rollback",
          { index: nameOf(onlyWord(words, "The index")) },
          AS_ADMIN,
        );
        return { columns: ["index", "from", "to"], rows: [[index, from, to]] };
      },
    },
  },
};

/** The service knows its names, and refuses others by VALIDATION_FAILED. */
function nameOf(word: string): Input<Actions["search.rollback"]>["index"] {
  return word as Input<Actions["search.rollback"]>["index"];
}
