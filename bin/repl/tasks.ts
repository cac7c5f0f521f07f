import { ask, readFilter, toListing, UsageError, createVerb, type Command } from "./command.ts";

const STATES = ["waiting", "dead"] as const;
const TASK = ["<id>", "The task id"] as const;

export const tasks: Command = {
  name: "tasks",
  summary: "List durable tasks, show one, run it now, or drop it",
  verbs: {
    list: {
      takes: "[kind=…] [state=waiting or dead]",
      run: async (broker, words) => {
        const { state: stateWord, ...filter } = readFilter(words, ["kind", "state"]);
        const state = STATES.find((candidate) => candidate === stateWord);
        if (stateWord !== state) throw new UsageError(`"${stateWord}" is not one of ${STATES.join(", ")}`);
        const { tasks } = await ask(broker, "eventstore.tasks", { ...filter, state });
        return toListing(
          tasks.map(({ id, state, due_at: dueAt, attempts, reason }) => ({ id, state, due: dueAt, attempts, reason })),
          `${tasks.length} tasks`,
        );
      },
    },
    show: createVerb(...TASK, async (broker, id) => {
      const task = await ask(broker, "eventstore.task", { id });
      return toListing(Object.entries(task).map(([field, value]) => ({ field, value })));
    }),
    retry: createVerb(...TASK, async (broker, id) => {
      await ask(broker, "eventstore.retryTask", { id });
      return toListing([{ id, outcome: "due now" }]);
    }),
    drop: createVerb(...TASK, async (broker, id) => {
      await ask(broker, "eventstore.dropTask", { id });
      return toListing([{ id, outcome: "dropped" }]);
    }),
  },
};
