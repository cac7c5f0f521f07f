import { ask, howMany, listing, onlyWord, type Command } from "./command.ts";

const idOf = (words: readonly string[]): { id: string } => ({ id: onlyWord(words, "The letter's id") });

export const deadLetters: Command = {
  name: "dead-letters",
  summary: "List events and tasks that were given up, have them handled again, or drop them",
  verbs: {
    list: {
      takes: "[how many]",
      run: async (broker, words) => {
        const limit = howMany(words, { usual: 100, most: 1_000 });
        const { dead_letters } = await ask(broker, "eventstore.deadLetters", { limit });
        return listing(
          dead_letters.map(({ id, channel, attempts, died_at: died, reason, payload }) => ({
            id,
            channel,
            attempts,
            died,
            reason,
            payload,
          })),
          `${dead_letters.length} dead letters`,
        );
      },
    },
    replay: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await ask(broker, "eventstore.replayDeadLetter", idOf(words));
        return listing([{ id, outcome: "handed to its group again" }]);
      },
    },
    drop: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await ask(broker, "eventstore.dropDeadLetter", idOf(words));
        return listing([{ id, outcome: "dropped" }]);
      },
    },
  },
};
