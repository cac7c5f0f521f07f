import { priceWish, findNamingWords, listSplits, dropYear } from "@partline/parts-language/words";
import { describe, expect, it, jest, test } from "@jest/globals";
import { relaxQuery } from "../src/search-index/relaxing.ts";

test.each([
  ["do you have an oil pump for the GXV160?", "oil pump gxv160"],
  ["Ich brauche einen Keilriemen für die MS440", "keilriemen ms440"],
  ["bearing for k t seven thirty five", "bearing kt735"],
  ["belt half inch by eighty three inch", "belt 1/2 inch 83 inch"],
  ["half inch hydraulic hose 72 inch", "1/2 inch hydraulic hose 72 inch"],
  ["quarter-inch hose", "1/4 inch hose"],
  ["eighteen by nine point five dash eight tire", "18x9.50-8 tire"],
  ["two blades", "blades"],
  ["brand new in box GCV160 spark plug 2 pack", "gcv160 spark plug"],
  ["set of 3 turf tires, fast shipping", "turf tires"],
  ["spark plug bpr6es x4", "spark plug bpr6es"],
  ["need 20 knives for a GMD 3150", "knives gmd 3150"],
  ["need 48 inches of hose", "48 inches hose"],
  ["need 21 briggs mower blade", "21 briggs mower blade"],
  ["614071 x 6", "614071"],
  ["tire 20 x 8 x 8", "tire 20x8.00-8"],
  ["tyre 20 x 1000 - 8", "tyre 20x10.00-8"],
  ["five eighths by one hundred and thirty four inch", "5/8x134 inch"],
  ["belt one hundred five inch", "belt 105 inch"],
  ["bolt m8 x 20", "bolt m8 x 20"],
  ["P/N:17897-Z1A-358,", "17897-z1a-358"],
  ["item# ag 767 664 (new)", "ag 767 664"],
  ["three eighths hose, 36 inches long", "3/8 hose 36 inches"],
  ["flat idler four inch", "flat idler 4 inch"],
  ["briggs seven nine oh five", "briggs 7905"],
  ["18 x 9 1/2 - 8 tire", "18x9.50-8 tire"],
  ["10 mm bolt", "10mm bolt"],
  ["starter 10 t", "starter 10t"],
  ["rings, twenty over", "rings .020 oversize"],
  ["hi-lift blade", "high lift blade"],
  ["die günstigsten Zündkerzen, 4 Stück", "zundkerzen"],
  ["4 bujías baratas", "bujias"],
  ["6 cylinders", "6 cylinders"],
  ["need a p t o shaft series six", "pto shaft series 6"],
  ["muffler for a g x one sixty", "muffler gx160"],
  ["filtro de gasolina por favor", "filtro gasolina"],
])("%s names %s", (q, named) => expect(findNamingWords(q).join(" ")).toBe(named));

test.each([
  ["briggs muffler under 60 dollars", { q: "briggs muffler", bounds: { maxPrice: 6_000 } }],
  ["coil max 80.50 usd kawasaki", { q: "coil kawasaki", bounds: { maxPrice: 8_050 } }],
  ["tire below $70", { q: "tire", bounds: { maxPrice: 7_000 } }],
  ["belt less than 30", { q: "belt", bounds: { maxPrice: 3_000 } }],
  ["Reifen unter 70 Dollar", { q: "reifen", bounds: { maxPrice: 7_000 } }],
  ["seat over $100", { q: "seat", bounds: { minPrice: 10_000 } }],
  ["filter $10 or less", { q: "filter", bounds: { maxPrice: 1_000 } }],
  ["blade between $20 and $50", { q: "blade", bounds: { minPrice: 2_000, maxPrice: 5_000 } }],
  ["blade 20-50 dollars", { q: "blade", bounds: { minPrice: 2_000, maxPrice: 5_000 } }],
  ["engine under $1,500", { q: "engine", bounds: { maxPrice: 150_000 } }],
  ["under $20", { q: "", bounds: { maxPrice: 2_000 } }],
  ["seat no less than $20", { q: "seat", bounds: { minPrice: 2_000 } }],
  ["954-04060 $24.99", undefined],
  ["under 703450", undefined],
  ["motor under 60 hp", undefined],
  ["alternator over 95 amps", undefined],
  ["pan under engine", undefined],
  ["hose 1/2 to 3/4", undefined],
])("%s says of the price %j", (q, wish) => expect(priceWish(q)).toEqual(wish));

test("a machine glued to a part, two numbers, and two measures are several words", () => {
  expect(listSplits("fs730vbearing")).toContainEqual(["fs730v", "bearing"]);
  expect(listSplits("ab-1234/cd-5678")).toEqual([["ab-1234", "cd-5678"]]);
  expect(listSplits("viper4nozzle")).toContainEqual(["viper4", "nozzle"]);
  expect(listSplits("mf4710")).toEqual([["mf", "4710"]]);
  expect(listSplits("1x3-5/32")).toEqual([["1", "3-5/32"]]);
  expect(listSplits("25amp")).toContainEqual(["25a"]);
  expect(listSplits("fuelpump")).toContainEqual(["fuel", "pump"]);
  expect(listSplits("a".repeat(41))).toEqual([]);
  for (const typed of ["18858", "18x850-8", "188508", "18850-8"])
    expect(listSplits(typed).flat()).toContainEqual(expect.stringMatching(/^18x8.?50?-8$/));
  expect(listSplits("st2057514")).toContainEqual(["205/75-14"]);
  expect(listSplits("10mm")).toContainEqual(["m10"]);
  expect(listSplits("12.7mm")).toContainEqual(["0.5"]);
  expect(listSplits("belt")).toEqual([]);
  expect(listSplits("5constructor")).not.toContainEqual([expect.stringContaining("function")]);
});

