import { describe, expect, test } from "@jest/globals";
import { Parser } from "@asyncapi/parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import {
  type DurableEvents,
  type EventDefinition,
  array,
  integer,
  object,
  oneOf,
  string,
} from "@partline/api-contracts";
import { createAsyncApiDocument } from "../../gateway/docs/asyncapi/document.ts";
import { defineService } from "../../broker/contract/define.ts";
import { CHANNELS } from "../../services/all-contracts.ts";
import { breaksOf } from "../support/event-compatibility.ts";
import { readPage, recordPage } from "../support/reference/page.ts";

const PAGE = "asyncapi.json";
const made = (channels: DurableEvents = CHANNELS) =>
  createAsyncApiDocument({ channels, version: "1", namespace: "partline" });
const schemasOf = (payload: EventDefinition["payload"], version?: number) => {
  const { channels } = defineService({
    name: "a",
    summary: "A",
    actions: {},
    channels: { "a.b": { summary: "B", recorded: null, payload, ...(version ? { version } : {}) } },
  });
  return made(new Map(Object.entries(channels))).components.schemas;
};

describe("the description of the events (`npm run docs` records it)", () => {
  test("is valid AsyncAPI 3", async () => {
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(made()));
    expect(diagnostics.filter(({ severity }) => [0, 1].includes(severity))).toEqual([]);
    expect(document!.version()).toMatch(/^3\./);
    expect(document!.channels().all()).toHaveLength(CHANNELS.size + 1);
  });

  test("has an example of each message that fits its schema", () => {
    const { messages, schemas } = made().components;
    const ajv = formats.default(new Ajv2020({ strict: false }));
    const inlined = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll("#/components/schemas/", "all#/$defs/"));
    ajv.addSchema({ $id: "all", $defs: inlined(schemas) });
    for (const [name, message] of Object.entries(messages)) {
      const { payload, examples } = message as { payload: object; examples: [{ payload: unknown }] };
      const check = ajv.compile(inlined(payload) as object);
      expect([name, check(examples[0].payload), check.errors]).toEqual([name, true, null]);
    }
  });

  test("breaks no reader of the events as they were recorded", () => {
    const recorded = JSON.parse(readPage(PAGE)) as ReturnType<typeof made>;
    // A field that goes or narrows needs a new event beside the old one: docs/recipes/add-an-event.md.
    expect(breaksOf(recorded.components.schemas, made().components.schemas)).toEqual([]);
    const text = `${JSON.stringify(made(), null, 1)}\n`;
    recordPage(PAGE, text);
    expect(readPage(PAGE)).toBe(text);
  });
});

describe("what breaks readers of an event", () => {
  const before = {
    id: string(),
    state: oneOf(["new", "old"]),
    note: string({ optional: true }),
    lines: array(object({ pieces: integer({ min: 0 }), text: string({ max: 10 }) })),
  };
  test.each<[string, EventDefinition["payload"], string[]]>([
    ["nothing", before, []],
    ["a new field", { ...before, more: string() }, []],
    ["a new value", { ...before, state: oneOf(["new", "old", "odd"]) }, []],
    ["a field that is certain now", { ...before, note: string() }, []],
    ["a field that is gone", { id: before.id, state: before.state, lines: before.lines }, ["a.b.note is gone"]],
    ["a field that can be absent", { ...before, id: string({ optional: true }) }, ["a.b.id can be absent now"]],
    ["a field that can be null", { ...before, id: string({ nullable: true }) }, ["a.b.id can be null now"]],
    ["another type", { ...before, id: integer() }, ["a.b.id can be integer now"]],
    ["a value that is gone", { ...before, state: oneOf(["new"]) }, ["a.b.state is never old now"]],
    [
      "a narrower field of a list",
      { ...before, lines: array(object({ pieces: integer({ min: 1 }), text: string({ max: 9 }) })) },
      ["minimum of a.b.lines[].pieces is narrower", "maxLength of a.b.lines[].text is narrower"],
    ],
    [
      "a field of a list that is gone",
      { ...before, lines: array(object({ pieces: integer({ min: 0 }) })) },
      ["a.b.lines[].text is gone"],
    ],
  ])("%s", (_what, after, breaks) => {
    expect(breaksOf(schemasOf(before), schemasOf(after))).toEqual(breaks);
  });

  test("a field that is gone from a version that is raised; an event that stands beside the old one is none", () => {
    const { note: _gone, ...after } = before;
    const [old, next] = [schemasOf(before), schemasOf(after, 2)];
    expect(breaksOf(old, next)).toEqual(["a.b.note is gone"]);
    expect(breaksOf(old, { ...old, "a.b_2": next["a.b"]! })).toEqual([]);
  });
});
