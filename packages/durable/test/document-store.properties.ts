import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Query } from "mingo";
import type { Filter } from "../src/document-store/port.ts";
import type { StoreUnderTest, Doc } from "./document-store.subject.ts";

/**
 * mingo is the independent judge of what a filter means. Where it is known to differ from MongoDB it is not asked:
 * strings beyond U+D800 in ranges, and null against missing in a sort. The example tests cover these.
 */
const text = fc.constantFrom("", "a", "ab", "b", "B", "é", "0", "10", "9");
const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.1, 0.3, 1e21, 53744023099999990, -1.5, 2 ** 53),
);
const date = fc.integer({ min: 0, max: 4 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)));
const flag = fc.boolean();
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  optional(fc.option(value, { nil: null }));

const document = fc.record({
  name: nullable(text),
  price: nullable(number),
  active: nullable(flag),
  at: nullable(date),
  owner: optional(fc.record({ id: optional(text), level: optional(number) })),
  tags: optional(fc.oneof(text, fc.array(fc.oneof(text, number), { maxLength: 3 }))),
  free: optional(fc.oneof(text, number, flag, fc.constant(null))),
});

const definition = {
  fields: { name: "string", price: "number", active: "boolean", at: "date", "owner.id": "string" },
  indexes: [{ keys: { name: 1 } }, { keys: { price: -1, name: 1 } }, { keys: { "owner.id": 1 } }],
} as const;

const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  name: text,
  price: number,
  active: flag,
  at: date,
  "owner.id": text,
  "owner.level": number,
  tags: fc.oneof(text, number),
  free: fc.oneof(text, number, flag),
};

function condition(path: string): fc.Arbitrary<unknown> {
  const value = VALUES[path]!;
  const scalar = fc.option(value, { nil: null, freq: 5 });
  const list = fc.array(scalar, { maxLength: 3 });
  return fc.oneof(
    scalar,
    fc.record({ $ne: scalar }),
    fc.record({ $in: list }),
    fc.record({ $exists: flag }),
    fc.record({ $size: fc.integer({ min: 0, max: 3 }) }),
    ...(path in definition.fields
      ? [
          fc
            .constantFrom("$gt", "$gte", "$lt", "$lte")
            .chain((operator) => value.map((operand) => ({ [operator]: operand }))),
          fc.record({ $gte: value, $lt: value }),
          fc.constantFrom(/^a/, /B$/i, /^$/).map(($regex) => ({ $regex })),
        ]
      : []),
  );
}

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    fc
      .uniqueArray(fc.constantFrom(...Object.keys(VALUES)), { minLength: 1, maxLength: 2 })
      .chain((paths) => fc.record(Object.fromEntries(paths.map((path) => [path, condition(path)])))),
    fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
  ) as fc.Arbitrary<Filter>,
}));

const SORT_PATHS = ["name", "price", "active", "at", "owner.id"];

export function propertySuite(underTest: StoreUnderTest): void {
  const given = (documents: Record<string, unknown>[]): Doc[] =>
    documents.map(
      (fields, index) =>
        JSON.parse(JSON.stringify({ _id: String.fromCharCode(97 + index), ...fields }), (key, value: unknown) =>
          key === "at" && typeof value === "string" ? new Date(value) : value,
        ) as Doc,
    );

  describe("for any documents", () => {
    test("a filter means what mingo says it means", async () => {
      const collection = underTest.collection({ ...definition, indexes: [...definition.indexes] });
      await fc.assert(
        fc.asyncProperty(
          fc.array(document, { maxLength: 8 }),
          fc.array(filter, { minLength: 1, maxLength: 10 }),
          async (fields, filters) => {
            const documents = given(fields);
            await collection.deleteMany({});
            await collection.bulkWrite(documents.map((insertOne) => ({ insertOne })));
            for (const each of filters) {
              const query = new Query(each, {});
              const expected = documents.filter((candidate) => query.test(candidate));
              expect({ filter: each, found: await collection.find(each, { sort: { _id: 1 } }) }).toEqual({
                filter: each,
                found: expected,
              });
              expect(await collection.count(each)).toBe(expected.length);
            }
          },
        ),
        { numRuns: underTest.runs },
      );
    }, 120_000);

    test("sorted pages follow one another, as mingo says", async () => {
      const collection = underTest.collection({ ...definition, indexes: [...definition.indexes] });
      const sort = fc.uniqueArray(fc.tuple(fc.constantFrom(...SORT_PATHS), fc.constantFrom(1 as const, -1 as const)), {
        minLength: 1,
        maxLength: 3,
        selector: ([path]) => path,
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(document, { maxLength: 8 }),
          filter,
          sort,
          fc.nat(4),
          fc.integer({ min: 1, max: 5 }),
          async (fields, each, keys, skip, limit) => {
            const documents = given(fields)
              .map(
                (one) =>
                  JSON.parse(JSON.stringify(one), (_key, value: unknown) =>
                    value === null ? undefined : value,
                  ) as Doc,
              )
              .map(withDate);
            await collection.deleteMany({});
            await collection.bulkWrite(documents.map((insertOne) => ({ insertOne })));
            const last = keys.at(-1)![1];
            const query = new Query(each, {});
            const expected = query
              .find<Doc>(documents)
              .sort(Object.fromEntries([...keys, ["_id", last]]))
              .all();
            const options = { sort: Object.fromEntries(keys) };
            expect({ each, options, found: (await collection.find(each, options)).map(({ _id }) => _id) }).toEqual({
              each,
              options,
              found: expected.map(({ _id }) => _id),
            });
            expect((await collection.find(each, { ...options, skip, limit })).map(({ _id }) => _id)).toEqual(
              expected.slice(skip, skip + limit).map(({ _id }) => _id),
            );
            const iterated: string[] = [];
            for await (const { _id } of collection.iterate(each, options)) iterated.push(_id);
            expect(iterated).toEqual(expected.map(({ _id }) => _id));
          },
        ),
        { numRuns: underTest.runs },
      );
    }, 120_000);

    test("a document comes back as it went in", async () => {
      const collection = underTest.collection({ fields: { at: "date" } });
      const json = fc
        .jsonValue({ maxDepth: 4 })
        .filter(
          (value) =>
            !JSON.stringify(value).includes('"$') &&
            !JSON.stringify(value).includes("__proto__") &&
            !JSON.stringify(value).includes("\\u0000"),
        );
      await fc.assert(
        fc.asyncProperty(
          json,
          fc.option(
            fc.date({
              min: new Date("0001-01-01T00:00:00Z"),
              max: new Date("9999-12-31T23:59:59Z"),
              noInvalidDate: true,
            }),
          ),
          async (value, at) => {
            const stored = { _id: "a", value: JSON.parse(JSON.stringify(value)) as unknown, at };
            await collection.replaceOne({ _id: "a" }, stored, { upsert: true });
            expect(await collection.findOne({ _id: "a" })).toEqual(stored);
          },
        ),
        { numRuns: underTest.runs * 2 },
      );
    }, 120_000);
  });
}

const withDate = (one: Doc): Doc => (typeof one.at === "string" ? { ...one, at: new Date(one.at) } : one);
