import { fittingAMessage } from "../../broker/contract/message.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { ChannelsUnavailable, type Channels, type DeadLetter } from "../../broker/channels/port.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";

const forOperators = { entries: ["eventstore", "gateway"], access: "admin", envelope: false } as const;

const idInPath = rules({ id: { type: "string", min: 1, max: 500, example: "cart:01JD0000000000000000000000" } });

const deadLetterRule = rule({
  type: "object",
  title: "DeadLetter",
  props: {
    id: { type: "string" },
    channel: { type: "string", example: "order.created" },
    group: {
      type: "string",
      example: "cart",
      description: "The consumer group that gave it up; all others have the event",
    },
    event_id: { type: "string" },
    occurred_at: { type: "date" },
    payload: { type: "record", key: { type: "string" }, value: { type: "any" } },
    attempts: { type: "number", integer: true },
    reason: { type: "string", description: "Of the last failure" },
    died_at: { type: "date" },
  },
});

/** Actions of the event store: what consumers of durable events gave up, for an operator to look at. */
export const deadLetterActions = {
  deadLetters: {
    summary: "List events that a consumer gave up",
    description:
      "A consumer that fails gets an event again with growing pauses; after its last attempt the event is a dead letter of that consumer's group. " +
      "Where they are large, fewer than `limit` come, the first ones.",
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
    summary: "Hand a dead letter to its consumer group again",
    description: "To that group alone, with its attempts counted from nothing.",
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
    summary: "Drop a dead letter for good",
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

type InPath = { params: { id: string } };

export function deadLetterHandlers(channels: Pick<Channels, "deadLetters" | "replay" | "drop">) {
  return {
    deadLetters: async ({ params: { limit } }: { params: { limit: number } }) => ({
      dead_letters: fittingAMessage((await channels.deadLetters(limit).catch(refuse)).map(present)),
    }),
    replayDeadLetter: async ({ params: { id } }: InPath) => {
      if (!(await channels.replay(id).catch(refuse))) throw notFound("Dead letter", id);
      return { id, replayed: true };
    },
    dropDeadLetter: async ({ params: { id } }: InPath) => {
      if (!(await channels.drop(id).catch(refuse))) throw notFound("Dead letter", id);
      return { id, dropped: true };
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof ChannelsUnavailable)) throw error;
  throw new PartlineError("SERVICE_UNAVAILABLE", "The durable channels do not answer", undefined, { cause: error });
}

function present({ id, channel, group, event, attempts, reason, diedAt }: DeadLetter) {
  const { event_id, occurred_at, payload } = event;
  return { id, channel, group, event_id, occurred_at, payload, attempts, reason, died_at: diedAt };
}
