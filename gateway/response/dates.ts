import type { Rule } from "../../broker/contract/rules.ts";

/** Copies a value with other dates; what does not fit the rule stays. */
type Writer = (value: unknown) => unknown;

/**
 * Returns a function that writes a result's Dates as the ISO 8601 texts of JSON; undefined for a rule without dates.
 * With a single Date, JSON.stringify leaves V8's fast path and is five times slower.
 */
export function dateWriter(rule: Rule): Writer | undefined {
  switch (rule.type) {
    case "date":
      return (value) => (value instanceof Date ? value.toJSON() : value);
    case "array": {
      const item = dateWriter(rule.items);
      return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
    }
    case "object": {
      const fields = Object.entries(rule.props).flatMap(([name, prop]): [string, Writer][] => {
        const writer = dateWriter(prop);
        return writer ? [[name, writer]] : [];
      });
      return fields.length === 0 ? undefined : (value) => (isPlain(value) ? withFields(value, fields) : value);
    }
    case "record": {
      const field = dateWriter(rule.value);
      return (
        field &&
        ((value) =>
          isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, held]) => [key, field(held)])) : value)
      );
    }
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "any":
      return undefined;
  }
}

function withFields(value: object, fields: readonly [string, Writer][]): Record<string, unknown> {
  const written = { ...value } as Record<string, unknown>;
  for (const [name, writer] of fields) if (Object.hasOwn(written, name)) written[name] = writer(written[name]);
  return written;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
