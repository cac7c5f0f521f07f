import { beforeEach, describe, expect, test } from "@jest/globals";
import { DatabaseSync } from "node:sqlite";
import type { CollectionDefinition, Filter, SortSpec } from "../src/document-store/port.ts";
import { parseFilter } from "../src/document-store/model/filter.ts";
import { parseSort } from "../src/document-store/model/order.ts";
import { compileShape } from "../src/document-store/model/shape.ts";
import { Reader } from "../src/document-store/sqlite/reader.ts";
import { isSelective, selectStatement } from "../src/document-store/sqlite/planner.ts";
import { ensureCollection } from "../src/document-store/sqlite/schema.ts";
import { encodeDate } from "../src/document-store/sqlite/protocol.ts";
import { StatementCache } from "../src/sqlite/connection.ts";

const definition: CollectionDefinition = {
  name: "orders",
  fields: { number: "string", "customer.id": "string", total: "number", createdAt: "date", until: "date" },
  indexes: [
    { keys: { number: 1 }, unique: true },
    { keys: { "customer.id": 1, createdAt: -1 } },
    { keys: { total: 1 } },
  ],
  expires: "until",
};
const shape = compileShape(definition, encodeDate);
const parse = (filter: Filter) => parseFilter(filter, shape);

describe("SQL planner", () => {
  const database = new DatabaseSync(":memory:");
  ensureCollection(database, shape);
  const explain = (filter: Filter, sort?: SortSpec): string => {
    const { sql, params } = selectStatement(shape, { predicate: parse(filter), sort: parseSort(shape, sort) });
    return database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...params)
      .map(({ detail }) => detail)
      .join("; ");
  };

  test.each<[string, Filter, SortSpec | undefined, RegExp]>([
    ["a unique value", { number: "A1" }, undefined, /USING INDEX orders__number_1__unique \(<expr>=\?\)/],
    [
      "a range of numbers",
      { total: { $gte: 5, $lt: 9 } },
      undefined,
      /USING INDEX orders__total_1__plain \(<expr>>\? AND <expr><\?\)/,
    ],
    [
      "a list",
      { "customer.id": { $in: ["a", "b"] } },
      undefined,
      /USING INDEX orders__customer.id_1__createdAt_-1__plain \(<expr>=\?\)/,
    ],
    [
      "newest first, as the index lies",
      { "customer.id": "a" },
      { createdAt: -1 },
      /^SEARCH orders USING INDEX orders__customer.id_1__createdAt_-1__plain \(<expr>=\?\)$/,
    ],
    [
      "oldest first, the index backwards",
      { "customer.id": "a" },
      { createdAt: 1 },
      /^SEARCH orders USING INDEX orders__customer.id_1__createdAt_-1__plain \(<expr>=\?\)$/,
    ],
    ["an id", { _id: "x" }, undefined, /USING INDEX sqlite_autoindex_orders_1 \(id=\?\)/],
    ["either of two", { $or: [{ number: "A1" }, { _id: "x" }] }, undefined, /MULTI-INDEX OR/],
  ])("uses the index for %s", (_title, filter, sort, expected) => {
    expect(explain(filter, sort)).toMatch(expected);
    expect(explain(filter, sort)).not.toContain("TEMP B-TREE");
  });

  test("knows whether an index narrows a filter down", () => {
    const selective = (filter: Filter): boolean => isSelective(shape, parse(filter));
    expect([selective({ number: "a", color: 1 }), selective({ $or: [{ number: "a" }, { total: 1 }] })]).toEqual([
      true,
      true,
    ]);
    expect([
      selective({}),
      selective({ createdAt: new Date() }),
      selective({ total: { $ne: 1 } }),
      selective({ $or: [{ number: "a" }, { color: 1 }] }),
    ]).toEqual([false, false, false, false]);
  });

  test("an index that a definition has no more, or has otherwise, is dropped or recreated", () => {
    const names = (): unknown[] =>
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        .all()
        .map(({ name }) => name);
    const before = names();
    ensureCollection(database, shape);
    expect(names()).toEqual(before);
    ensureCollection(database, compileShape({ ...definition, indexes: [{ keys: { number: 1 } }] }, encodeDate));
    expect(names()).toEqual(["orders__number_1__plain", "orders__until_1__plain"]);
  });
});

describe("a reader of many documents", () => {
  const ROWS = 3_000;
  const database = new DatabaseSync(":memory:");
  ensureCollection(database, shape);
  const insert = database.prepare("INSERT INTO orders (id, doc) VALUES (?, ?)");
  // One in ten is over, and the ids descend as the totals ascend.
  for (let total = 0; total < ROWS; total += 1) {
    const document = { number: `A${total}`, customer: { id: total % 2 === 0 ? "even" : "odd" }, total };
    const id = String(ROWS - total).padStart(5, "0");
    insert.run(id, JSON.stringify({ _id: id, ...document, until: total % 10 === 3 ? 1 : undefined }));
  }
  const plans: string[] = [];
  const statements = new (class extends StatementCache {
    override get(sql: string) {
      const explained = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      plans.push(explained.map(({ detail }) => detail).join("; "));
      return super.get(sql);
    }
  })(database);
  const reader = new Reader({ read: async (work) => work(statements) });
  beforeEach(() => void plans.splice(0));

  test("finds the ids of a few by their index, not by passing all ids", async () => {
    const ids: string[] = [];
    const filter = parse({ total: { $gte: ROWS - 5 } });
    for await (const batch of reader.iterate(shape, filter, [])) ids.push(...batch.map(({ _id }) => _id));
    expect(ids).toEqual(["00001", "00002", "00003", "00004", "00005"]);
    expect(plans[0]).toMatch(/^SEARCH orders USING INDEX orders__total_1__plain/);
  });

  test.each<[string, Filter, number]>([
    ["all", {}, 2_700],
    ["those of an index", { "customer.id": "odd" }, 1_200],
  ])("counts %s without reading a document", async (_name, filter, count) => {
    expect(await reader.count(shape, parse(filter))).toBe(count);
    expect(plans.join("; ")).toMatch(/COVERING INDEX/);
    expect(plans.join("; ")).not.toMatch(/(SCAN|SEARCH) orders USING INDEX (?!orders__until)|SCAN orders(;|$)/);
  });
});
