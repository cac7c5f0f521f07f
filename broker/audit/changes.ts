import type { Rule } from "@partline/api-contracts";
import type { FieldChange } from "./entry.ts";

const MASK = "***";
/** Maximum number of changes in an entry; an entry with 200 may be incomplete. */
const MOST_CHANGES = 200;
const LONGEST_TEXT = 1_000;

/**
 * Returns the fields that differ between two answers of a read action, with values as JSON has them. Personal data and
 * values without a rule (payloads of tasks, for example) are masked.
 */
export function diffValues(rule: Rule, oldValue: unknown, newValue: unknown): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(rule, [], toJson(oldValue), toJson(newValue), false, changes);
  return changes;
}

function compare(
  rule: Rule,
  path: string[],
  oldValue: unknown,
  newValue: unknown,
  isPersonal: boolean,
  changes: FieldChange[],
): void {
  if (changes.length >= MOST_CHANGES || JSON.stringify(oldValue) === JSON.stringify(newValue)) return;
  const masked = isPersonal || rule.personal === true || rule.type === "any";
  const inner = findMemberRules(rule, oldValue, newValue);
  if (inner && (isHolder(oldValue) || isHolder(newValue))) {
    for (const [name, field] of inner)
      compare(field, [...path, name], getMember(oldValue, name), getMember(newValue, name), masked, changes);
    return;
  }
  changes.push({ field: path.join("."), before: maskValue(oldValue, masked), after: maskValue(newValue, masked) });
}

/** The rules of the members that either has; undefined for a value without members. */
function findMemberRules(rule: Rule, oldValue: unknown, newValue: unknown): [string, Rule][] | undefined {
  if (rule.type === "object") return Object.entries(rule.props);
  if (rule.type !== "array" && rule.type !== "record") return undefined;
  return listNames(oldValue, newValue).map((name) => [name, rule.type === "array" ? rule.items : rule.value]);
}

function listNames(...holders: unknown[]): string[] {
  return [...new Set(holders.flatMap((holder) => (isHolder(holder) ? Object.keys(holder) : [])))];
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function getMember(holder: unknown, name: string): unknown {
  return isHolder(holder) && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : null;
}

function maskValue(value: unknown, masked: boolean): unknown {
  if (value === null) return null;
  if (masked) return MASK;
  return typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
}

/** Converts to JSON: dates become texts, undefined fields are left out. */
function toJson(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
