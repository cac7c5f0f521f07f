import { describe, expect, test } from "@jest/globals";
import { normalizePartNumber } from "../../packages/parts-language/src/part-number.ts";
import type { FitmentRow, Passage } from "../../services/ai/desk/port.ts";
import { askDesk } from "./desk.asking.ts";
import { CATALOG, ROWS, shopSources } from "./desk.support.ts";

const at = (partNumber: string, description: string): FitmentRow => ({
  partNumber,
  pnNorm: normalizePartNumber(partNumber),
  description,
  schema: "Figure 5: Engine",
  quantity: 1,
  page: 11,
  equipment: "GT-2254",
  manufacturer: "Briggs & Stratton",
  sha256: "a".repeat(64),
  confidence: 0.95,
});
const rows = [
  ...ROWS,
  at("21.5501", "Filter, Oil"),
  at("21.9900", "Switch, Oil Pressure"),
  at("63.0739", "Screw, M6 x 1.0 x 16"),
];
const passages: Passage[] = [
  {
    sha256: "a".repeat(64),
    page: 2,
    text: "Engine oil: use SAE 30 above 40 F.\nTighten the blade bolts to 60 ft-lb.",
    equipment: ["GT-2254"],
  },
];
const ask = (query: string) => askDesk(query, { shop: { rows, passages } });
const said = async (query: string) => (await ask(query)).answer;
const numbers = async (query: string) => (await ask(query)).parts.map(({ part_number }) => part_number);

describe("what is said of a machine beside its name names no part", () => {
  test.each([
    "carburetor for my 2015 GT-2254",
    "carburetor 2015 GT-2254",
    "2015 Briggs GT-2254 carburetor",
    "carburetor for a 1998 Briggs & Stratton GT-2254",
    "carburetor for GT-2254 2015",
    "carburetor for a GT-2254 (2015)",
    "carburetor for a GT-2254 from 2015",
    "I have a 2015 GT-2254. Which carburetor?",
    "carburetor for GT-2254 with 16 hp engine",
    "carburetor for a GT-2254 with a 16.5hp motor",
    "GT-2254 17.5 HP carburetor",
    "carburetor for my 16hp GT-2254",
    "carburetor GT-2254, 22 horsepower",
    "2012 22 hp GT-2254 carburetor",
    "carburetor for GT2254 serial 1016254323",
    "carburetor GT2254 s/n 1016254323",
    "carburetor for GT-2254, serial no. 1016254323",
    "GT-2254 SN: 1016254323, need a carburetor",
    "serial number 1016254323 GT-2254 carburetor",
  ])("%s", async (query) => {
    expect(await said(query)).toMatch(/^For the GT-2254: 15964-8141 \(Carburetor\)[^\n]*; \$55\.00, 12 in stock\.$/);
  });

  test("does not hide the first of a list either", async () => {
    expect(await numbers("need parts for my 2015 GT-2254: air filter, carburetor, deck belt")).toEqual(
      expect.arrayContaining(["54 021 15-S", "15964-8141", "10.A123"]),
    );
    expect((await numbers("parts for my 2015 GT-2254")).length).toBeGreaterThan(5);
  });

  test("a part's number beside a machine stays one", async () => {
    expect(await said("GT-2254 614071")).toMatch(/^For the GT-2254: 614071/);
    expect(await said("GT-2254 1016254323")).toContain("That number is in no manual that was read");
  });
});

test.each(["air filter for my lawn tractor", "I need an air filter for a mower", "which air filter is in my engine?"])(
  "a machine without a name names no part: %s",
  async (query) => expect(await numbers(query)).toEqual(["54 021 15-S"]),
);

test.each(["screws M6 x 1.0 x 16 for the GT-2254", "GT-2254: how many M6 x 1.0 x 16 screws?"])(
  "a size with blanks is no count and no number: %s",
  async (query) => expect(await numbers(query)).toEqual(["63.0739"]),
);

test("a machine behind its maker is asked about, under any name", async () => {
  const { answer, parts } = await ask("carburetor, MTD 13AL78XS");
  expect(parts).toEqual([]);
  expect(answer).toContain("No manual of that equipment was read");
});

test.each([
  ["I want to send back an air filter I bought", true],
  ["please send me a back plate for the GT-2254", false],
  ["can I buy the same air filter for both mowers?", false],
])("%s is about an order: %s", async (query, isOrder) => {
  expect((await said(query)).includes("your orders are in your account")).toBe(isOrder);
});

test("what a part is made of is not in its name", async () => {
  expect(await numbers("rubber deck belt of the GT-2254")).toEqual(await numbers("deck belt of the GT-2254"));
});

describe("one part of two machines is looked up for both", () => {
  test.each([
    "is the carburetor for the GT-2254 the same as for the ZT 3000",
    "do the GT-2254 and the ZT 3000 use the same carburetor",
    "compare the carburetor of the GT-2254 and the ZT 3000",
    "compare GT-2254 and ZT 3000 carburetor",
    "is the ZT 3000 carburetor identical to the GT-2254 one",
    "difference between the carburetor of the GT-2254 and the ZT 3000",
    "GT-2254 vs ZT 3000 carburetor",
  ])("%s", async (query) => {
    const answer = await said(query);
    expect(answer).toContain("For the GT-2254: 15964-8141 (Carburetor)");
    expect(answer).toContain("For the ZT 3000: 15964-8141 (Carburetor)");
    expect(answer).not.toContain("understand");
  });
});

