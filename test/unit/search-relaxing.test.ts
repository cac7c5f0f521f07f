import { describe, expect, it, test } from "@jest/globals";
import { relaxed } from "../../services/search/relaxing.ts";
import { namingWords, splitsOf } from "../../services/search/shopper-words.ts";

test.each([
  ["do you have an oil pump for the GXV160?", "oil pump gxv160"],
  ["Ich brauche einen Keilriemen für die MS440", "keilriemen ms440"],
  ["bearing for k t seven thirty five", "bearing kt735"],
  ["belt half inch by eighty three inch", "belt 1/2 83"],
  ["eighteen by nine point five dash eight tire", "18x9.5-8 tire"],
  ["two blades", "two blades"],
])("%s names %s", (q, named) => expect(namingWords(q).join(" ")).toBe(named));

test("a machine glued to a part, two numbers, and two measures are several words", () => {
  expect(splitsOf("fs730vbearing")).toContainEqual(["fs730v", "bearing"]);
  expect(splitsOf("ab-1234/cd-5678")).toEqual([["ab-1234", "cd-5678"]]);
  expect(splitsOf("bearing")).toEqual([]);
});

describe("a query that finds nothing", () => {
  const parts = ["head gasket kohler sv590", "gasket kit kohler", "blade honda hrx217", "hose rubber 44 in"];
  /** Parts that have every word. */
  const count = async (q: string) =>
    parts.filter((part) => q.split(" ").every((word) => part.split(" ").includes(word))).length;
  it("is asked again without what names no part", async () =>
    expect(await relaxed("my Honda HRX217 needs a new blade", count)).toBe("honda hrx217 blade"));
  it("is asked again without its most common word, if most is met", async () =>
    expect(await relaxed("head gasket kit sv590", count)).toBe("head gasket sv590"));
  it("leaves out no number and no size", async () =>
    expect(await relaxed("head gasket kohler sv480", count)).toBeUndefined());
  it("stays without an answer if little of it is met", async () => {
    expect(await relaxed("rubber boots size 44", count)).toBeUndefined();
    expect(await relaxed("", count)).toBeUndefined();
    expect(await relaxed("the of and", count)).toBeUndefined();
  });
});
