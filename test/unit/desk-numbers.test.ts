import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { editDistance } from "../../packages/parts-search/src/search-index/edit-distance.ts";
import { MOST_NUMBERS, findNumberMentions } from "../../services/ai/desk/numbers.ts";
import { readQuestion } from "../../services/ai/desk/question.ts";
import { oneSlipFrom } from "../../packages/parts-search/src/fitment-index/reader.ts";
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
          const [ask] = readQuestion(`price of ${numbers.join(between)}`, []).items;
          expect(ask!.numbersTyped).toBe(numbers.length);
          for (const each of numbers) expect(ask!.mentions.map(({ pnNorm }) => pnNorm)).toContain(each);
        },
      ),
    );
  });

  test("what is more than are looked up is counted", () => {
    const numbers = Array.from({ length: MOST_NUMBERS + 5 }, (_, at) => String(700_100 + at));
    const [ask] = readQuestion(numbers.join(", "), []).items;
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
  expect(readQuestion(`is 614071 at ${price} still on sale?`, []).items[0]!.count).toBeUndefined();
});

describe("answers to many numbers", () => {
  test("each that is known, and which of them are not", async () => {
    const { answer, parts } = await askDesk(`stock of ${[...MANY, "4455667", "G1234", "7788990"].join(", ")}`);
    expect(parts.map(({ part_number }) => part_number)).toEqual([...MANY, "G1234"]);
    expect(answer).toContain(
      "Of the 8 numbers, no. 6 and no. 8 are in no manual that was read and not in the catalog.",
    );
  });

  test("says how many were looked up of more", async () => {
    const { answer } = await askDesk(Array.from({ length: 23 }, (_, at) => String(700_100 + at)).join(", "));
    expect(answer).toContain("The first 20 of 23 numbers were looked up: ask for the other 3 by themselves.");
  });
});

describe("a number with a slip of the keys", () => {
  test.each([
    ["do you have 79512?", "795123 (Carburetor Gasket), page 3 of the GT-2254 manual"],
    ["price of 54 021 15", "54 021 15-S (Air Filter), page 9"],
    ["312-056D", "312-065D (Mower Blade), page 7"],
    ["6140711", "614071 (Blade Bolt 3/8-16 x 1-1/4), page 7"],
    ["what is 11O13-7047", "11013-7047 (Idler Pulley), page 5 of the ZT 3000 manual"],
  ])("%s", async (query, near) => {
    const { answer, parts } = await askDesk(query);
    expect(answer).toMatch(/^That number is in no manual that was read and not in the catalog\. Did you mean /);
    expect(answer).toContain(near);
    expect(parts).toEqual([]);
  });

  test("is every text that is one edit away, and no other", () => {
    const text = fc.stringMatching(/^[0-9A-F]{1,6}$/);
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(oneSlipFrom(a).includes(b)).toBe(editDistance(a, b) === 1);
      }),
    );
    expect(oneSlipFrom("123456789012345678901234").length).toBeLessThan(24 * 75);
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
      /^710-0599 \(Screw\) fits XQ-0 .*, XQ-6 .* and XQ-7 \([^)]*\) and others;/,
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
        expect(answer).toMatch(/^No manual of (?:that|the other) equipment was read: what fits it is not known\./);
        expect(answer).not.toContain(machine);
        expect(answer).toMatch(/312-065D \(Mower Blade\).*page 7/s);
        expect(parts.map(({ part_number }) => part_number)).toEqual(["312-065D"]);
      }),
    );
  });

  test("is asked after where it is called much like one that is known", async () => {
    expect((await askDesk("Does 312-065D fit the GT-2255?")).answer).toMatch(
      /^No manual of that equipment was read: what fits it is not known\. Did you mean the GT-2254\?/,
    );
  });

  test.each([
    "Does G1234 fit the GT-2254?",
    "price of 312-065D and G1234",
    "stock for 312-065D and for G9999",
    "is 312-065D on the GT-2254 the same as G1234?",
  ])("is none of what is a number: %s", async (text) => {
    expect((await askDesk(text)).answer).not.toContain("equipment was read");
  });

  const FIRST = "614071 (Blade Bolt 3/8-16 x 1-1/4)";
  test.each([
    ["what does AB1234 cost, and 614071?", "no. 1"],
    ["Does AB1234 replace 614071?", "no. 1"],
    ["do AB1234 and 614071 fit the GT-2254?", "no. 1"],
    ["price for the AB1234 and 614071", "no. 1"],
    ["do you have a AB1234 and 614071?", "no. 1"],
    ["Is 614071 in AB1234?", "no. 2"],
  ])("is none of what may as well be a number that nobody knows, and that is said: %s", async (text, place) => {
    const { answer } = await askDesk(text);
    expect(answer).not.toContain("equipment was read");
    expect(answer).toContain(`Of the 2 numbers, ${place} is in no manual that was read and not in the catalog.`);
  });

  test("nor what is the number of a part, however it is asked for beside another", async () => {
    for (const text of [
      "what does 614071 cost, and the G1234?",
      "price of the mower blade for the GT-2254 and the G1234",
      "does SAE30 oil fit 614071",
    ]) {
      const { answer, parts } = await askDesk(text);
      expect(answer).not.toContain("equipment was read");
      expect(parts.map(({ part_number }) => part_number)).toContain(text.includes("G1234") ? "G1234" : "614071");
    }
  });

  test.each([
    "I have a LX-500. does 614071 fit it?",
    "I have a LX-5000. does 614071 fit it?",
    "I own an LX-500 and need 614071 for it",
    "My mower is a LX-500. Will 614071 work on it?",
    "Does 614071 fit my mower? It's a LX-500.",
    "Does 614071 fit the Rider 500?",
    "does 614071 fit my Craftsman 5000?",
    "Is 614071 OK for the ZT-3001?",
    "is 614071 okay on a Toro LX500",
    "Does 614071 fit LX-500?",
    "will 614071 work with my LX-500?",
  ])("is said to be unknown, however it is named: %s", async (text) => {
    const { answer } = await askDesk(text);
    expect(answer).toMatch(/^No manual of that equipment was read: what fits it is not known\./);
    expect(answer.split("\n\n")).toHaveLength(2);
    expect(answer).toContain(FIRST);
    expect(answer).not.toContain("in no manual that was read");
  });

  test.each([
    "Does the air filter of the GT-2254 fit the LX-500?",
    "Does the air filter of the LX-500 fit the GT-2254?",
    "what air filter fits the LX-500 and the GT-2254?",
    "air filter for GT-2254 and LX-500",
    "can I put the air filter of a GT-2254 on an LX-500",
    "Does the air filter of the GT-2254 fit the ZT 3000 and the LX-500?",
    "I have a GT-2254 and an LX-500. Does 54 021 15-S fit both?",
  ])("is said to be unknown beside one that is known, where a part is asked for by its name: %s", async (text) => {
    const { answer, parts } = await askDesk(text);
    expect(answer).toMatch(/^No manual of the other equipment was read: what fits it is not known\.\n\n/);
    expect(answer).toContain("For the GT-2254: 54 021 15-S (Air Filter)");
    expect(parts.map(({ part_number }) => part_number)).toEqual(["54 021 15-S"]);
  });
});
