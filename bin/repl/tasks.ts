import { ask, filterOf, listing, UsageError, verbOf, type Command } from "./command.ts";

const STATES = ["waiting", "dead"] as const;
const TASK = ["<id>", "The task's id"] as const;

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
        const { tasks } = await ask(broker, "eventstore.tasks", { ...filter, state });
        return listing(
          tasks.map(({ id, state, due_at: due, attempts, reason }) => ({ id, state, due, attempts, reason })),
          `${tasks.length} tasks`,
        );
      },
    },
    show: verbOf(...TASK, async (broker, id) => {
      const task = await ask(broker, "eventstore.task", { id });
      return listing(Object.entries(task).map(([field, value]) => ({ field, value })));
    }),
    retry: verbOf(...TASK, async (broker, id) => {
      await ask(broker, "eventstore.retryTask", { id });
      return listing([{ id, outcome: "due now" }]);
    }),
    drop: verbOf(...TASK, async (broker, id) => {
      await ask(broker, "eventstore.dropTask", { id });
      return listing([{ id, outcome: "dropped" }]);
    }),
  },
};
