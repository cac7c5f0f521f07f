import { expect, test } from "@jest/globals";
import type { EventDefinition, Rule } from "@partline/api-contracts";
import type { ActionDefinition, ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

/** Names of amounts. Others that are called so count things. */
const AMOUNT =
  /price|cost|amount|subtotal|(^|_)total$|^tax$|^shipping$|discount|^gross$|^net$|^refunded|refundDue|revenue|averageOrderValue/i;

/** Whole numbers that are counts, where a list says how many there are of it. */
const COUNTS = ["pagination", "result", "files", "pages", "before", "after", "fitting"].map((list) => `${list}.total`);

interface Field {
  path: string;
  name: string;
  rule: Rule;
}

function fieldsOf(rule: Rule, path: string): Field[] {
  if (rule.type === "array") return fieldsOf(rule.items, path);
  if (rule.type === "record") return fieldsOf(rule.value, path);
  if (rule.type !== "object") return [];
  return Object.entries(rule.props).flatMap(([name, inner]) => [
    { path: `${path}.${name}`, name, rule: inner },
    ...fieldsOf(inner, `${path}.${name}`),
  ]);
}

test("every amount in params, results and events says its unit", () => {
  const fields = contracts.flatMap((contract: ServiceContract) => [
    ...Object.entries<ActionDefinition>(contract.actions).flatMap(([action, { params, result }]) => [
      ...fieldsOf({ type: "object", props: params }, `${contract.name}.${action}.params`),
      ...fieldsOf(result, `${contract.name}.${action}.result`),
    ]),
    ...Object.entries<EventDefinition>(contract.channels ?? {}).flatMap(([channel, { payload }]) =>
      fieldsOf({ type: "object", props: payload }, `${channel}.payload`),
    ),
  ]);
  const amounts = fields.filter(
    ({ path, name, rule }) =>
      rule.type === "number" && AMOUNT.test(name) && !COUNTS.some((count) => path.endsWith(count)),
  );
  const without = amounts.filter(
    ({ rule }) =>
      rule.type === "number" &&
      rule.money === undefined &&
      !/currency units|cents|smallest unit/i.test(rule.description ?? ""),
  );
  expect(amounts.length).toBeGreaterThan(50);
  expect(without.map(({ path }) => path)).toEqual([]);
});
