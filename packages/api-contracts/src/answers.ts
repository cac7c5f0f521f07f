import { toMajorUnits } from "@partline/parts-language";
import type { InferRules, Rule, Rules } from "./rules.ts";

/** The fields with amounts in currency units. */
export function toUnitRules<const R extends Rules>(fields: R): R {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toUnitRule(field)])) as R;
}

function toUnitRule(field: Rule): Rule {
  if (field.type === "array") return { ...field, items: toUnitRule(field.items) };
  if (field.type === "object") return { ...field, props: toUnitRules(field.props) };
  if (field.type !== "number" || field.money !== "cents") return field;
  const { integer: _whole, min: _least, ...rest } = field;
  return { ...rest, money: "units", example: 55 };
}

/** Makes nullable fields optional. */
type Presentable<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: T[K];
};

/** Returns the values that an answer has of these fields; what is absent is null if it may be, else stays absent. */
export function presentFields<const R extends Rules>(
  fields: R,
  values: NoInfer<Presentable<InferRules<R>>>,
): InferRules<R> {
  return pickValues(fields, values as Record<string, unknown>) as InferRules<R>;
}

/** The same with amounts in currency units. */
export function presentInUnits<const R extends Rules>(
  fields: R,
  values: NoInfer<Presentable<InferRules<R>>>,
  currency: string,
): InferRules<R> {
  return pickValues(fields, values as Record<string, unknown>, currency) as InferRules<R>;
}

function pickValues(fields: Rules, values: Record<string, unknown>, currency?: string): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = pickValue(field, values[name] ?? (field.nullable && null), currency);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function pickValue(field: Rule, value: unknown, currency: string | undefined): unknown {
  if (value === null || value === undefined) return value;
  if (field.type === "array") return (value as unknown[]).map((item) => pickValue(field.items, item, currency));
  if (field.type === "object") return pickValues(field.props, value as Record<string, unknown>, currency);
  const isAmount = field.type === "number" && field.money === "cents" && currency !== undefined;
  return isAmount ? toMajorUnits(value as number, currency) : value;
}
