import { MOST_NUMBERS, findNumberMentions, understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { computeEditDistance } from "../../parts-search/src/search-index/edit-distance.ts";
import { isNearNumber, listAlike, listSlips, rankSlip } from "../../parts-search/src/search-index/near-numbers.ts";
import { askDesk } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

const number = fc.stringMatching(/^[1-9]\d{5,8}[BDS]?$/);
const MANY = ["15964-8141", "795123", "614071", "312-065D", "11013-7047"];

describe("numbers of a question", () => {
  test("all of a list are read, with any separator", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(number, { minLength: 1, maxLength: MOST_NUMBERS }),
        fc.constantFrom(", ", " ", "; ", ","),
        (numbers, between) => {
          const [ask] = understand(`price of ${numbers.join(between)}`, []).items;
          expect(ask!.numbersTyped).toBe(numbers.length);
          for (const each of numbers) expect(ask!.mentions.map(({ pnNorm }) => pnNorm)).toContain(each);
        },
      ),
    );
  });

  test("what is more than are looked up is counted", () => {
    const numbers = Array.from({ length: MOST_NUMBERS + 5 }, (_, at) => String(700_100 + at));
    const [ask] = understand(numbers.join(", "), []).items;
    expect(ask!.numbersTyped).toBe(MOST_NUMBERS + 5);
    expect(new Set(ask!.mentions.map(({ number: of }) => of)).size).toBe(MOST_NUMBERS);
  });

  test("one that is typed in several words is one, with all ways to read it", () => {
    const { mentions, typed } = findNumberMentions(["54", "021", "15-S"]);
    expect(typed).toBe(1);
    expect(mentions[0]).toMatchObject({ text: "54 021 15-S", number: 0 });
  });
});

test.each(["$15", "$ 15", "€15", "15 euros"])("money counts nothing: %s", (price) => {
  expect(understand(`is 614071 at ${price} still on sale?`, []).items[0]!.count).toBeUndefined();
});

describe("answers to many numbers", () => {
  test("each that is known, and which of them are not", async () => {
    const { answer, parts } = await askDesk(`stock of ${[...MANY, "4455667", "G1234", "7788990"].join(", ")}`);
    expect(parts.map(({ part_number }) => part_number)).toEqual([...MANY, "G1234"]);
    expect(answer).toContain("Of the 8 numbers, I don't have no. 6 and no. 8.");
  });

  test("says how many were looked up of more", async () => {
    const { answer } = await askDesk(Array.from({ length: 23 }, (_, at) => String(700_100 + at)).join(", "));
    expect(answer).toContain("I looked up the first 20 of 23 numbers: ask for the other 3 by themselves.");
  });
});

describe("a number with a slip of the keys", () => {
  test("is every text that is one edit away, and no other", () => {
    const text = fc.stringMatching(/^[0-9A-F]{1,6}$/);
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(listSlips(a).includes(b)).toBe(computeEditDistance(a, b) === 1);
      }),
    );
    expect(listSlips("123456789012345678901234").length).toBeLessThan(24 * 75);
  });

  test.each([
    [0, "85123B", "BS1238"],
    [1, "851239", "815239"],
    [2, "8512339", "851239"],
    [3, "851239", "85129"],
    [4, "851239", "851238"],
    [5, "851239", "851235"],
  ])("is the likelier, the lower its rank: %i", (rank, typed, meant) => {
    expect([rankSlip(typed, meant), isNearNumber(typed, meant)]).toEqual([rank, true]);
  });

  test("with characters that look alike is among a few hundred readings", () => {
    expect(listAlike("BS1238")).toContain("85123B");
    expect(listAlike("O0O0O0O0O0O0O0O0O0O0").length).toBeLessThan(300);
    expect(listAlike("794937")).toEqual([]);
  });
});

