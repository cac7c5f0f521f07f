import { understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import { normalizePartNumber } from "../../parts-language/src/part-number.ts";
import type { FitmentRow } from "../src/port.ts";
import { readAnswer } from "../src/desk.ts";
import { askDesk, deskOf } from "./desk.asking.ts";

const at = (partNumber: string, description: string, schema: string, reference: string): FitmentRow => ({
  partNumber,
  pnNorm: normalizePartNumber(partNumber),
  description,
  schema,
  figure: /^Figure ([^:]+)/.exec(schema)?.[1],
  reference,
  quantity: 1,
  page: 6,
  equipment: "ZT 3000",
  manufacturer: "Briggs & Stratton",
  sha256: "b".repeat(64),
  confidence: 0.9,
});
const STEERING = Array.from({ length: 14 }, (_, index) =>
  at(
    `88${index + 10}01`,
    ["Bushing", "Tie Rod", "Washer"][index % 3]!,
    "Figure 3-2: Steering Linkage",
    String(index + 1),
  ),
);
const rows = [
  ...STEERING,
  at("771234", "Fuel Hose", "Figure 3-1: Fuel Tank", "4"),
  at("771235", "Grommet", "Figure 3-1: Fuel Tank", "5A"),
  at("771236", "Clamp", "Figure 4: Fuel Filter", "4"),
];
const numbers = async (query: string) =>
  (await askDesk(query, { shop: { rows } })).parts.map(({ part_number }) => part_number);

describe("the place that a question names", () => {
  test.each([
    ["what is item 12 in figure 3-2", { reference: "12", figure: "3-2" }],
    ["ref. no. 7 of Fig. 4", { reference: "7", figure: "4" }],
    ["callout #5a", { reference: "5a" }],
    ["all of diagram 2.1", { figure: "2.1" }],
    ["#8 on the deck", { reference: "8" }],
    ["Section 10 parts", { figure: "10" }],
  ])("%s", (text, place) => {
    expect(understand(text, []).items[0]!.place).toEqual(place);
  });
  test.each([
    "item 54-021",
    "part 54021",
    "which figure shows the belt",
    "6 items",
    "a 1/2 bolt",
    "on which diagram is it",
  ])("is none: %s", (text) => {
    expect(understand(text, []).items.flatMap((item) => item.place ?? [])).toEqual([]);
  });
});

describe("answers about a place", () => {
  test("the item, of that figure alone", async () => {
    expect(await numbers("what is item 12 in figure 3-2 of the ZT 3000?")).toEqual(["882101"]);
    expect(await numbers("price of ref 5a, fig 3-1, ZT3000")).toEqual(["771235"]);
    expect(await numbers("item 4 on the ZT 3000 fuel tank diagram")).toEqual(["771234"]);
  });

  test("a figure's parts in their order, to the last one", async () => {
    const { answer, parts } = await askDesk("all parts of figure 3-2 of the ZT 3000", { shop: { rows } });
    expect(parts.map(({ part_number }) => part_number)).toEqual(STEERING.map(({ partNumber }) => partNumber));
    expect(answer).not.toContain("tell me more");
    expect(await numbers("steering parts for the ZT 3000")).toHaveLength(14);
    expect(await numbers("fuel tank components of the ZT 3000")).toEqual(["771234", "771235"]);
  });

  test("and what else is in the figure of what was answered", async () => {
    const desk = deskOf({ rows });
    const say = (query: string) => readAnswer(desk.answer({ query, includeStoreLink: false, sessionId: "s" }));
    await say("fuel hose for the ZT 3000");
    for (const query of [
      "what other parts are in that drawing",
      "what else is shown there?",
      "the whole figure please",
    ])
      expect((await say(query)).parts.map(({ part_number }) => part_number)).toEqual(["771234", "771235"]);
  });

  test("a place that is not there, and one of no equipment", async () => {
    expect((await askDesk("item 40 of figure 3-2, ZT 3000", { shop: { rows } })).answer).toBe(
      "The parts lists of the ZT 3000 have nothing at that place.",
    );
    expect((await askDesk("what is item 12 in figure 3-2?", { shop: { rows } })).answer).toBe(
      "Every manual numbers its figures and items itself. Which machine is it?",
    );
  });
});
