import { parseMoment } from "../../broker/contract/period.ts";
import type { Rule } from "../../broker/contract/rules.ts";

const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * Converts a text of a path or query by its rule. A text that does not fit stays: the action's check refuses it, in the
 * same words as a body's.
 */
export function coerceText(text: string, rule: Rule): unknown {
  switch (rule.type) {
    case "number":
      return DECIMAL.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "date":
      return parseMoment(text) ?? text;
    case "enum":
      return rule.values.find((value) => String(value) === text) ?? text;
    case "array":
      return [coerceText(text, rule.items)];
    case "string":
    case "object":
    case "record":
    case "any":
      return text;
  }
}
