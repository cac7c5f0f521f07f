import { ask, filterOf, listing, onlyWord, UsageError, type Command } from "./command.ts";

const STATES = ["waiting", "dead"] as const;
const idOf = (words: readonly string[]): { id: string } => ({ id: onlyWord(words, "The task's id") });

export const tasks: Command = {
  name: "tasks",
  summary: "List durable tasks, show one, run it now, or drop it",
  verbs: {
    list: {
      takes: "[kind=…] [state=waiting or dead]",
      run: async (broker, words) => {
        const { state: asked, ...filter } = filterOf(words, ["kind", "state"]);
        const state = STATES.find((each) => each === asked);
        if (asked !== state) throw new UsageError(`"${asked}" is not one of ${STATES.join(", ")}`);
        const { tasks } = await ask(broker, "eventstore.tasks", {
          ...filter,
          ...(state === undefined ? {} : { state }),
        });
        return listing(
          tasks.map(({ id, state, due_at: due, attempts, reason }) => ({ id, state, due, attempts, reason })),
          `${tasks.length} tasks`,
        );
      },
    },
    show: {
      takes: "<id>",
      run: async (broker, words) => {
        const task = await ask(broker, "eventstore.task", idOf(words));
        return listing(Object.entries(task).map(([field, value]) => ({ field, value })));
      },
    },
    retry: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await ask(broker, "eventstore.retryTask", idOf(words));
        return listing([{ id, outcome: "due now" }]);
      },
    },
    drop: {
      takes: "<id>",
      run: async (broker, words) => {
        const { id } = await ask(broker, "eventstore.dropTask", idOf(words));
        return listing([{ id, outcome: "dropped" }]);
      },
    },
  },
};
