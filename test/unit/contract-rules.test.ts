import { expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { rules, toValidatorRules, type Rules } from "../../broker/contract/rules.ts";
import { brokerOptions } from "../../broker/options.ts";
import { cartContract } from "../../services/cart/contract.ts";
import { userContract } from "../../services/user/contract.ts";
import { testSettings } from "../support/test-settings.ts";

const { validator } = new ServiceBroker({ ...brokerOptions(testSettings()), logger: false });

function refusals(fields: Rules, params: object): [field: string, message: string][] {
  const found = (validator!.compile({ ...toValidatorRules(fields) }) as (params: object) => true | { field: string; message: string }[])(params);
  return found === true ? [] : found.map(({ field, message }) => [field, message]);
}

const code = { type: "string", pattern: /^[A-Z]+$/, words: 'capitals, "A" to "Z" \\' } as const;

test("who misses a pattern is told in words what it asks for, and where", () => {
  const fields = rules({
    code,
    list: { type: "array", items: { type: "object", props: { code } } },
    record: { type: "record", key: code, value: code },
  });
  expect(refusals(fields, { code: "a", list: [{ code: "A" }, { code: "b" }], record: { x: "Y", Y: "x" } })).toEqual([
    ["code", "The 'code' field must be capitals, \"A\" to \"Z\" \\."],
    ["list[1].code", "The 'list[1].code' field must be capitals, \"A\" to \"Z\" \\."],
    ["record.x", expect.stringContaining('must be capitals, "A" to "Z" \\.')],
    ["record.Y", "The 'record.Y' field must be capitals, \"A\" to \"Z\" \\."],
  ]);
  expect(refusals(fields, { code: "A", list: [], record: {} })).toEqual([]);
});

test("without words the example is shown, and what is no matter of the pattern keeps its own message", () => {
  const fields = rules({ email: { type: "string", max: 20, pattern: /@/, example: "ada@example.com" } });
  expect(refusals(fields, { email: "x" })).toEqual([["email", "The 'email' field must be like ada@example.com."]]);
  expect(refusals(fields, { email: `${"x".repeat(20)}@` })).toEqual([["email", expect.stringContaining("20 characters")]]);
  expect(refusals(fields, {})).toEqual([["email", "The 'email' field is required."]]);
});

test("the contracts' own patterns are told so", () => {
  expect(refusals({ ...userContract.actions.updateMe.params }, { name: " ", phone: "call me" })).toEqual([
    ["name", "The 'name' field must be a name, not spaces alone."],
    ["phone", expect.stringMatching(/^The 'phone' field must be a phone number: digits/)],
  ]);
  const { cartId } = cartContract.actions.save.params;
  expect(refusals({ cartId }, { cartId: "not a cart's id, with spaces" })).toEqual([["cartId", expect.stringMatching(/^The 'cartId' field must be /)]]);
});
