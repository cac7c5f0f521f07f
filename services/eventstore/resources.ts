import {
  any,
  array,
  type CustomCheck,
  date,
  integer,
  object,
  record,
  rules,
  string,
} from "../../broker/contract/rules.ts";

export const aggregateIdRule = string({ min: 1, max: 200, example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
export const aggregateTypeRule = string({ min: 1, max: 100, example: "order" });
export const eventTypeRule = string({ min: 1, max: 100, example: "ORDER_CREATED" });
export const eventIdRule = string({ min: 1, max: 200 });

/** JSON has no number beyond a double's, and would keep it as null. */
const holdsNumbersOfJson: CustomCheck<Record<string, unknown>> = (value, errors) => {
  // The rule itself refuses what is no object.
  const found = Array.isArray(value) ? undefined : numberBeyondJson(value);
  if (found !== undefined)
    errors.push({
      type: "numberRange",
      message: `The '{field}${found}' field must be a number that a double (IEEE 754) holds.`,
    });
  return value;
};

export const jsonRule = record(string(), any({ nullable: true }), {
  max: 10_000,
  custom: holdsNumbersOfJson,
  description: "Any JSON object. Numbers are doubles: an integer beyond 2^53 loses digits, so write it as a text",
});

export const countsRule = record(string(), integer());

export const eventRule = object("StoredEvent", {
  event_id: string(),
  position: integer({ description: "Ascending over all events, from 1" }),
  aggregate_id: string(),
  aggregate_type: string({ example: "order" }),
  version: integer({ description: "Ascending in the aggregate without gaps, from 1" }),
  event_type: string({ example: "ORDER_CREATED" }),
  data: jsonRule,
  metadata: {
    ...jsonRule,
    description:
      'What was said about the event beside its data; empty when nothing was. `amounts: "minor"`, on each event of the system itself: amounts in its data are whole cents',
  },
  timestamp: date({
    description: "When it happened; an event that is recorded late may be older than one with a smaller position",
  }),
});

export const eventsRule = object("EventList", { events: array(eventRule) });

export const limitRule = integer({ min: 1, max: 1_000, default: 100 });

export const eventFilter = rules({
  aggregate_id: { ...aggregateIdRule, optional: true },
  aggregate_type: { ...aggregateTypeRule, optional: true },
  event_type: { ...eventTypeRule, optional: true },
  since: date({ optional: true, description: "Happened at or after this moment, ISO 8601" }),
  until: date({ optional: true, description: "Happened before this moment, ISO 8601" }),
});

/** The path of a number that JSON does not have. */
function numberBeyondJson(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const found = numberBeyondJson((value as Record<string | number, unknown>)[key]);
    if (found !== undefined) return `${Array.isArray(value) ? `[${key}]` : `.${key}`}${found}`;
  }
  return undefined;
}
