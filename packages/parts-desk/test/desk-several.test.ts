import { understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import type { FitmentRow } from "../src/port.ts";
import { Models } from "../../parts-search/src/fitment-index/models.ts";
import { askDesk } from "./desk.asking.ts";
import { ENGINES, engineRow, MODELS } from "./desk.support.ts";

const said = async (query: string, more: FitmentRow[]) =>
  (await askDesk(query, { shop: { rows: [...ENGINES, ...more] } })).answer;

describe("of several parts each is answered", () => {
  test("the machine of each is its own, the one behind it, or the one before it", () => {
    const text = "dipstick and clamp for the GT-2254, spark plug for a ZT 3000 and oil filter";
    const { items } = understand(text, new Models(MODELS).findMentions(text));
    expect(items.map(({ terms, models }) => [terms.join(" "), models])).toEqual([
      ["dipstick", ["GT-2254"]],
      ["clamp", ["GT-2254"]],
      ["spark plug", ["ZT 3000"]],
      ["oil filter", ["ZT 3000"]],
    ]);
  });
});

describe("how many", () => {
  test("no sum where a place does not say how many", async () => {
    expect(
      await said("how many clamps does the GT-2254 have?", [
        engineRow("GT-2254", "21.6603", "Clamp, Muffler", { quantity: undefined }),
      ]),
    ).not.toContain("In all");
  });
});

test("a part that is no longer supplied is named with what replaces it, also with other lines about it on the page", async () => {
  const old = engineRow("GT-2254", "21.7700", "Hanger, Deck", {
    quantity: undefined,
    schema: "",
    page: 20,
    replacedBy: "21.7701",
  });
  const answer = await said("deck hanger for the GT-2254", [
    old,
    { ...old, description: undefined, replacedBy: undefined },
  ]);
  expect(answer).toContain("21.7700 (Hanger, Deck): page 20");
  expect(answer).toContain("21.7700 is replaced by 21.7701");
});
