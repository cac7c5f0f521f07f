import { describe, expect, test } from "@jest/globals";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { listPersonalFields, rules, type Rule, type Rules } from "@partline/api-contracts";
import { toRecordedEvents } from "../../services/eventstore/recorded.ts";
import { CHANNELS, contracts } from "../../services/all-contracts.ts";
import { orderShape } from "../../services/order/shape.ts";

/** Names that stand for data of a person, wherever they occur; `name` does beside one of the others. */
const PERSONAL = /^(?:e?mail|phone|street|contact|\w*[aA]ddress(?:es)?|(?:first|last)Name|\w*Note)$/;

interface Found {
  /** Fields that look personal and that nothing marks. */
  unmarked: string[];
  marked: string[];
}

function personalIn(fields: Rules, at: string, found: Found = { unmarked: [], marked: [] }): Found {
  const isOfPerson = (name: string): boolean =>
    PERSONAL.test(name) || (name === "name" && Object.keys(fields).some((other) => PERSONAL.test(other)));
  for (const [name, rule] of Object.entries(fields)) {
    const path = `${at}.${name}`;
    const inner = innerOf(rule);
    if (rule.personal || inner.personal) found.marked.push(path);
    else if (isOfPerson(name)) found.unmarked.push(path);
    else if (inner.type === "object") personalIn(inner.props, path, found);
  }
  return found;
}

function innerOf(rule: Rule): Rule {
  return rule.type === "array" ? innerOf(rule.items) : rule.type === "record" ? innerOf(rule.value) : rule;
}

/** Without the facts of the shop, which it publishes. */
const services = (contracts as readonly ServiceContract[]).filter(({ name }) => name !== "settings");

describe("fields of a person", () => {
  test.each(services.map((contract) => [contract.name, contract] as const))(
    "of the contract %s are marked `personal`",
    (service, { actions }) => {
      for (const [action, { params, result }] of Object.entries(actions))
        expect(
          personalIn({ params: { type: "object", props: params }, result }, `${service}.${action}`).unmarked,
        ).toEqual([]);
    },
  );

  test("are marked in durable events, and not recorded: nothing erases the event store", () => {
    for (const { channels = {} } of services)
      for (const [channel, { payload }] of Object.entries(channels)) {
        const { unmarked, marked } = personalIn(payload, channel);
        expect(unmarked).toEqual([]);
        const fields = listPersonalFields(payload);
        expect(marked.map((path) => path.split(".").at(-1))).toEqual(fields);
        const told = Object.fromEntries(
          Object.entries(payload).map(([field, { type }]) => [field, type === "array" ? [] : "x"]),
        );
        const event = { v: 1, event_id: "1", channel, occurred_at: new Date(), payload: told };
        for (const { data } of toRecordedEvents(CHANNELS, event))
          for (const field of fields) expect(data).not.toHaveProperty(field);
      }
  });

  test("of an order are marked, and can go", () => {
    expect(personalIn(orderShape, "order").unmarked).toEqual([]);
    const marked = listPersonalFields(orderShape).map((name) => (orderShape as Rules)[name]!);
    expect(marked.filter(({ optional }) => !optional)).toEqual([]);
  });

  test("are noticed when nobody marked them", () => {
    const props = rules({ gift: { type: "object", props: { email: { type: "string" }, name: { type: "string" } } } });
    expect(personalIn(props, "a").unmarked).toEqual(["a.gift.email", "a.gift.name"]);
  });
});
