import { fittingAMessage } from "../../../broker/contract/message.ts";
import type { Task, TaskFilter, Tasks } from "../../../broker/tasks/port.ts";
import { notFound } from "../../../mixins/errors.ts";

type InPath = { params: { id: string } };

export function createTaskActions(tasks: Pick<Tasks, "list" | "find" | "retry" | "drop">) {
  return {
    tasks: async ({ params }: { params: TaskFilter }) => ({
      tasks: fittingAMessage((await tasks.list(params)).map(present)),
    }),
    task: async ({ params: { id } }: InPath) => {
      const found = await tasks.find(id);
      if (!found) throw notFound("Task", id);
      return present(found);
    },
    retryTask: async ({ params: { id } }: InPath) => {
      if (!(await tasks.retry(id))) throw notFound("Task", id);
      return { id, retried: true };
    },
    dropTask: async ({ params: { id } }: InPath) => {
      if (!(await tasks.drop(id))) throw notFound("Task", id);
      return { id, dropped: true };
    },
  };
}

function present({ dueAt, diedAt, ...task }: Task) {
  return { ...task, due_at: dueAt, ...(diedAt ? { died_at: diedAt } : {}) };
}
