import { call } from "../../services/contracts.ts";
import { AS_ADMIN, cell, howMany, onlyWord, type Command } from "./command.ts";

export const deadLetters: Command = {
  name: "dead-letters",
  summary: "List events and tasks that were given up, have them handled again, or drop them",
  verbs: {
    list: {
      takes: "[how many]",
      run: async (broker, words) => {
        const limit = howMany(words, { usual: 100, most: 1_000 });
        const { dead_letters } = await call(broker, "eventstore.deadLetters", { limit }, AS_ADMIN);
        return {
          columns: ["id", "channel", "attempts", "died", "reason", "payload"],
          rows: dead_letters.map(({ id, channel, attempts, died_at, reason, payload }) =>
            [id, channel, attempts, died_at, reason, payload].map(cell),
          ),
          note: `${dead_letters.length} dead letters`,
        };
      },
    },
    replay: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await call(
          broker,
          "eventstore.replayDeadLetter",
          { id: onlyWord(words, "The letter's id") },
          AS_ADMIN,
        );
        return { columns: ["id", "outcome"], rows: [[id, "handed to its group again"]] };
      },
    },
    drop: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await call(
          broker,
          "eventstore.dropDeadLetter",
          { id: onlyWord(words, "The letter's id") },
          AS_ADMIN,
        );
        return { columns: ["id", "outcome"], rows: [[id, "dropped"]] };
      },
    },
  },
};
