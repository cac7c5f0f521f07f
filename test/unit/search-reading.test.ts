import { describe, expect, test } from "@jest/globals";
import { type Order, sortByOrder } from "@partline/parts-language";
import { findDescribedParts, writeSizes } from "@partline/parts-language/words";
import { CatalogMachines, type HitDocument } from "@partline/parts-search";
import { dropUnwanted, listOtherSizes, readQuery, toComparable, writeInches } from "../../services/search/reading.ts";

const machines = new CatalogMachines([
  { name: "Command CH25", maker: "Kohler" },
  { name: "Vanguard 18 HP V-Twin", maker: "Briggs & Stratton" },
]);
const read = (q: string) => readQuery(q, machines.findMentions(q));

describe("a search that finds nothing", () => {
  test.each([
    ["cheapest spark plug for a Kohler CH25", { machines: ["Command CH25"], order: "cheapest" }],
    ["starter for a ch25, not the electric one", { machines: ["Command CH25"], unwanted: ["electric"] }],
    ["head gasket cylinder 1 kohler ch25", { unwanted: expect.arrayContaining(["cylinder 2"]) }],
    ["left bill hook", { unwanted: ["right"] }],
    ["left or right bill hook", { unwanted: [] }],
    ["air filter except foam", { machines: [], unwanted: ["foam"] }],
    ["belt that does not slip", { unwanted: [] }],
    ["fuel pump briggs 650 series, not electric", { unwanted: ["electric"] }],
    ["air filter, non-foam", { unwanted: ["foam"] }],
    ["battery, not charging", { unwanted: [] }],
    ["fuel pump not the electric one", { unwanted: ["electric"] }],
    ["tire 16x6.50-8 only, no rim", { unwanted: ["rim", "wheel"] }],
    ["i need not the deck belt, but the drive belt", { unwanted: ["deck"] }],
    ["starter has no spring", { unwanted: [] }],
    ["oil drips under the flywheel", { isStory: true, described: expect.arrayContaining(["oil seal"]) }],
    ["blows black smoke", { isStory: true }],
    ["oil filter", { isStory: false }],
    ["no flat wheel with tire 16x6.5-8", { words: "no flat wheel with tire 16x6.5-8", unwanted: [] }],
    ["biggest alternator new holland", { machines: [], order: "biggest", makers: ["holland"] }],
    ["kohler ch25 blowing blue smoke", { described: expect.arrayContaining(["piston ring set"]) }],
    ["air filter that cleans the dust", { described: [] }],
    ["längster Riemen für den ch25", { order: "longest", words: "riemen fur den" }],
    ["newest muffler", { order: "newest", words: "muffler" }],
    ["intake valve", { unwanted: ["exhaust"] }],
    ["what water pump fits my ch25?", { isStory: false }],
    ["the thing that holds the blade", { isStory: true, described: expect.arrayContaining(["blade spindle"]) }],
  ])("is read: %s", (q, reading) => expect(read(q)).toMatchObject(reading));

  test("keeps the part between a maker and its machine", () => {
    expect(read("briggs air filter element for vanguard 18hp v-twin")).toMatchObject({
      words: expect.stringContaining("air filter element"),
      machines: ["Vanguard 18 HP V-Twin"],
    });
  });
});

test.each([
  ["rope you pull to start it", "recoil starter"],
  ["little wheels that stop the deck scalping", "deck wheel"],
  ["wire from the gas lever down to the engine", "throttle cable"],
  ["the can that makes it quiet on the engine", "muffler"],
  ["fx850v not charging battery", "voltage regulator"],
  ["what charges the battery on a T6.180", "alternator"],
  ["part that circulates the coolant", "water pump"],
  ["what turns the engine over", "starter motor"],
])("an owner describes a part: %s", (text, part) => expect(findDescribedParts(text)[0]).toBe(part));

test.each(["turbocharger", "drive shaft", "18x8.50-8 tire", "614071", "running shoes size 10"])(
  "nobody describes a part: %s",
  (text) => expect(findDescribedParts(text)).toEqual([]),
);

test.each([
  ["18 by 8.5 by 8 tire", "18x8.5-8 tire"],
  ["18x8½-8", "18x8.5-8"],
  ["pulley 3 ½ in", "pulley 3-1/2 in"],
  ["24/12-12", "24x12.00-12"],
  ["step by step", "step by step"],
  ["belt 1/2 x 68", "belt 1/2 x 68"],
])("sizes are written as in titles: %s", (typed, written) => expect(writeSizes(typed)).toBe(written));

test.each([
  ["hydraulic hose 1/2 inch 4 foot", "hydraulic hose 1/2in 48in"],
  ["six foot hose", "72in hose"],
  ["belt 11 ft 2 in long", "belt 134in long"],
  ["boom valve inch and a half", "boom valve 1-1/2in"],
  ["two and a quarter inch pulley", "2-1/4in pulley"],
  ["a one inch shaft", "a 1in shaft"],
  ["104 ft-lb", "104 ft-lb"],
  ["cable 163 cm", "cable 64in"],
  ["3.5 inch v idler", "3-1/2in v idler"],
  ["hose 1,22 m long", "hose 48in long"],
  ["bolt M6 x 30 mm", "bolt M6 x 30 mm"],
  ["3 ft lb", "3 ft lb"],
  ["5/8 inch belt", "5/8 inch belt"],
])("lengths are written in inches: %s", (typed, written) => expect(writeInches(typed)).toBe(written));

test("sizes that no part has are written in another way", () => {
  expect(listOtherSizes("20.5x8-10 golf cart")[0]).toBe("205/65-10 golf cart");
  expect(listOtherSizes("belt")).toEqual([]);
});

describe("hits", () => {
  const toHit = (title: string, price: number | null, fits: string[] = []) => ({
    document: { title, price, fits } as HitDocument,
    highlights: {},
  });
  const hits = [
    toHit("Alternator, 95 A, Vanguard 18 HP", 300, ["Vanguard 18 HP"]),
    toHit("Alternator, 200 A, Boomer 47", null),
    toHit("Alternator, Boomer 47", 100),
    toHit("Alternator, 120 A, T6.180", 200),
  ];
  const list = (order: Order) =>
    sortByOrder(hits, order, toComparable).map(({ document: { title } }) => title.split(", ")[1]);

  test("are in the order of a superlative: of what titles say, the first alone", () => {
    expect(list("biggest")).toEqual(["200 A"]);
    expect(list("smallest")).toEqual(["95 A"]);
    expect(list("cheapest")).toEqual(["Boomer 47", "120 A", "95 A", "200 A"]);
    expect(list("dearest")).toEqual(["95 A", "120 A", "Boomer 47", "200 A"]);
  });

  test("without what is not wanted", () => {
    const wish = { unwanted: ["electric"], bounds: {} };
    expect(dropUnwanted([toHit("Starter, Electric", 1), toHit("Recoil Starter", 1)], wish)).toHaveLength(1);
  });
});
