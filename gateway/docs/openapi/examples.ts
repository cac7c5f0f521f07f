import type { Rule, Rules } from "../../../broker/contract/rules.ts";
import { isRequired, type Direction } from "./schema.ts";

const MOMENT = "2026-11-21T09:30:00.000Z";

const ADDRESS = "https://partline.example/parts/carburetor-assembly-fs730v-kaw-159648141";

export const EXAMPLE_VERSION = "0.2.0";

/** Texts of answers by field name, for rules without an example. */
const TEXTS: Readonly<Record<string, string>> = {
  id: "kaw-159648141",
  productId: "kaw-159648141",
  sku: "CT-KAW-15964-8141",
  slug: "carburetor-assembly-fs730v-kaw-159648141",
  partNumber: "15964-8141",
  title: "Carburetor, Assembly, FS730V",
  name: "Carburetor, Assembly, FS730V",
  manufacturer: "Kawasaki",
  category: "Carburetors",
  currency: "usd",
  cartId: "cart_1700000000000_k3j9x2m1q",
  userId: "user_2k9XbQ",
  orderId: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
  orderNumber: "ORD-20261121-000042",
  email: "ada@example.com",
  phone: "+1 555 0100",
  street: "1 Mill Road",
  city: "Springfield",
  state: "IL",
  postalCode: "62701",
  country: "US",
  version: EXAMPLE_VERSION,
};

/**
 * Returns a value that fits a rule: its example or default, or made from its fields. A text without an example is
 * undefined in a request, and its field's name in an answer.
 */
export function createExample(rule: Rule, direction: Direction, name = "text"): unknown {
  if (rule.example !== undefined) return rule.example;
  if ("default" in rule && rule.default !== undefined) return rule.default;
  switch (rule.type) {
    case "string":
      return direction === "output" ? (rule.format === "uri" ? ADDRESS : (TEXTS[name] ?? name)) : undefined;
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
export function createFieldsExample(fields: Rules, direction: Direction): Record<string, unknown> {
  const needsSome = Object.values(fields).some((rule) => isRequired(rule, direction));
  const isShown = (rule: Rule): boolean =>
    direction === "output" || (needsSome ? isRequired(rule, direction) : rule.example !== undefined);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, rule]) => isShown(rule))
      .map(([name, rule]) => [name, createExample(rule, direction, name)]),
  );
}
