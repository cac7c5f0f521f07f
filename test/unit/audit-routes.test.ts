import { expect, test } from "@jest/globals";
import type { ServiceContract } from "../../broker/contract/define.ts";
import { contracts } from "../../services/all-contracts.ts";

/** Routes of staff that change nothing although they are no GET. */
const READS = ["order.adminSearch", "order.adminLabelRates", "order.guestExport", "user.search", "search.trySynonyms"];

const routes = (contracts as readonly ServiceContract[]).flatMap((contract) =>
  Object.entries(contract.actions).flatMap(([name, definition]) =>
    (definition.http ?? []).map((http) => ({ name: `${contract.name}.${name}`, contract, definition, http })),
  ),
);
const changing = routes.filter(
  ({ http }) => http.method !== "GET" && (http.scope !== undefined || http.body === "raw"),
);

test("every change by staff, keys and webhooks says what the audit stream records of it", () => {
  const without = changing.filter(({ definition }) => !definition.audit).map(({ name }) => name);
  expect(without).toEqual(READS);
  expect(changing.length).toBeGreaterThan(40);
});

test("a change needs a scope that is not one to read by", () => {
  const readers = changing.filter(({ http }) => http.scope?.endsWith(":read")).map(({ name }) => name);
  expect(readers).toEqual(READS);
});

test("a webhook says who sends it, and nothing else does", () => {
  for (const { name, definition, http } of changing)
    expect([name, definition.audit?.by !== undefined]).toEqual([name, http.body === "raw"]);
});

/** Why these say no more than which object. */
const WITHOUT_CHANGES = {
  "eventstore.replayDeadLetter": "the letter leaves the list, and its event is in the log",
  "eventstore.dropDeadLetter": "the letter leaves the list",
  "analytics.rebuild": "the figures are the events' again",
};

test("an entry says what changed: before and after of its object, or what the action reports", () => {
  const silent = changing.filter(({ definition: { audit } }) => audit && !audit.by && !audit.read && !audit.report);
  expect(silent.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT_CHANGES).sort());
});

test("an object is named by a param or by the result, and read by an action that takes its id or nothing", () => {
  for (const { name, contract, definition } of changing) {
    if (!definition.audit || definition.audit.by) continue;
    const { id, read } = definition.audit;
    const { params, result } = definition;
    if (id !== undefined)
      expect([name, id in params || (result.type === "object" && id in result.props)]).toEqual([name, true]);
    for (const field of definition.audit.report ?? [])
      expect([name, field, field in params || (result.type === "object" && field in result.props)]).toEqual([
        name,
        field,
        true,
      ]);
    if (read === undefined) continue;
    const reader = contract.actions[read];
    expect([name, reader?.idempotent ?? reader?.http?.[0]?.method === "GET"]).toEqual([name, true]);
    const needed = Object.entries(reader!.params)
      .filter(([, rule]) => !rule.optional && !("default" in rule))
      .map(([param]) => param);
    expect([name, needed.filter((param) => param !== id)]).toEqual([name, []]);
  }
});
