import type { Result } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { ask, toListing, readOnlyWord, type Answer, type Command } from "./command.ts";

type Projections = Result<Actions["analytics.projections"]>["projections"];

export const projections: Command = {
  name: "projections",
  summary: "List analytics projections and their positions, or rebuild them",
  verbs: {
    list: {
      takes: "",
      run: async (broker) => toTable((await ask(broker, "analytics.projections", {})).projections),
    },
    rebuild: {
      takes: "[projection]",
      run: async (broker, words) => {
        const projection =
          words.length === 0 ? undefined : (readOnlyWord(words, "The projection") as Projections[0]["name"]);
        return toTable((await ask(broker, "analytics.rebuild", { projection })).projections);
      },
    },
  },
};

function toTable(list: Projections): Answer {
  return toListing(
    list.map(({ name: projection, state, generation, position, rebuilding }) => ({
      projection,
      state,
      generation,
      position,
      rebuilding: rebuilding && `generation ${rebuilding.generation}, at ${rebuilding.position}`,
    })),
  );
}
