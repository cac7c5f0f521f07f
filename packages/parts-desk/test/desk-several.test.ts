import { understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import type { FitmentRow } from "../src/port.ts";
import { Models } from "../../parts-search/src/fitment-index/models.ts";
import { askDesk } from "./desk.asking.ts";
import { ENGINES, engineRow, MODELS, ROWS } from "./desk.support.ts";

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
  test("what stands beside a thing that is of a figure is counted in that figure", async () => {
    const nut = (partNumber: string, schema: string, page: number) =>
      ({ ...ROWS[0]!, partNumber, pnNorm: partNumber, description: "Nut, 3/8-16", schema, page, quantity: 7 }) as const;
    const stud = { ...nut("77001", "Figure 6: Exhaust", 10), description: "Exhaust Stud" };
    const rows = [stud, nut("77002", "Figure 6: Exhaust", 10), nut("77003", "Figure 7: Air Cleaner", 11)];
    const { parts } = await askDesk("how many exhaust studs and nuts has the GT-2254?", { shop: { rows } });
    expect(parts.map(({ part_number }) => part_number)).toEqual(["77001", "77002"]);
  });

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
