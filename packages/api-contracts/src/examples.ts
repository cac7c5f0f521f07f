import { isRequired, type Direction } from "./json-schema.ts";
import type { Rule, Rules } from "./rules.ts";

const MOMENT = "2026-11-21T09:30:00.000Z";

/** What stands in answers for rules without an example: texts by field name, and an address for each URI. */
export interface ExampleTexts {
  texts: Readonly<Record<string, string>>;
  address: string;
}

export type Examples = ReturnType<typeof createExamples>;

/** Returns makers of values that fit a rule, or fields. */
export function createExamples({ texts, address }: ExampleTexts) {
  /**
   * Returns a value that fits a rule: its example or default, or made from its fields. A text without an example is
   * undefined in a request, and its field's name in an answer.
   */
  function createExample(rule: Rule, direction: Direction, name = "text"): unknown {
    if (rule.example !== undefined) return rule.example;
    if ("default" in rule && rule.default !== undefined) return rule.default;
    switch (rule.type) {
      case "string":
        return direction === "output" ? (rule.format === "uri" ? address : (texts[name] ?? name)) : undefined;
      case "number":
        return rule.min ?? 1;
      case "boolean":
        return true;
      case "date":
        return MOMENT;
      case "enum":
        return rule.values[0];
      case "array": {
        const item = createExample(rule.items, direction, name);
        return item === undefined ? undefined : [item];
      }
      case "object":
        return createFieldsExample(rule.props, direction);
      case "record": {
        const value = createExample(rule.value, direction, name);
        const key = createExample(rule.key, "output", name);
        return value === undefined ? {} : { [String(key)]: value };
      }
      case "any":
        return direction === "output" ? name : undefined;
    }
  }

  /** An answer with all fields, a request with the required ones or, without any, those with an example. */
  function createFieldsExample(fields: Rules, direction: Direction): Record<string, unknown> {
    const needsSome = Object.values(fields).some((rule) => isRequired(rule, direction));
    const isShown = (rule: Rule): boolean =>
      direction === "output" || (needsSome ? isRequired(rule, direction) : rule.example !== undefined);
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([, rule]) => isShown(rule))
        .map(([name, rule]) => [name, createExample(rule, direction, name)]),
    );
  }

  return { createExample, createFieldsExample };
}
