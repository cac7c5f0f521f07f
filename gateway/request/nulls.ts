import type { Rule, Rules } from "../../broker/contract/rules.ts";
import type { FieldProblem } from "../../mixins/errors.ts";

/**
 * Fields that are null where the contract has a default and no null. fastest-validator would take the default for them,
 * so that what a client sent were silently replaced.
 */
export function nullsForDefaults(fields: Record<string, unknown>, rules: Rules, path = ""): FieldProblem[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return value === undefined ? [] : inValue(value, rule, path === "" ? name : `${path}.${name}`);
  });
}

/** Whether such a field can be in a value of this rule. */
export function holdsDefaults(rule: Rule): boolean {
  if ("default" in rule && rule.default !== undefined) return true;
  if (rule.type === "array") return holdsDefaults(rule.items);
  return rule.type === "object" && Object.values(rule.props).some(holdsDefaults);
}

function inValue(value: unknown, rule: Rule, path: string): FieldProblem[] {
  if (value === null) {
    const replaced = "default" in rule && rule.default !== undefined && !rule.nullable;
    return replaced ? [{ field: path, message: `The '${path}' field must not be null.` }] : [];
  }
  if (rule.type === "array" && Array.isArray(value))
    return value.flatMap((item, index) => inValue(item, rule.items, `${path}[${index}]`));
  if (rule.type === "object" && typeof value === "object")
    return nullsForDefaults(value as Record<string, unknown>, rule.props, path);
  return [];
}
