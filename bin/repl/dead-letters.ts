import { ask, readCount, toListing, createVerb, type Command } from "./command.ts";

const LETTER = ["<id>", "The id of the dead letter"] as const;

export const deadLetters: Command = {
  name: "dead-letters",
  summary: "List events and tasks that failed too often, retry them, or drop them",
  verbs: {
    list: {
      takes: "[how many]",
      run: async (broker, words) => {
        const limit = readCount(words, { usual: 100, most: 1_000 });
        const { dead_letters } = await ask(broker, "eventstore.deadLetters", { limit });
        return toListing(
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
    replay: createVerb(...LETTER, async (broker, id) => {
      await ask(broker, "eventstore.replayDeadLetter", { id });
      return toListing([{ id, outcome: "retrying" }]);
    }),
    drop: createVerb(...LETTER, async (broker, id) => {
      await ask(broker, "eventstore.dropDeadLetter", { id });
      return toListing([{ id, outcome: "dropped" }]);
    }),
  },
};