test.each([
  ["2019 Honda HRX217 blade", "honda hrx217 blade"],
  ["honda hrx217 2011-2014 blade", "honda hrx217 blade"],
  ["blade for 2008 honda", "blade for honda"],
  ["'98 honda blade", "honda blade"],
  ["16100 2019 blade", undefined],
  ["blade 2019", undefined],
  ["honda blade 1840", undefined],
])("%s without its model's year is %j", (q, expected) => expect(dropYear(q)).toBe(expected));

describe("a query that finds nothing", () => {
  const parts = ["head gasket kohler sv590", "gasket kit kohler", "blade honda hrx217", "hose rubber 44 in"];
  /** Parts that have every word. */
  const count = async (q: string) =>
    parts.filter((part) => q.split(" ").every((word) => part.split(" ").includes(word))).length;
  const catalog = { count, isEquipment: async () => false };
  it("is asked again without what names no part", async () =>
    expect(await relaxQuery("my Honda HRX217 needs a new blade", catalog)).toEqual({ q: "honda hrx217 blade" }));
  it("is asked again without its most common word, if most is met", async () =>
    expect(await relaxQuery("head gasket kit sv590", catalog)).toEqual({ q: "head gasket sv590" }));
  it("leaves out no number and no size", async () =>
    expect(await relaxQuery("head gasket kohler sv480", catalog)).toBeUndefined());
  it("is not asked for loose digits alone", async () => {
    const digits = { ...catalog, count: async (q: string) => Number(!q.includes(" ") || q === "1/2 4") };
    expect(await relaxQuery("hydraulic hose 1/2 4", digits)).toBeUndefined();
  });
  it("is asked again without words of a story", async () =>
    expect(await relaxQuery("the blade on my honda hrx217 just snapped twice", catalog)).toEqual({
      q: "blade honda hrx217",
    }));
  it("is asked again without what comes with the part", async () =>
    expect(await relaxQuery("head gasket kohler sv590 w/ bolts and paper instructions", catalog)).toEqual({
      q: "head gasket kohler sv590",
    }));
  it("is asked again without its year, which never says what it is", async () => {
    expect(await relaxQuery("2019 honda hrx217 blade", catalog)).toEqual({ q: "honda hrx217 blade" });
    expect(await relaxQuery("hrx217 2019 toaster", catalog)).toBeUndefined();
    expect(await relaxQuery("kubota 2015", { ...catalog, count: async (q) => Number(q === "2015") })).toBeUndefined();
  });
  it("is asked again without a colour or shape, not without the part", async () => {
    const others = ["hose honda gx390", "hose kohler", "muffler red honda gx390"];
    const ofOthers = async (q: string) =>
      others.filter((part) => q.split(" ").every((word) => part.split(" ").includes(word))).length;
    expect(await relaxQuery("hose honda gx390 red", { ...catalog, count: ofOthers })).toEqual({
      q: "hose honda gx390",
    });
  });
  it("leaves out a machine's power beside its model, and not beside none", async () => {
    expect(await relaxQuery("blade honda hrx217 7hp", catalog)).toEqual({ q: "blade honda hrx217" });
    expect(await relaxQuery("gasket kit kohler 7hp", catalog)).toBeUndefined();
  });
  it("is asked again word by word where two numbers are written as one", async () => {
    const numbers = {
      ...catalog,
      count: async (q: string) => Number(["w32273", "w51116", "w32273 w51116"].includes(q)),
    };
    expect(await relaxQuery("W32273/W51116", numbers)).toEqual({ q: "w32273 w51116" });
  });
  it("is asked of the equipment that it names, in neighbouring words", async () => {
    const manuals = {
      isEquipment: async (model: string) => ["gt 2254", "gt-2254"].includes(model),
      count: async (q: string, equipment?: string) => Number(equipment !== undefined && ["", "blade"].includes(q)),
    };
    expect(await relaxQuery("blade for GT 2254", manuals)).toEqual({ q: "blade", equipment: "gt 2254" });
    expect(await relaxQuery("GT-2254", manuals)).toEqual({ q: "", equipment: "gt-2254" });
    expect(await relaxQuery("piston gt-2254", manuals)).toBeUndefined();
  });
  it.each(["a".repeat(300), "qwertyuiopasdfghjklzxcvb ".repeat(12), "x".repeat(16_000)])(
    "is asked again at most 60 times, for any words",
    async (q) => {
      let searches = 0;
      const nothing = { ...catalog, count: async () => 0 * (searches += 1) };
      expect(await relaxQuery(q, nothing)).toBeUndefined();
      expect(searches).toBeLessThanOrEqual(60);
    },
  );
  it("is asked again for two seconds at most", async () => {
    jest.useFakeTimers();
    try {
      let searches = 0;
      const slow = {
        ...catalog,
        count: async () => {
          jest.advanceTimersByTime(500);
          return 0 * (searches += 1);
        },
      };
      expect(await relaxQuery("kurbelwellendichtring", slow)).toBeUndefined();
      expect(searches).toBe(5);
    } finally {
      jest.useRealTimers();
    }
  });
  it("stays without an answer if little of it is met", async () => {
    expect(await relaxQuery("rubber boots size 44", catalog)).toBeUndefined();
    expect(await relaxQuery("", catalog)).toBeUndefined();
    expect(await relaxQuery("the of and", catalog)).toBeUndefined();
  });
});
