import type { Result } from "../../broker/contract/define.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, noWord, onlyWord, type Answer, type Command } from "./command.ts";

export const projections: Command = {
  name: "projections",
  summary: "List what analytics counts and how far, or count it anew",
  verbs: {
    list: {
      takes: "",
      run: async (broker, words) => {
        noWord(words);
        return tableOf(await call(broker, "analytics.projections", {}, AS_ADMIN));
      },
    },
    rebuild: {
      takes: "[projection]",
      run: async (broker, words) => {
        const projection = words.length === 0 ? undefined : nameOf(onlyWord(words, "The projection"));
        return tableOf(
          await call(broker, "analytics.rebuild", projection === undefined ? {} : { projection }, AS_ADMIN),
        );
      },
    },
  },
};

type Projections = Result<Actions["analytics.projections"]>;

/** The service knows its names, and refuses others by VALIDATION_FAILED. */
function nameOf(word: string): Projections["projections"][number]["name"] {
  return word as Projections["projections"][number]["name"];
}

function tableOf({ projections: all }: Projections): Answer {
  return {
    columns: ["projection", "state", "generation", "position", "rebuilding"],
    rows: all.map(({ name, state, generation, position, rebuilding }) =>
      [
        name,
        state,
        generation,
        position,
        rebuilding && `generation ${rebuilding.generation}, at ${rebuilding.position}`,
      ].map(cell),
    ),
  };
}
