import { rule, rules } from "../../../broker/contract/rules.ts";

const forOperators = { entries: ["eventstore", "gateway"], access: "admin", envelope: false } as const;

const idInPath = rules({
  id: { type: "string", min: 1, max: 500, example: "catalog.sync:sync_01KADTZ6A0J0Q4W2G4B9V5" },
});
const content = rule({ type: "record", key: { type: "string" }, value: { type: "any" } });

const taskRule = rule({
  type: "object",
  title: "Task",
  props: {
    id: { type: "string", description: "Kind and key" },
    kind: { type: "string", example: "catalog.sync" },
    key: { type: "string", description: "A kind has one task of a key" },
    state: {
      type: "enum",
      values: ["waiting", "held", "dead", "done"],
      description:
        "`waiting`: until `due_at`, or for a free place; `held`: a process runs it, or died less than 15 seconds ago; " +
        "`dead`: given up; `done`: kept for a while",
    },
    payload: content,
    progress: { ...content, optional: true, description: "As its last run kept it" },
    attempts: { type: "number", integer: true },
    due_at: { type: "date" },
    reason: { type: "string", optional: true, description: "Of the last run that failed" },
    died_at: { type: "date", optional: true },
  },
});

/** Actions for operators: the durable tasks of all services. */
export const taskActions = {
  tasks: {
    summary: "List durable tasks",
    description:
      "In the order of `due_at`. A task is work that one process does and that a crash does not lose; those that " +
      "failed for the last time are dead letters too. A list of large tasks has fewer than `limit`.",
    params: rules({
      kind: { type: "string", min: 1, max: 100, optional: true, example: "catalog.sync" },
      state: {
        type: "enum",
        values: ["waiting", "dead"],
        optional: true,
        description: "All unless given; `waiting` has those that are held too",
      },
      limit: { type: "number", integer: true, min: 1, max: 1_000, default: 100 },
    }),
    result: rule({ type: "object", title: "TaskList", props: { tasks: { type: "array", items: taskRule } } }),
    errors: [],
    idempotent: true,
    http: [{ method: "GET", path: "/admin/tasks", ...forOperators }],
  },
  task: {
    summary: "Get a durable task",
    params: idInPath,
    result: taskRule,
    errors: ["NOT_FOUND"],
    idempotent: true,
    http: [{ method: "GET", path: "/admin/tasks/{id}", ...forOperators }],
  },
  retryTask: {
    summary: "Run a durable task now",
    description: "For one that waits or is dead; its attempts are counted from zero.",
    params: idInPath,
    result: rule({
      type: "object",
      title: "RetriedTask",
      props: { id: { type: "string" }, retried: { type: "boolean" } },
    }),
    errors: ["NOT_FOUND"],
    http: [{ method: "POST", path: "/admin/tasks/{id}/retry", status: 202, ...forOperators }],
  },
  dropTask: {
    summary: "Drop a durable task",
    description: "A run of it is aborted within five seconds. What the task was for stays undone.",
    params: idInPath,
    result: rule({
      type: "object",
      title: "DroppedTask",
      props: { id: { type: "string" }, dropped: { type: "boolean" } },
    }),
    errors: ["NOT_FOUND"],
    http: [{ method: "DELETE", path: "/admin/tasks/{id}", ...forOperators }],
  },
} as const;
