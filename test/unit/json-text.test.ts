import { expect, test } from "@jest/globals";
import { PacketSerializer } from "@partline/moleculer-kit";
import { stringifyJson, toJsonText, createWrittenObject } from "../../packages/toolkit/src/json-text.ts";

interface Page {
  parts: { title: string; price: number | null }[];
  total: number;
  suggestion?: string;
}

const VALUE = { parts: [{ title: 'Belt "A" <é>', price: null }], total: 1 };
const written = () => createWrittenObject<Page>({ parts: toJsonText(VALUE.parts), total: toJsonText(VALUE.total) });

test("an object of JSON is sent as its JSON, and is an object like any other", () => {
  expect(stringifyJson(written())).toBe(JSON.stringify(VALUE));
  expect(JSON.stringify(written())).toBe(JSON.stringify(VALUE));
  expect({ ...written() }).toEqual(VALUE);
  expect(structuredClone(written())).toEqual(VALUE);
  const { parts, suggestion } = written();
  expect([parts, suggestion]).toEqual([VALUE.parts, undefined]);
  const kept = written();
  expect(kept.parts).toBe(kept.parts);
});

test("it travels to other nodes by its value", () => {
  const serializer = new PacketSerializer();
  expect(serializer.deserialize(serializer.serialize({ data: written() }))).toEqual({ data: VALUE });
});

test("other values are written as ever", () => {
  expect([{ a: 1 }, [1], "a", null, undefined].map(stringifyJson)).toEqual(['{"a":1}', "[1]", '"a"', "null", "null"]);
  expect(stringifyJson(createWrittenObject({}))).toBe("{}");
});
