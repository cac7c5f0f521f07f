import { call } from "../../services/contracts.ts";
import { AS_ADMIN, cell, filterOf, onlyWord, UsageError, type Command } from "./command.ts";

const STATES = ["waiting", "dead"] as const;
const id = (words: readonly string[]): string => onlyWord(words, "The task's id");

export const tasks: Command = {
  name: "tasks",
  summary: "List durable tasks, show one, run it now, or drop it",
  verbs: {
    list: {
      takes: "[kind=…] [state=waiting or dead]",
      run: async (broker, words) => {
        const { kind, state: asked } = filterOf(words, ["kind", "state"]);
        const state = STATES.find((each) => each === asked);
        if (asked !== state) throw new UsageError(`"${asked}" is not one of ${STATES.join(", ")}`);
        const { tasks } = await call(
          broker,
          "eventstore.tasks",
          { ...(kind === undefined ? {} : { kind }), ...(state === undefined ? {} : { state }) },
          AS_ADMIN,
        );
        return {
          columns: ["id", "state", "due", "attempts", "reason"],
          rows: tasks.map(({ id, state, due_at, attempts, reason }) => [id, state, due_at, attempts, reason].map(cell)),
          note: `${tasks.length} tasks`,
        };
      },
    },
    show: {
      takes: "<id>",
      run: async (broker, words) => {
        const task = await call(broker, "eventstore.task", { id: id(words) }, AS_ADMIN);
        return { columns: ["field", "value"], rows: Object.entries(task).map(([name, value]) => [name, cell(value)]) };
      },
    },
    retry: {
      takes: "<id>",
      run: async (broker, words) => {
        const retried = await call(broker, "eventstore.retryTask", { id: id(words) }, AS_ADMIN);
        return { columns: ["id", "outcome"], rows: [[retried.id, "due now"]] };
      },
    },
    drop: {
      takes: "<id>",
      run: async (broker, words) => {
        const dropped = await call(broker, "eventstore.dropTask", { id: id(words) }, AS_ADMIN);
        return { columns: ["id", "outcome"], rows: [[dropped.id, "dropped"]] };
      },
    },
  },
};