describe("the cheaper one is named among the parts that are compared, and of nothing else", () => {
  test.each([
    "is the carburetor cheaper than the air filter for GT-2254",
    "which is cheaper for the GT-2254, the carburetor or the air filter",
    "Is the GT-2254 air filter less expensive than the carburetor?",
  ])("%s", async (query) => {
    const { answer, parts } = await ask(query);
    expect(new Set(parts.map(({ part_number }) => part_number))).toEqual(new Set(["15964-8141", "54 021 15-S"]));
    expect(answer).toContain("The cheapest of these: 54 021 15-S, $18.40.");
  });
});

describe("oil is answered from the text, also if parts are called by it", () => {
  test.each([
    "what oil does the gt-2254 take",
    "which oil goes in my GT-2254",
    "what engine oil does the GT-2254 take",
    "What kind of oil for the GT-2254?",
  ])("%s", async (query) => {
    expect(await said(query)).toMatch(/^The GT-2254 manual, page 2: “Engine oil: use SAE 30 above 40 F\.”/);
  });

  test.each([
    ["what oil filter does the GT-2254 take", "21.5501"],
    ["which oil pressure switch for the GT-2254", "21.9900"],
    ["what is the oil filter of the GT-2254", "21.5501"],
  ])("and these are parts: %s", async (query, number) => {
    expect(await numbers(query)).toEqual([number]);
  });
});

describe("a machine that no manual is of", () => {
  test.each([
    "I have a Husqvarna YTH24V48, need blades",
    "my Husqvarna YTH24V48 needs a carburetor",
    "carburetor for a YTH24V48",
    "do you have blade bolts for a HU24V48?",
    "My tractor is a Husqvarna YTH24V48. What air filter?",
    "I have a LX500. Which carburetor?",
    "price of the carburetor for my GTH26V54",
    "air filter for John Deere X350",
    "air filter for a John Deere X350",
  ])("is answered with no other's part: %s", async (query) => {
    expect(await said(query)).toMatch(
      /^No manual of that equipment was read, and the catalog has no such part that names it\.$/,
    );
  });

  test.each([
    "does 614071 fit a Husqvarna YTH24V48?",
    "will 614071 fit my YTH24V48",
    "is 614071 right for a Craftsman YTS46B42?",
  ])("is no number: %s", async (query) => {
    expect(await said(query)).toMatch(
      /^No manual of that equipment was read: what fits it is not known\.\n\n614071 \(Blade Bolt[^\n]*\.$/,
    );
  });

  test.each([
    "blade for the JD 318",
    "blade bolt torque for the JD 318",
    "what is the blade bolt torque of a Husqvarna YTH24V48",
    "what oil does an LX500 take",
  ])("nor with what the text says of another: %s", async (query) => {
    expect(await said(query)).not.toContain("The GT-2254 manual");
  });

  test("but with what the text says of it by its name", async () => {
    const of318 = { ...passages[0]!, text: "On the JD 318 tighten the blade bolts to 45 ft-lb." };
    expect((await askDesk("blade bolt torque for the JD 318", { shop: { rows, passages: [of318] } })).answer).toContain(
      "“On the JD 318 tighten the blade bolts to 45 ft-lb.”",
    );
  });

  test.each([
    "I have a GT-2254 and an LX500. Which carburetor?",
    "I own a GT-2254 and a YTH24V48. Which carburetor and air filter do I need?",
    "My machines: I have a GT-2254 and an LX-500. What carburetor do I order?",
  ])("is mentioned beside one that is known: %s", async (query) => {
    const answer = await said(query);
    expect(answer).toMatch(/^No manual of the other equipment was read: what fits it is not known\./);
    expect(answer).toContain("For the GT-2254: 15964-8141 (Carburetor)");
  });

  test.each([
    "carburetor for a Husqvarna and a GT-2254",
    "carburetor for a Husqvarna YTH24V48 and a GT-2254",
    "I own a Craftsman YTS46B42 and a GT-2254. Which carburetor do I need?",
    "carburetor for my Toro and my GT-2254",
    "blade and carburetor for a Husqvarna and a GT-2254",
  ])("and its maker's name is no part: %s", async (query) => {
    const answer = await said(query);
    expect(answer).toMatch(/^No manual of the other equipment was read: what fits it is not known\.\n\n/);
    expect(answer).toContain("For the GT-2254: 15964-8141 (Carburetor)");
    expect(answer).not.toMatch(/understand|no such part/);
  });

  test("and that keeps nothing from an answer about another one", async () => {
    expect(await said("I have an LX500. Which carburetor does the GT-2254 have?")).toContain(
      "For the GT-2254: 15964-8141 (Carburetor)",
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

test.each(["carburetor for my g t twenty two fifty four please", "gt twenty two fifty-four carburetor"])(
  "a machine's name as it is spoken: %s",
  async (query) => {
    expect(await numbers(query)).toEqual(["15964-8141"]);
  },
);

test("what another machine's manual says is not quoted of one that has none", async () => {
  const passages: Passage[] = [
    { sha256: "a".repeat(64), page: 10, text: "Oil Filter, High Efficiency 24 504 20-S", equipment: ["GT-2254"] },
  ];
  const { answer } = await askDesk("oil filter for my LX-500", { shop: { passages } });
  expect(answer).toContain("No manual of that equipment was read");
  expect(answer).not.toContain("High Efficiency");
});
