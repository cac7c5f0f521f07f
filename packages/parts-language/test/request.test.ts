import { describe, expect, test } from "@jest/globals";
import { convert, findMeasures, formatMeasure } from "../src/measures.ts";
import { normalizeQuestion } from "../src/request/normalize.ts";
import { understand } from "../src/request/understand.ts";
import { readLanguage } from "../src/words/languages.ts";

const read = (query: string) => understand(normalizeQuestion(query).text, []);

describe("what the parts must be", () => {
  test.each([
    ["starter, not the electric one", { without: ["electric"] }],
    ["air cleaner parts except the filter itself", { without: ["filter"] }],
    ["coil 48679-0368 is the left one, what is the right one", { without: ["486790368"] }],
    ["fuel filters under 10 dollars", { without: [], price: { maxPrice: 1000 } }],
    ["head gasket for cylinder 1", { without: [], cylinder: 1 }],
    ["which parts are out of stock?", { without: [], stock: "out" }],
    ["is it in stock?", { without: [] }],
    ["idler pulleys that you have in stock", { without: [], stock: "in" }],
    ["head gaskets of which more than twenty are on hand", { without: [], pieces: 21 }],
    ["head gasket, no composite ones", { without: ["composite"] }],
    ["not the 1/2 x 68 drive belt", { without: ["1/2 in x 68 in"] }],
  ])("%s", (query, constraints) => {
    expect(read(query).constraints).toEqual(constraints);
  });

  test.each([
    ["alternator with at least 150 amps", { least: { value: 150, unit: "A" } }],
    ["alternator between 90 and 130 amps", { least: { value: 90 }, most: { value: 130 } }],
    ["the 42 inch cable was too short", { least: { value: expect.closeTo(42.04), unit: "in" } }],
    ["it is only 65 amps, what do you have above that", { least: { value: expect.closeTo(65.07), unit: "A" } }],
    ["hose 1/2x48", { sizes: [{ value: 0.5 }, { value: 48 }] }],
  ])("%s", (query, constraints) => expect(read(query).constraints).toMatchObject(constraints));
});

test.each([
  ["cable: 6 ft. No, 12 ft. No, sorry, 24 ft", "cable: 24 ft"],
  ["belt 1/2 x 68, no 1/2 x 83", "belt 1/2 x 83"],
  ["spring not the 18 hp, the 23", "spring 23 hp"],
  ["alternator SR 112, not 200 amp", "alternator SR 112, not 200 amp"],
  ["I said GT-2254 but it is the HM-722D: which chute?", "I said the HM-722D: which chute?"],
  ["belt for the GT-2254. Oops, I looked at the wrong plate: HM-722D", "belt for the HM-722D"],
  ["the drive belt is done, what about the idler pulley", "the is done, what about the idler pulley"],
  ["got the left coil, need the right one", "got the coil, need the right one"],
  ["three dozen tines", "36 pcs tines"],
  ["half a dozen blades", "6 pcs blades"],
  ["Kawasaki 45203 and the rest is gone. It is a camshaft", "Kawasaki 45203 * camshaft"],
  ["the part is b e r two eight oh one one", "the part is ber28011"],
])("%s is meant as: %s", (query, text) => {
  expect(
    normalizeQuestion(query)
      .text.replaceAll(/ +/g, " ")
      .replace(/ (?=,)/g, "")
      .trim(),
  ).toBe(text);
});

test.each([
  ["the longest drive belt", "longest"],
  ["biggest alternator", "biggest"],
  ["most expensive spark plug", "dearest"],
  ["cheapest spark plug", "cheapest"],
  ["long drive belt", undefined],
])("which of them comes first: %s", (query, order) => {
  expect(read(query).order).toBe(order);
});

test.each([
  ["are you open on Saturday? whats your phone number", ["hours", "phone"]],
  ["What did jenny.rosen@example.com order last week?", ["privacy"]],
  ["can I talk to a person", ["person"]],
  ["return spring for the clutch", []],
  ["hello, I need an oil filter", []],
])("what is said besides: %s", (query, talk) => {
  expect(read(query).talk).toEqual(talk);
});

test("nouns of six languages", () => {
  for (const [query, language] of [
    ["Vergaser für den GX160", "de"],
    ["carburador para la GX160", "es"],
    ["carburateur pour la GX160", "fr"],
    ["gaźnik do GX160", "pl"],
    ["förgasare till GX160", "sv"],
    ["carburetor for the GX160", "en"],
  ] as const) {
    expect(readLanguage(query).language).toBe(language);
    expect(read(query).items[0]?.terms).toContain("carburetor");
  }
});

test("an e-mail is read in time, and the beginning alone of a longer one", () => {
  const mail = "My mower needs a new drive belt and 614071, not the short one, under $50. ".repeat(900);
  read(mail);
  const before = process.threadCpuUsage();
  expect(read(mail).items.length).toBeGreaterThan(0);
  expect(process.threadCpuUsage(before).user).toBeLessThan(200_000);
});

describe("measures", () => {
  test.each([
    ["Blade bolt 1/4-20 UNC 104 in-lb", [[104, "in-lb"]]],
    ["Hydraulic Hose, 1/2 in x 48 in", [[0.5, "in"], [48, "in"]]], // prettier-ignore
    ["Idler Pulley, V 3-1/2 in", [[3.5, "in"]]],
    ["Alternator, 120 A", [[120, "A"]]],
    ["88 ft-lb (98 N·m)", [[88, "ft-lb"], [98, "Nm"]]], // prettier-ignore
    ["part 614071", []],
  ])("%s", (text, measures) => {
    expect(findMeasures(text).map(({ value, unit }) => [value, unit])).toEqual(measures);
  });

  test("are converted within their kind alone", () => {
    expect(formatMeasure(convert({ value: 104, unit: "in-lb" }, "Nm") ?? 0, "Nm")).toBe("11.8 Nm");
    expect(formatMeasure(convert({ value: 48, unit: "in" }, "cm") ?? 0, "cm")).toBe("122 cm");
    expect(convert({ value: 48, unit: "in" }, "Nm")).toBeUndefined();
  });
});

test.each([
  ["fits W91219 in LX-999?", false],
  ["in which machines fits W91219?", false],
  ["which belt fits W91219?", true],
])("%s: whether it is a machine that the part behind the verb names", (query, isMachine) => {
  expect(read(query).items[0]?.unknownNames[0]).toMatchObject({ name: "W91219", isMachine });
});
