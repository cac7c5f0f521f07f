import { describe, expect, test } from "@jest/globals";
import type { Passage } from "../src/port.ts";
import { askDesk } from "./desk.asking.ts";
import { CATALOG, OIL_SHOP, shopSources } from "./desk.support.ts";

const { rows, passages } = OIL_SHOP;
const ask = (query: string) => askDesk(query, { shop: OIL_SHOP });
const said = async (query: string) => (await ask(query)).answer;
const numbers = async (query: string) => (await ask(query)).parts.map(({ part_number }) => part_number);

describe("what is said of a machine beside its name names no part", () => {
  test("does not hide the first of a list either", async () => {
    expect(await numbers("need parts for my 2015 GT-2254: air filter, carburetor, deck belt")).toEqual(
      expect.arrayContaining(["54 021 15-S", "15964-8141", "10.A123"]),
    );
    expect((await numbers("parts for my 2015 GT-2254")).length).toBeGreaterThan(5);
  });

  test("a part's number beside a machine stays one", async () => {
    expect(await said("GT-2254 614071")).toMatch(/^For the GT-2254: 614071/);
    expect(await said("GT-2254 1016254323")).toContain("I don't have that number");
  });
});

test("what a part is made of is not in its name", async () => {
  expect(await numbers("rubber deck belt of the GT-2254")).toEqual(await numbers("deck belt of the GT-2254"));
});

describe("a machine that no manual is of", () => {
  test("but with what the text says of it by its name", async () => {
    const of318 = { ...passages[0]!, text: "On the JD 318 tighten the blade bolts to 45 ft-lb." };
    expect((await askDesk("blade bolt torque for the JD 318", { shop: { rows, passages: [of318] } })).answer).toContain(
      "“On the JD 318 tighten the blade bolts to 45 ft-lb.”",
    );
  });
});

test.each([
  "2014 Honda GX390 air filter",
  "which air filter does a Honda GX390 take",
  "i have a honda gx390, need an air filter",
])("a machine that only the catalog names has the parts that bear its name, among many: %s", async (query) => {
  const titles = [...Array(40).keys()].map((at) => `Air Filter, ZX${100 + at}`);
  const hits = [...titles, "Air Filter, GX390"].map((title, at) => ({
    ...CATALOG[2]!,
    manufacturer: { name: "Honda", code: "HON" },
    id: `f${at}`,
    title,
    partNumber: `F-${at}00`,
  }));
  const catalog = async (words: string, limit: number) =>
    hits.filter(({ title }) => !/gx390/i.test(words) || title.endsWith("GX390")).slice(0, limit);
  const { answer, parts } = await askDesk(query, { sources: { ...shopSources(), catalog } });
  expect(parts.map(({ part_number }) => part_number)).toEqual(["F-4000"]);
  expect(answer).not.toContain("no such part");
});

test("what another machine's manual says is not quoted of one that has none", async () => {
  const passages: Passage[] = [
    { sha256: "a".repeat(64), page: 10, text: "Oil Filter, High Efficiency 24 504 20-S", equipment: ["GT-2254"] },
  ];
  const { answer } = await askDesk("oil filter for my LX-500", { shop: { passages } });
  expect(answer).toContain("I don't have a parts list for that machine");
  expect(answer).not.toContain("High Efficiency");
});
