import { defineService } from "../../broker/contract/define.ts";
import { rule } from "../../broker/contract/rules.ts";

const eventRule = rule({
  type: "object",
  title: "StoredEvent",
  props: {
    event_id: { type: "string" },
    position: { type: "number", integer: true, description: "Ascending over all events, from 1" },
    aggregate_id: { type: "string" },
    aggregate_type: { type: "string", example: "order" },
    version: { type: "number", integer: true, description: "Ascending in the aggregate without gaps, from 1" },
    event_type: { type: "string", example: "ORDER_CREATED" },
    data: { type: "record", key: { type: "string" }, value: { type: "any" } },
    timestamp: { type: "date", description: "When it happened" },
  },
});

const eventsRule = rule({ type: "object", title: "EventList", props: { events: { type: "array", items: eventRule } } });

const limitRule = rule({ type: "number", integer: true, min: 1, max: 1_000, default: 100 });

export const eventstoreContract = defineService({
  name: "eventstore",
  summary: "What happened, in order, for good: events are appended and never changed",
  actions: {
    readStream: {
      summary: "Read the events of one aggregate, ascending",
      params: {
        aggregate_id: { type: "string" },
        after_version: { type: "number", integer: true, min: 0, default: 0 },
        limit: limitRule,
      },
      result: eventsRule,
      errors: [],
      idempotent: true,
    },
    list: {
      summary: "List events, ascending by position",
      params: { aggregate_id: { type: "string", min: 1, max: 200, optional: true }, limit: limitRule },
      result: eventsRule,
      errors: [],
      idempotent: true,
      http: [{ method: "GET", path: "/events", entries: ["eventstore"], access: "internal", envelope: false }],
    },
  },
});
