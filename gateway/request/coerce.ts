import { parseMoment } from "../../broker/contract/period.ts";
import type { Rule, Rules } from "../../broker/contract/rules.ts";

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

/** Whether a value of this rule may hold dates. */
export function holdsDates(rule: Rule): boolean {
  switch (rule.type) {
    case "date":
      return true;
    case "array":
      return holdsDates(rule.items);
    case "object":
      return Object.values(rule.props).some(holdsDates);
    case "record":
      return holdsDates(rule.value);
    case "string":
    case "number":
    case "boolean":
    case "enum":
    case "any":
      return false;
  }
}

/** Makes Dates of ISO texts where the rule says `date`; other values stay. */
export function reviveDates(value: unknown, rule: Rule): unknown {
  if (rule.type === "date") return typeof value === "string" ? (parseMoment(value) ?? value) : value;
  if (typeof value !== "object" || value === null || !holdsDates(rule)) return value;
  if (rule.type === "array") return Array.isArray(value) ? value.map((item) => reviveDates(item, rule.items)) : value;
  if (rule.type === "object") return reviveFields(value as Record<string, unknown>, rule.props);
  if (rule.type === "record") {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reviveDates(item, rule.value)]));
  }
  return value;
}

export function reviveFields(fields: Record<string, unknown>, rules: Rules): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    return [name, rule ? reviveDates(value, rule) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
