import type { Rule } from "@partline/api-contracts";
import { parseSafeJson } from "@partline/http-edge";
import { coerceText } from "../http/request/query.ts";

/**
 * Returns a tool's arguments with numbers, booleans, lists and objects in place of their texts, which some agents send.
 * A text that is not one of what the rule wants stays, and is refused by its field; where the rule wants a text, any
 * text is one. @throws VALIDATION_FAILED for unsafe text within
 */
export function readArguments(value: unknown, rule: Rule): unknown {
  const parsed = typeof value === "string" ? readText(value, rule) : value;
  if (rule.type === "array" && Array.isArray(parsed)) return parsed.map((item) => readArguments(item, rule.items));
  if (rule.type !== "object" || !isObject(parsed)) return parsed;
  return Object.fromEntries(
    Object.entries(parsed).map(([name, field]) => {
      const fieldRule = Object.hasOwn(rule.props, name) ? rule.props[name] : undefined;
      return [name, fieldRule ? readArguments(field, fieldRule) : field];
    }),
  );
}

function readText(text: string, rule: Rule): unknown {
  if (rule.type !== "array" && rule.type !== "object") return coerceText(text, rule);
  let parsed: unknown;
  try {
    parsed = parseSafeJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
  return (rule.type === "array" ? Array.isArray(parsed) : isObject(parsed)) ? parsed : text;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
