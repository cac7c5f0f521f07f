import { toMajorUnits } from "../../mixins/money.ts";
import { amountRule } from "./common.ts";
import type { InferRules, Rule, Rules } from "./rules.ts";

/** Amounts are whole cents inside and currency units in answers; one shape gives an answer's rules and values. */

/** Returns the fields with amounts in currency units. In TypeScript both are numbers. */
export function inUnits<const R extends Rules>(fields: R): R {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, ruleInUnits(field)])) as R;
}

function ruleInUnits(field: Rule): Rule {
  switch (field.type) {
    case "number": {
      const { integer: _whole, min: _least, ...rest } = field;
      return field.money === "cents" ? { ...rest, money: amountRule.money, example: amountRule.example } : field;
    }
    case "array":
      return { ...field, items: ruleInUnits(field.items) };
    case "object":
      return { ...field, props: inUnits(field.props) };
    default:
      return field;
  }
}

/** Returns the values with amounts in currency units; an absent field stays absent. */
export function answered<const R extends Rules>(fields: R, values: InferRules<R>, currency: string): InferRules<R> {
  return valuesInUnits(fields, values as Record<string, unknown>, currency) as InferRules<R>;
}

function valuesInUnits(fields: Rules, values: Record<string, unknown>, currency: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => values[name] !== undefined)
      .map(([name, field]) => [name, valueInUnits(field, values[name], currency)]),
  );
}

function valueInUnits(field: Rule, value: unknown, currency: string): unknown {
  if (value === null) return null;
  switch (field.type) {
    case "number":
      return field.money === "cents" ? toMajorUnits(value as number, currency) : value;
    case "array":
      return (value as unknown[]).map((item) => valueInUnits(field.items, item, currency));
    case "object":
      return valuesInUnits(field.props, value as Record<string, unknown>, currency);
    default:
      return value;
  }
}
