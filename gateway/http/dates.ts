import { parseMoment } from "../../broker/contract/period.ts";
import type { Rule, Rules } from "@partline/api-contracts";

type Mapper = (value: unknown) => unknown;

/**
 * Returns a function that writes a result's Dates as ISO 8601 texts; undefined for a rule without dates. With a single
 * Date, JSON.stringify leaves V8's fast path and is five times slower.
 */
export function createDateWriter(rule: Rule): Mapper | undefined {
  return createDateMapper(rule, (value) => (value instanceof Date ? value.toJSON() : value));
}

/** Returns a function that makes Dates of a body's ISO texts; undefined for rules without dates. */
export function createDateReader(props: Rules): Mapper | undefined {
  return createDateMapper({ type: "object", props }, (value) =>
    typeof value === "string" ? (parseMoment(value) ?? value) : value,
  );
}

/** Copies a value with its dates converted; what does not fit the rule stays. */
function createDateMapper(rule: Rule, convert: Mapper): Mapper | undefined {
  if (rule.type === "date") return convert;
  if (rule.type === "array") {
    const item = createDateMapper(rule.items, convert);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (rule.type === "object") {
    const fields = Object.entries(rule.props).flatMap(([name, prop]): [string, Mapper][] => {
      const mapper = createDateMapper(prop, convert);
      return mapper ? [[name, mapper]] : [];
    });
    return fields.length === 0 ? undefined : (value) => (isPlain(value) ? withFields(value, fields) : value);
  }
  const field = rule.type === "record" ? createDateMapper(rule.value, convert) : undefined;
  return (
    field &&
    ((value) =>
      isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, field(entry)])) : value)
  );
}

function withFields(value: object, fields: readonly [string, Mapper][]): Record<string, unknown> {
  const mapped = { ...value } as Record<string, unknown>;
  for (const [name, mapper] of fields) if (Object.hasOwn(mapped, name)) mapped[name] = mapper(mapped[name]);
  return mapped;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
