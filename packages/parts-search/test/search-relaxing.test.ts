import { priceWish, findNamingWords, listSplits, dropYear } from "@partline/parts-language/words";
import { describe, expect, it, jest, test } from "@jest/globals";
import { relaxQuery } from "../src/search-index/relaxing.ts";
import { readCases } from "../../../test/support/read-cases.ts";

const cases = readCases<{
  named: [string, string][];
  prices: [string, object | undefined][];
  years: [string, string | undefined][];
}>(import.meta.url, "search-words.yaml");

test.each(cases.named)("%s names %s", (q, named) => expect(findNamingWords(q).join(" ")).toBe(named));

test.each(cases.prices)("%s says of the price %j", (q, wish) => expect(priceWish(q)).toEqual(wish));

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

test.each(cases.years)("%s without its model's year is %j", (q, expected) => expect(dropYear(q)).toBe(expected));

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
