import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { editDistance } from "../../mixins/search-index/edit-distance.ts";
import { MOST_NUMBERS, numberMentions } from "../../services/ai/desk/number-mentions.ts";
import { understand } from "../../services/ai/desk/understanding.ts";
import { oneSlipFrom } from "../../services/ai/fitment/near-numbers.ts";
import { askDesk } from "./desk.asking.ts";

const number = fc.stringMatching(/^[1-9]\d{5,8}[BDS]?$/);
const MANY = ["15964-8141", "795123", "614071", "312-065D", "11013-7047"];

describe("numbers of a question", () => {
  test("all of a list are read, whatever stands between them", () => {
    fc.assert(fc.property(fc.uniqueArray(number, { minLength: 1, maxLength: MOST_NUMBERS }), fc.constantFrom(", ", " ", "; ", ","), (numbers, between) => {
      const [ask] = understand(`price of ${numbers.join(between)}`, []).asks;
      expect([ask!.numbersTyped, ask!.numbersLeftOut]).toEqual([numbers.length, 0]);
      for (const each of numbers) expect(ask!.mentions.map(({ pnNorm }) => pnNorm)).toContain(each);
    }));
  });

  test("what is more than are looked up is counted", () => {
    const numbers = Array.from({ length: MOST_NUMBERS + 5 }, (_, at) => String(700_100 + at));
    expect(understand(numbers.join(", "), []).asks[0]).toMatchObject({ numbersTyped: MOST_NUMBERS + 5, numbersLeftOut: 5 });
  });

  test("one that is typed in several words is one, with all ways to read it", () => {
    const { mentions, typed } = numberMentions(["54", "021", "15-S"], new Set());
    expect(typed).toBe(1);
    expect(mentions[0]).toMatchObject({ text: "54 021 15-S", number: 0 });
  });
});

describe("answers to many numbers", () => {
  test("each that is known, and which of them are not", async () => {
    const { answer, parts } = await askDesk(`stock of ${[...MANY, "4455667", "G1234", "7788990"].join(", ")}`);
    expect(parts.map(({ part_number }) => part_number)).toEqual([...MANY, "G1234"]);
    expect(answer).toContain("Of the 8 numbers, the 6th and 8th are in no manual that was read and not in the catalog.");
  });

  test("says how many were looked up of more", async () => {
    const { answer } = await askDesk(Array.from({ length: 23 }, (_, at) => String(700_100 + at)).join(", "));
    expect(answer).toContain("The first 20 of 23 numbers were looked up: ask for the other 3 by themselves.");
  });
});

describe("a number with a slip of the keys", () => {
  test.each([
    ["do you have 79512?", "795123 (Carburetor Gasket), page 3 of the GT-2254 manual"], ["price of 54 021 15", "54 021 15-S (Air Filter), page 9"], ["312-056D", "312-065D (Mower Blade), page 7"],
    ["6140711", "614071 (Blade Bolt 3/8-16 x 1-1/4), page 7"], ["what is 11O13-7047", "11013-7047 (Idler Pulley), page 5 of the ZT 3000 manual"],
  ])("%s", async (query, near) => {
    const { answer, parts } = await askDesk(query);
    expect(answer).toMatch(/^That number is in no manual that was read and not in the catalog\. Did you mean /);
    expect(answer).toContain(near);
    expect(parts).toEqual([]);
  });

  test("is every text that is one edit away, and no other", () => {
    const text = fc.stringMatching(/^[0-9A-F]{1,6}$/);
    fc.assert(fc.property(text, text, (a, b) => {
      expect(oneSlipFrom(a).includes(b)).toBe(editDistance(a, b) === 1);
    }));
    expect(oneSlipFrom("123456789012345678901234").length).toBeLessThan(24 * 75);
  });
});
