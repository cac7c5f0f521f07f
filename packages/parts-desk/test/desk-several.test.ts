import { understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import type { FitmentRow } from "../src/port.ts";
import { Models } from "../../parts-search/src/fitment-index/models.ts";
import { askDesk } from "./desk.asking.ts";
import { ENGINES, engineRow, MODELS, ROWS } from "./desk.support.ts";

const ask = (query: string, more: FitmentRow[] = []) => askDesk(query, { shop: { rows: [...ENGINES, ...more] } });
const said = async (query: string, more: FitmentRow[] = []) => (await ask(query, more)).answer;

describe("of several machines each is answered by itself", () => {
  test("one that has no such part is said to have none, and where there is one", async () => {
    expect(await said("dipstick for ZT 3000 and GT-2254")).toMatch(
      /For the GT-2254: 21\.5503 \(Dipstick\).* It is not listed for the ZT 3000\.|The parts lists of the ZT 3000 have no “air filter”.*For the GT-2254: 21\.5503 \(Dipstick\)/s,
    );
  });

  test("what both have in one place is said once", async () => {
    const both = [
      engineRow("GT-2254", "41.1000", "Hour Meter"),
      engineRow("ZT 3000", "41.1000", "Hour Meter", { sha256: "a".repeat(64) }),
    ];
    expect(await said("hour meter for the GT-2254 and the ZT 3000", both)).toMatch(
      /^For the GT-2254 and ZT 3000: 41\.1000 \(Hour Meter\): quantity 1, Figure 5: Engine, page 11; [^\n]*$/,
    );
  });
});

describe("a number that is not listed for the machine that is named", () => {
  test("and of several machines each says for itself", async () => {
    const answer = await said("does 21.5503 fit the GT-2254 and the ZT 3000?");
    expect(answer).toContain("For the GT-2254: 21.5503 (Dipstick)");
    expect(answer).toContain("21.5503 (Dipstick): not listed for the ZT 3000; listed for the GT-2254");
  });

  test("which nothing lists is said to fit nothing that is named", async () => {
    expect(await said("does 99-6666 fit the GT-2254?")).toContain(
      "99-6666 (Chain): not listed for the GT-2254; $12.00",
    );
  });
});

describe("of several parts each is answered", () => {
  test("or said not to be found, and never by its number", async () => {
    const answer = await said("dipstick and flux capacitor 88-1234-5 for the GT-2254");
    expect(answer).toContain("21.5503 (Dipstick)");
    expect(answer).toContain("I don't have that number.");
    expect(answer).not.toContain("1234");
  });

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

  test("and what it costs is one sentence", async () => {
    const answer = await said("what does the dipstick of the GT-2254 cost, and how many are there?");
    expect(answer).toBe("For the GT-2254: 1 of 21.5503 (Dipstick): Figure 5: Engine, page 11; not in the catalog.");
  });
});

test("what a number fits names every machine", async () => {
  expect(await said("what fits part number 15964-8141?")).toMatch(
    /fits the GT-2254 \(.*page 3\) and ZT 3000 \(.*page 4\)/,
  );
  expect(
    await said("price of 41.1000", [
      engineRow("GT-2254", "41.1000", "Hour Meter"),
      engineRow("ZT 3000", "41.1000", "Hour Meter", { sha256: "a".repeat(64) }),
    ]),
  ).toContain("of the GT-2254 and ZT 3000 manual");
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

test("a word that questions are full of ends a part's name, and denies it not", async () => {
  const section = engineRow("GT-2254", "21.4400", "Sickle Section, Under Serrated");
  expect((await ask("sickle section for the GT-2254", [section])).parts).toMatchObject([{ part_number: "21.4400" }]);
});

test("a machine's word beside the machine is rather the part's, where a part is called all of it", async () => {
  const more = [engineRow("GT-2254", "21.4500", "Starter Motor"), engineRow("GT-2254", "21.4501", "Recoil Starter")];
  expect((await ask("starting motor GT-2254", more)).parts).toMatchObject([{ part_number: "21.4500" }]);
});
