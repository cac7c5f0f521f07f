import type { Rule } from "../../broker/contract/rules.ts";

/** A copy of a value with other dates; what does not fit the rule stays as it is. */
type Writer = (value: unknown) => unknown;

/**
 * Writes the Dates that a result holds by its rule as the ISO 8601 texts that JSON gives them anyway; undefined for a
 * rule without any. JSON.stringify is five times slower on a value with a single Date in it, since V8 then leaves its
 * fast path.
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
