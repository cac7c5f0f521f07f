import { rule, rules } from "../../../broker/contract/rules.ts";

const forOperators = { entries: ["eventstore", "gateway"], access: "admin", envelope: false } as const;

const idInPath = rules({ id: { type: "string", min: 1, max: 500, example: "cart:01JD0000000000000000000000" } });

const deadLetterRule = rule({
  type: "object",
  title: "DeadLetter",
  props: {
    id: { type: "string" },
    channel: { type: "string", example: "order.created", description: "Of a dead task, its kind" },
    group: {
      type: "string",
      example: "cart",
      description: "The consumer group that failed; all others have handled the event. `tasks` for a dead task",
    },
    event_id: { type: "string", description: "Of a dead task, its key" },
    occurred_at: { type: "date" },
    payload: { type: "record", key: { type: "string" }, value: { type: "any" } },
    attempts: { type: "number", integer: true },
    reason: { type: "string", description: "Of the last failure" },
    died_at: { type: "date" },
  },
});

/** Actions for operators: what consumers of events and handlers of tasks gave up. */
export const deadLetterActions = {
  deadLetters: {
    summary: "List events and tasks that were given up",
    description:
      "A consumer that fails receives the event again with growing pauses; after the last attempt the event " +
      "is a dead letter of that consumer's group. A durable task (`/admin/tasks`) that failed for the last time is " +
      "listed behind them. A list of large events has fewer than `limit`.",
    params: rules({ limit: { type: "number", integer: true, min: 1, max: 1_000, default: 100 } }),
    result: rule({
      type: "object",
      title: "DeadLetterList",
      props: { dead_letters: { type: "array", items: deadLetterRule } },
    }),
    errors: ["SERVICE_UNAVAILABLE"],
    idempotent: true,
    http: [{ method: "GET", path: "/admin/dead-letters", ...forOperators }],
  },
  replayDeadLetter: {
    summary: "Deliver a dead letter again",
    description: "Delivers it to that group alone, or runs the task; its attempts are counted from zero.",
    params: idInPath,
    result: rule({
      type: "object",
      title: "ReplayedDeadLetter",
      props: { id: { type: "string" }, replayed: { type: "boolean" } },
    }),
    errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    http: [{ method: "POST", path: "/admin/dead-letters/{id}/replay", status: 202, ...forOperators }],
  },
  dropDeadLetter: {
    summary: "Drop a dead letter",
    params: idInPath,
    result: rule({
      type: "object",
      title: "DroppedDeadLetter",
      props: { id: { type: "string" }, dropped: { type: "boolean" } },
    }),
    errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    http: [{ method: "DELETE", path: "/admin/dead-letters/{id}", ...forOperators }],
  },
} as const;
