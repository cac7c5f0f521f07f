import type { Rule } from "../contract/rules.ts";
import type { FieldChange } from "./entry.ts";

const MASK = "***";
/** Maximum number of changes in an entry; an entry with 200 may be incomplete. */
const MOST_CHANGES = 200;
const LONGEST_TEXT = 1_000;

/**
 * Returns the fields that differ between two answers of a read action, with values as JSON has them. Personal data and
 * values without a rule (payloads of tasks, for example) are masked.
 */
export function changesBetween(rule: Rule, before: unknown, after: unknown): FieldChange[] {
  const found: FieldChange[] = [];
  compare(rule, [], plain(before), plain(after), false, found);
  return found;
}

function compare(
  rule: Rule,
  path: string[],
  before: unknown,
  after: unknown,
  isPersonal: boolean,
  found: FieldChange[],
): void {
  if (found.length >= MOST_CHANGES || JSON.stringify(before) === JSON.stringify(after)) return;
  const masked = isPersonal || rule.personal === true || rule.type === "any";
  const inner = innerRules(rule, before, after);
  if (inner && (isHolder(before) || isHolder(after))) {
    for (const [name, field] of inner)
      compare(field, [...path, name], memberOf(before, name), memberOf(after, name), masked, found);
    return;
  }
  found.push({ field: path.join("."), before: shown(before, masked), after: shown(after, masked) });
}

/** The rules of the members that either has; undefined for a value without members. */
function innerRules(rule: Rule, before: unknown, after: unknown): [string, Rule][] | undefined {
  if (rule.type === "object") return Object.entries(rule.props);
  if (rule.type !== "array" && rule.type !== "record") return undefined;
  return namesOf(before, after).map((name) => [name, rule.type === "array" ? rule.items : rule.value]);
}

function namesOf(...holders: unknown[]): string[] {
  return [...new Set(holders.flatMap((holder) => (isHolder(holder) ? Object.keys(holder) : [])))];
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function memberOf(holder: unknown, name: string): unknown {
  return isHolder(holder) && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : null;
}

function shown(value: unknown, masked: boolean): unknown {
  if (value === null) return null;
  if (masked) return MASK;
  return typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
}

/** As JSON: dates as texts, without fields that are undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
