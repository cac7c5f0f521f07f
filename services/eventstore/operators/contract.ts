import { any, array, boolean, date, integer, object, oneOf, record, rules, string } from "@partline/api-contracts";
import { createRoutes } from "../../shared/routes.ts";

const entries = ["eventstore", "gateway"] as const;
const route = createRoutes("system", { entries, access: "admin", envelope: false, base: "/admin/" });

const idLike = (example: string) => rules({ id: string({ min: 1, max: 500, example }) });
const content = record(string(), any());

const deadLetterRule = object("DeadLetter", {
  id: string(),
  channel: string({ example: "order.created", description: "Of a dead task, its kind" }),
  group: string({
    example: "cart",
    description: "The consumer group that failed; all others have handled the event. `tasks` for a dead task",
  }),
  event_id: string({ description: "Of a dead task, its key" }),
  occurred_at: date(),
  payload: content,
  attempts: integer(),
  reason: string({ description: "Of the last failure" }),
  died_at: date(),
});

const taskRule = object("Task", {
  id: string({ description: "Kind and key" }),
  kind: string({ example: "catalog.sync" }),
  key: string({ description: "A kind has one task of a key" }),
  lane: string({
    optional: true,
    description: "Tasks wait only for those of their own lane, such as an endpoint's messages",
  }),
  state: oneOf(["waiting", "held", "dead", "done"], {
    description:
      "`waiting`: until `due_at`, or for a free place; `held`: a process runs it, or died less than 15 seconds ago; " +
      "`dead`: given up; `done`: kept for a while",
  }),
  payload: content,
  progress: { ...content, optional: true, description: "As its last run kept it" },
  attempts: integer(),
  due_at: date(),
  reason: string({ optional: true, description: "Reason of the last failed run" }),
  died_at: date({ optional: true }),
});

const letterInPath = idLike("cart:01JD0000000000000000000000");
const taskInPath = idLike("catalog.sync:sync_01KADTZ6A0J0Q4W2G4B9V5");

/** Actions for operators: the durable tasks of all services, and what consumers of events and handlers of tasks gave up. */
export const operatorActions = {
  deadLetters: {
    summary: "List events and tasks that were given up",
    description:
      "A consumer that fails receives the event again with growing pauses; after the last attempt the event " +
      "is a dead letter of that consumer's group. A durable task (`/admin/tasks`) that failed for the last time is " +
      "listed behind them. A list of large events has fewer than `limit`.",
    params: rules({ limit: integer({ min: 1, max: 1_000, default: 100 }) }),
    result: object("DeadLetterList", { dead_letters: array(deadLetterRule) }),
    errors: ["SERVICE_UNAVAILABLE"],
    http: route("GET", "dead-letters"),
  },
  replayDeadLetter: {
    summary: "Deliver a dead letter again",
    description: "Delivers the event to its group only, or runs the task; attempts are counted from zero.",
    params: letterInPath,
    result: object("ReplayedDeadLetter", { id: string(), replayed: boolean() }),
    errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    audit: { object: "dead-letter", id: "id" },
    http: route("POST", "dead-letters/{id}/replay", { status: 202 }),
  },
  dropDeadLetter: {
    summary: "Drop a dead letter",
    params: letterInPath,
    result: object("DroppedDeadLetter", { id: string(), dropped: boolean() }),
    errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    audit: { object: "dead-letter", id: "id" },
    http: route("DELETE", "dead-letters/{id}"),
  },
  tasks: {
    summary: "List durable tasks",
    description:
      "In the order of `due_at`. A task is work that one process does and that a crash does not lose; those that " +
      "failed for the last time are dead letters too. A list of large tasks has fewer than `limit`.",
    params: rules({
      kind: string({ min: 1, max: 100, optional: true, example: "catalog.sync" }),
      state: oneOf(["waiting", "dead"], {
        optional: true,
        description: "Default: all. `waiting` includes those that are held back",
      }),
      limit: integer({ min: 1, max: 1_000, default: 100 }),
    }),
    result: object("TaskList", { tasks: array(taskRule) }),
    errors: [],
    http: route("GET", "tasks"),
  },
  task: {
    summary: "Get a durable task",
    params: taskInPath,
    result: taskRule,
    errors: ["NOT_FOUND"],
    http: route("GET", "tasks/{id}"),
  },
  retryTask: {
    summary: "Run a durable task now",
    description: "For a delivery that waits or is dead; attempts are counted from zero.",
    params: taskInPath,
    result: object("RetriedTask", { id: string(), retried: boolean() }),
    errors: ["NOT_FOUND"],
    audit: { object: "task", id: "id", read: "task" },
    http: route("POST", "tasks/{id}/retry", { status: 202 }),
  },
  dropTask: {
    summary: "Drop a durable task",
    description: "A run is aborted within five seconds. The task's work stays undone.",
    params: taskInPath,
    result: object("DroppedTask", { id: string(), dropped: boolean() }),
    errors: ["NOT_FOUND"],
    audit: { object: "task", id: "id", read: "task" },
    http: route("DELETE", "tasks/{id}"),
  },
} as const;
