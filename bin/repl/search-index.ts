import type { Input } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { ask, toListing, readOnlyWord, createVerb, type Command } from "./command.ts";

/** The service refuses other names. */
const readIndex = (words: readonly string[]): Input<Actions["search.rollback"]> => ({
  index: readOnlyWord(words, "The index") as Input<Actions["search.rollback"]>["index"],
});

export const searchIndex: Command = {
  name: "search-index",
  summary: "List search indexes and whether they are current, rebuild them, or roll back to the previous one",
  verbs: {
    list: {
      takes: "",
      run: async (broker) => {
        const [{ indexes }, { docCount_api, docCount_es, delta }] = await Promise.all([
          ask(broker, "search.indexes", {}),
          ask(broker, "search.health", {}),
        ]);
        return toListing(
          indexes.map(({ index, name, documents, createdAt: created, live }) => ({
            index,
            name,
            documents,
            created,
            live: live ? "live" : "",
          })),
          `${docCount_es ?? "?"} of ${docCount_api ?? "?"} parts of the catalog are in the live index${delta === 0 ? "" : ` (${delta ?? "?"} behind)`}`,
        );
      },
    },
    reindex: {
      takes: "[parts | tires] [force]",
      run: async (broker, words) => {
        const rest = words.filter((word) => word !== "force");
        const force = rest.length < words.length;
        const { buildId } = await ask(broker, "search.reindex", { force, ...(rest.length > 0 ? readIndex(rest) : {}) });
        return toListing([{ build: buildId, outcome: "running" }], `search-index build ${buildId} shows its progress`);
      },
    },
    build: createVerb("<buildId>", "The build id", async (broker, id) => {
      const { buildId, status, indexes } = await ask(broker, "search.build", { buildId: id });
      return toListing(
        indexes.map(({ index, name, sent: sentCount }) => ({ build: buildId, status, index, name, sent: sentCount })),
      );
    }),
    rollback: {
      takes: "<parts | tires>",
      run: async (broker, words) => {
        const { index, from, to } = await ask(broker, "search.rollback", readIndex(words));
        return toListing([{ index, from, to }]);
      },
    },
  },
};
