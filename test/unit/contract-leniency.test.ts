import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ActionDefinition } from "../../broker/contract/define.ts";
import { mayBeAbsent, type Rule, type Rules, compileRules } from "@partline/api-contracts";
import { contracts } from "../../services/all-contracts.ts";

type Fields = Record<string, unknown>;

interface Place {
  path: string;
  rule: Rule;
  parentOf(params: Fields): Fields;
  name: string;
}

const isAbsentByNull = (rule: Rule): boolean => !rule.nullable && mayBeAbsent(rule);

/** A value of the rule's shape with every field there; it need not fit patterns. */
function filled(rule: Rule): unknown {
  switch (rule.type) {
    case "object":
      return filledFields(rule.props);
    case "array":
      return [filled(rule.items)];
    case "record":
      return { key: filled(rule.value) };
    case "enum":
      return rule.values[0];
    case "number":
      return rule.min ?? 1;
    case "boolean":
      return true;
    case "date":
      return new Date(0);
    case "string":
    case "any":
      return rule.example ?? "text";
  }
}

function filledFields(fields: Rules): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, filled(rule)]));
}

/** Every field of an object, at any depth. */
function placesIn(fields: Rules, parentOf: Place["parentOf"] = (params) => params, prefix = ""): Place[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const path = prefix + name;
    const place: Place = { path, rule, parentOf, name };
    return [place, ...placesWithin(rule, (params) => parentOf(params)[name], path)];
  });
}

function placesWithin(rule: Rule, valueOf: (params: Fields) => unknown, path: string): Place[] {
  if (rule.type === "object") return placesIn(rule.props, (params) => valueOf(params) as Fields, `${path}.`);
  if (rule.type === "array")
    return placesWithin(rule.items, (params) => (valueOf(params) as unknown[])[0], `${path}[0]`);
  return [];
}

const actions = contracts.flatMap(({ name, actions: defined }) =>
  Object.entries(defined).map(([action, { params }]) => {
    const places = placesIn(params).filter(({ rule }) => rule.type !== "any" || !rule.ignored);
    return {
      action: `${name}.${action}`,
      params,
      check: compileRules(params),
      optional: places.filter(({ rule }) => isAbsentByNull(rule)),
      required: places.filter(({ rule }) => !rule.nullable && !isAbsentByNull(rule)),
    };
  }),
);

test("null in an optional field of any action is accepted exactly as if the field were absent", () => {
  const withOptional = actions.filter(({ optional }) => optional.length > 0);
  expect(withOptional.length).toBeGreaterThan(50);
  const chosen = fc
    .constantFrom(...withOptional)
    .chain((one) => fc.record({ one: fc.constant(one), places: fc.subarray(one.optional, { minLength: 1 }) }));
  fc.assert(
    fc.property(chosen, ({ one, places }) => {
      const [withNulls, without] = [filledFields(one.params), filledFields(one.params)];
      // Inner fields first: an outer one takes them away.
      for (const { parentOf, name } of places.toReversed()) {
        parentOf(withNulls)[name] = null;
        delete parentOf(without)[name];
      }
      expect(one.check(withNulls)).toEqual(one.check(without));
      expect(withNulls).toStrictEqual(without);
    }),
    { numRuns: 1_000 },
  );
});

test("null in a required field of any action is refused by the field's name", () => {
  for (const { action, params, check, required } of actions) {
    for (const { path, parentOf, name } of required) {
      const sent = filledFields(params);
      parentOf(sent)[name] = null;
      const found = check(sent);
      expect({ action, found }).toEqual({
        action,
        found: expect.arrayContaining([expect.objectContaining({ field: path })]),
      });
    }
  }
});

test("what a contract ignores never reaches its action", () => {
  const fields = {
    kept: { type: "string" },
    dropped: { type: "any", optional: true, nullable: true, ignored: true },
  } as const;
  fc.assert(
    fc.property(fc.anything(), (dropped) => {
      const sent = { kept: "text", dropped };
      expect(compileRules(fields)(sent)).toBe(true);
      expect(sent).toStrictEqual(dropped === undefined ? { kept: "text", dropped } : { kept: "text" });
    }),
  );
});

/**
 * A change of one of these is made by routes of its own, is of one place, or stands over what was read: see
 * docs/reference/specification.md.
 */
const NOT_SENT_BACK = [
  "PATCH /api/admin/orders/{orderId}",
  "PATCH /api/admin/parts/{id}",
  "PATCH /api/manuals/{sha256}",
  "PUT /api/admin/parts/{id}/stock",
];

test("what GET answers can be sent to PUT and PATCH of the same path", () => {
  const defined = contracts.flatMap(({ actions: all }) => Object.values<ActionDefinition>(all));
  const routes = defined.flatMap((action) => (action.http ?? []).map((http) => ({ action, http })));
  const pairs = routes.flatMap(({ action, http: { method, path } }) => {
    if (method !== "PUT" && method !== "PATCH") return [];
    const read = routes.find(({ http }) => http.method === "GET" && http.path === path);
    return read ? [{ route: `${method} ${path}`, change: action, read: read.action }] : [];
  });
  const refusing = pairs.filter(({ change, read }) => {
    const found = compileRules(change.params)(filled(read.result) as Fields);
    return found !== true && found.some(({ type }) => type === "objectStrict");
  });
  expect(pairs.length).toBeGreaterThan(NOT_SENT_BACK.length);
  expect([...new Set(refusing.map(({ route }) => route))].toSorted()).toEqual(NOT_SENT_BACK);
});