describe("a number that a great many manuals list", () => {
  const listing = (
    equipment: string,
    sha256: string,
    place: { page: number; quantity: number },
    partNumber = "710-0599",
  ) => ({
    ...ROWS[3]!,
    partNumber,
    pnNorm: partNumber.replace("-", ""),
    description: "Screw",
    schema: "Figure 3: Mower Deck",
    equipment,
    sha256,
    ...place,
  });
  const place = fc.record({ page: fc.integer({ min: 1, max: 99 }), quantity: fc.integer({ min: 1, max: 12 }) });
  const crowd = fc
    .array(place, { minLength: 1, maxLength: 130 })
    .map((places) => places.map((each, at) => listing(`XQ-${at % 70}`, "e".repeat(64), each)));
  const questions = fc.constantFrom(
    "How many 710-0599 does the ZT 3000 take?",
    "Does 710-0599 fit the ZT 3000?",
    "On which page of the ZT 3000 manual is 710-0599?",
    "price of 710-0599 for the ZT 3000",
  );

  test("is answered for the machine that is asked about, for any of its rows that are read", async () => {
    await fc.assert(
      fc.asyncProperty(crowd, place, questions, fc.nat(130), async (others, own, query, mostOfANumber) => {
        const { answer, parts } = await askDesk(query, {
          shop: { rows: [...others, listing("ZT 3000", "b".repeat(64), own)], mostOfANumber },
        });
        expect(answer).not.toMatch(/not listed|no manual/);
        expect(parts[0]).toMatchObject({
          part_number: "710-0599",
          quantity: own.quantity,
          pdf_link: expect.stringMatching(new RegExp(`${"b".repeat(64)}.*#page=${own.page}$`)),
        });
      }),
    );
  });

  test("and for one that it replaces says that", async () => {
    const replaced = {
      ...listing("ZT 3000", "b".repeat(64), { page: 8, quantity: 2 }, "710-0001"),
      replacedBy: "710-0599",
    };
    const rows = [
      ...Array.from({ length: 120 }, (_, at) =>
        listing(`XQ-${at % 70}`, "e".repeat(64), { page: at + 1, quantity: 1 }),
      ),
      listing("ZT 3000", "b".repeat(64), { page: 9, quantity: 2 }),
      replaced,
    ];
    const { answer, parts } = await askDesk("What replaces 710-0001 on the ZT 3000?", {
      shop: { rows, mostOfANumber: 100 },
    });
    expect(answer).toContain("710-0001 is replaced by 710-0599 (Screw): page 9;");
    expect(parts[1]).toMatchObject({
      part_number: "710-0599",
      quantity: 2,
      pdf_link: expect.stringMatching(/#page=9$/),
    });
  });

  test("is said to fit others too, where not all are named", async () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      listing(`XQ-${Math.floor(at / 15)}`, "e".repeat(64), { page: at + 1, quantity: 1 }),
    );
    expect((await askDesk("which machines use 710-0599?", { shop: { rows } })).answer).toMatch(
      /^710-0599 \(Screw\) fits the XQ-0 .*, XQ-6 .*, XQ-7 \([^)]*\) and others;/,
    );
  });

  test("gives no sum where not all of its places are known", async () => {
    const rows = Array.from({ length: 101 }, (_, at) =>
      listing("ZT 3000", "b".repeat(64), { page: at + 1, quantity: 1 }),
    );
    expect((await askDesk("how many 710-0599 are on the ZT 3000 in total?", { shop: { rows } })).answer).not.toContain(
      "In all",
    );
    expect(
      (await askDesk("how many 710-0599 are on the ZT 3000 in total?", { shop: { rows: rows.slice(0, 99) } })).answer,
    ).toContain("= 99.");
  });
});

describe("equipment that no manual is of", () => {
  const name = fc.stringMatching(/^[A-Z]{2,4}-?\d{3}$/).filter((each) => !/^(?:GT|ZT|M)/.test(each));
  const query = fc.constantFrom(
    "Does 312-065D fit the NAME?",
    "will 312-065D work on my NAME",
    "how many 312-065D does the NAME take?",
    "Is 312-065D right for a Toro NAME?",
    "Does 312-065D fit the GT-2254 and the NAME?",
    "which page is 312-065D on in the NAME manual?",
  );

  test("is said to be unknown, and not by its name, and the known facts of the number are given", async () => {
    await fc.assert(
      fc.asyncProperty(name, query, async (machine, form) => {
        const { answer, parts } = await askDesk(form.replace("NAME", machine));
        expect(answer).toMatch(/^I don't have a parts list for (?:that|the other) machine\./);
        expect(answer).not.toContain(machine);
        expect(answer).toMatch(/312-065D \(Mower Blade\).*page 7/s);
        expect(parts.map(({ part_number }) => part_number)).toEqual(["312-065D"]);
      }),
    );
  });
});
