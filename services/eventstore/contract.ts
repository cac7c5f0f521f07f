import {
  any,
  array,
  boolean,
  type CustomCheck,
  date,
  integer,
  object,
  record,
  rules,
  string,
  createEventPageRule,
} from "@partline/api-contracts";
import { defineService } from "../../broker/contract/define.ts";
import { createRoutes } from "../shared/routes.ts";
import { operatorActions } from "./operators/contract.ts";

/** Largest state, bytes of JSON: the largest event with what its fold adds. A NATS message (1 MiB) holds it. */
export const LARGEST_STATE_BYTES = 768 * 1024;

const aggregateIdRule = string({ min: 1, max: 200, example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
const aggregateTypeRule = string({ min: 1, max: 100, example: "order" });
const eventTypeRule = string({ min: 1, max: 100, example: "ORDER_CREATED" });
const eventIdRule = string({ min: 1, max: 200 });

/** JSON has no number beyond a double's, and would keep it as null. */
const holdsNumbersOfJson: CustomCheck<Record<string, unknown>> = (value, errors) => {
  // The rule itself refuses what is no object.
  const beyond = Array.isArray(value) ? undefined : findNumberBeyondJson(value);
  if (beyond !== undefined)
    errors.push({
      type: "numberRange",
      message: `The '{field}${beyond}' field must be a number that a double (IEEE 754) holds.`,
    });
  return value;
};

const jsonRule = record(string(), any({ nullable: true }), {
  max: 10_000,
  custom: holdsNumbersOfJson,
  description: "Any JSON object. Numbers are doubles: write an integer beyond 2^53 as text, or it loses digits",
});

const countsRule = record(string(), integer());

const eventRule = object("StoredEvent", {
  event_id: string(),
  position: integer({ description: "Counts all events, from 1" }),
  aggregate_id: string(),
  aggregate_type: string({ example: "order" }),
  version: integer({ description: "Counts the aggregate's events without gaps, from 1" }),
  event_type: string({ example: "ORDER_CREATED" }),
  data: jsonRule,
  metadata: {
    ...jsonRule,
    description:
      'What was said about the event beside its data; empty when nothing was. `amounts: "minor"`, on each event of the system itself: amounts in its data are whole cents',
  },
  timestamp: date({
    description: "When it happened; an event that was recorded late may be older than one with a smaller position",
  }),
});

const eventsRule = object("EventList", { events: array(eventRule) });

const limitRule = integer({ min: 1, max: 1_000, default: 100 });

const eventFilter = rules({
  aggregate_id: { ...aggregateIdRule, optional: true },
  aggregate_type: { ...aggregateTypeRule, optional: true },
  event_type: { ...eventTypeRule, optional: true },
  since: date({ optional: true, description: "Events at or after this time, ISO 8601" }),
  until: date({ optional: true, description: "Events before this time, ISO 8601" }),
});

/** The path of a number that JSON does not have. */
function findNumberBeyondJson(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const beyond = findNumberBeyondJson((value as Record<string | number, unknown>)[key]);
    if (beyond !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${beyond}`;
  }
  return undefined;
}

const route = createRoutes("events", { entries: ["eventstore"], access: "internal", envelope: false });

export const eventstoreContract = defineService({
  name: "eventstore",
  summary: "Events in order; they are appended and never changed",
  actions: {
    store: {
      summary: "Record documents",
      description:
        "Each document is an aggregate of the type `document`: its id is `metadata.id` (ids of the system's own " +
        "aggregates are refused; one that is not a text of 1 to 200 characters is made into one), otherwise it is made " +
        "from content and metadata. A new document " +
        "is recorded as DOCUMENT_CREATED, one whose content or metadata changed as DOCUMENT_UPDATED, and an " +
        "unchanged one not at all, so a request may be repeated. A document has at most 512 KiB. All are " +
        "checked before the first is recorded: a 400 leaves nothing behind, unless another request changes " +
        "the same aggregates at that moment. If one cannot be recorded after that, the others are, and the " +
        "answer is an error: repeat the request. Shoppers find lines of documents with `metadata.public: true` " +
        "through the parts desk, which learns them after they are recorded; where a sentence model is configured, these " +
        "are embedded. The event's `embedding_model` names that model, and is `lexical` for a document found by its " +
        "words alone. Stored again under the same id without `public: true`, a document is forgotten by the desk.",
      params: {
        documents: array(
          object("NewDocument", {
            content: string({ min: 1, example: "Torque the head bolts of the GT-2254 to 25 Nm" }),
            metadata: { ...jsonRule, optional: true },
          }),
          { min: 1, max: 100 },
        ),
      },
      result: object("StoredDocuments", {
        stored: integer({ description: "How many documents created an event" }),
        documents: array(
          object("StoredDocument", {
            id: string(),
            event_id: string({ description: "Position of the document's latest event" }),
            version: integer(),
          }),
          { description: "In the order of the request" },
        ),
      }),
      errors: ["VERSION_CONFLICT", "FORBIDDEN"],
      timeout: 30_000,
      once: true,
      audit: { object: "event-log", report: ["stored"] },
      http: route("POST", "/store"),
    },
    append: {
      summary: "Append an event",
      description:
        "A known event_id returns the first answer again and records nothing, even if other fields differ. An " +
        "event has at most 512 KiB of data and metadata. The types and ids of the system's own events " +
        "(ORDER_CREATED, an aggregate of the type `order`, `ord_…`, `vendor_…`; an event_id `order.created:…` or " +
        "`manual_…`) are refused.",
      params: {
        aggregate_id: { ...aggregateIdRule, example: "machine_1" },
        aggregate_type: {
          ...aggregateTypeRule,
          example: "machine",
          description: "An aggregate keeps the type of its first event",
        },
        event_type: { ...eventTypeRule, example: "MACHINE_SERVICED" },
        data: { ...jsonRule, example: { hours: 250 } },
        metadata: { ...jsonRule, optional: true },
        expected_version: integer({
          min: -1,
          optional: true,
          description:
            "The version that the aggregate must have; otherwise 409 with its `actual_version`. 0 (or -1, for clients " +
            "whose versions begin at 0) means that it has no event yet",
        }),
        event_id: { ...eventIdRule, optional: true, description: "Generated if it is missing" },
      },
      result: object("AppendedEvent", {
        event_id: string(),
        aggregate_id: string(),
        version: integer(),
        position: integer(),
        timestamp: date(),
      }),
      errors: ["VERSION_CONFLICT", "FORBIDDEN"],
      once: true,
      audit: { object: "event-log", id: "aggregate_id", report: ["event_type", "event_id", "version"] },
      http: route("POST", "/events", { status: 201 }),
    },
    list: {
      summary: "List events by position",
      description:
        "For the next page, send the position of your last event as `after`: no event ever appears before one " +
        "that you have read. A list has at most about 512 KiB, so it may have fewer events than `limit`; an empty " +
        "list is the end. A position beyond the latest event is refused, naming `after`: this log does not (or no " +
        "longer) have those events.",
      params: {
        ...eventFilter,
        after: integer({ min: 0, default: 0, description: "Lists events after this position" }),
        limit: limitRule,
      },
      result: eventsRule,
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "/events"),
    },
    tail: {
      summary: "Stream new events",
      description:
        "Streams the events after `after`, or from now on, as server-sent events, with the filters of the list. " +
        "The stream waits for a slow reader, which misses nothing. A position beyond the latest event, also in " +
        "Last-Event-ID, is refused, naming `after`.",
      params: {
        ...eventFilter,
        after: integer({ min: 0, optional: true, description: "The stream begins after this position" }),
      },
      result: createEventPageRule(eventRule),
      errors: ["VALIDATION_FAILED"],
      http: route("GET", "/events/stream", { answer: "event-stream", wokenBy: "eventstore.appended" }),
    },
    state: {
      summary: "Read the state of an aggregate, now or at a time",
      description:
        "Folds the events up to that time, in the order of their versions: orders and documents by their own rules, " +
        "other aggregates by merging the data of each event. Before its first event it is 404. " +
        `A state of more than ${LARGEST_STATE_BYTES / 1024} KiB is refused, naming aggregate_id: read its events instead.`,
      params: {
        aggregate_id: aggregateIdRule,
        at_time: date({ optional: true, description: "ISO 8601; defaults to now, also for a future time" }),
      },
      result: object("AggregateState", {
        aggregate_id: string(),
        version: integer({ description: "Of the last event in it" }),
        state: jsonRule,
        as_of: date({ description: "The requested moment, or now" }),
      }),
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      // Folding takes the processor: 64 calls of a few milliseconds can wait.
      bulkhead: { concurrency: 2, maxQueueSize: 64 },
      http: route("GET", "/events/{aggregate_id}/state"),
    },
    stats: {
      summary: "Count events",
      params: {
        aggregate_type: eventFilter.aggregate_type,
        since: eventFilter.since,
      },
      result: object("EventStats", {
        total_events: integer(),
        by_event_type: countsRule,
        by_aggregate_type: countsRule,
        by_day: { ...countsRule, description: "UTC days with an event, ascending" },
      }),
      errors: [],
      http: route("GET", "/events/stats"),
    },

    head: {
      summary: "Position of the latest event; 0 if there is none",
      params: {
        known: integer({
          min: 0,
          default: 0,
          description: "A position that you have read; the answer is at least as recent",
        }),
      },
      result: object({ position: integer() }),
      errors: [],
      idempotent: true,
    },
    readStream: {
      summary: "List the events of one aggregate",
      params: {
        aggregate_id: string(),
        after_version: integer({ min: 0, default: 0 }),
        limit: limitRule,
      },
      result: eventsRule,
      errors: [],
      idempotent: true,
    },
    ready: {
      summary: "Report whether events can be read and appended",
      params: {},
      result: object({}),
      errors: ["DATABASE_UNAVAILABLE"],
    },
    health: {
      summary: "Report what the event store adds to the health of its entry point",
      params: {},
      result: object({
        data_management: object({ event_sourcing_ready: boolean({ description: "Events can be read and appended" }) }),
      }),
      errors: [],
      away: { data_management: { event_sourcing_ready: false } },
    },
    ...operatorActions,
  },
  tasks: {
    "eventstore.document": {
      summary: "Makes the parts desk learn the recorded version of a document, or forget it",
      payload: { id: string() },
    },
  },
});
