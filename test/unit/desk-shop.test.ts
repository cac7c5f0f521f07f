import { describe, expect, test } from "@jest/globals";
import { readAnswer } from "../../services/ai/desk/desk.ts";
import type { FitmentRow } from "../../services/ai/desk/port.ts";
import { translateToEnglish } from "../../services/ai/desk/languages.ts";
import { askDesk, deskOf } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

describe("questions in other languages", () => {
  test.each([
    ["Welcher Luftfilter passt für den GT-2254?", "54 021 15-S"],
    ["Wie viele Messerschrauben hat der GT-2254?", "614071"],
    ["Vergaserdichtung für GT 2254", "795123"],
    ["¿Qué filtro de aire necesito para el GT-2254?", "54 021 15-S"],
    ["¿Cuánto cuesta la correa de la plataforma del GT-2254?", "10.A123"],
    ["Quelle courroie pour le GT-2254 ?", "10.A123"],
  ])("%s", async (query, number) => {
    expect((await askDesk(query)).parts[0]).toMatchObject({ part_number: number });
  });

  test("in another script it is said which languages are read", async () => {
    const { answer, parts } = await askDesk("Какой ремень нужен?");
    expect(answer).toMatch(/^I read questions in English, German, Spanish and French/);
    expect(parts).toEqual([]);
  });

  test("a number is answered in any", async () => {
    expect(
      (await askDesk("Was kostet 15964-8141, und ist das Teil da?")).parts.map(({ part_number }) => part_number),
    ).toEqual(["15964-8141"]);
  });

  test.each([
    "do you have a die for a thread",
    "snorkel for my El Camino",
    "what is a seal kit, part of le Mans edition, made for",
    "hello",
    "",
    "starter motor and a filter for the tank of my GT-2254",
    "this couple of pieces of hose for a Carter carburetor",
    "bolt-on weight for a Snap-on tool",
    // No word is cut in all the ways that there are.
    "xq".repeat(60),
    "der".repeat(100),
  ])("English stays as it is: %s", (text) => {
    expect(translateToEnglish(text)).toBe(text);
  });
});

test.each([
  ["Riemenscheiben und Zylinderkopfdichtung für GT-2254", "pulleys and cylinder head gasket for GT-2254"],
  ["Quel joint de culasse pour la GT-2254 ?", "which cylinder head gasket for the GT-2254 ?"],
  ["Ist der Luftfilter auf Lager?", "is the air filter in stock?"],
])("several, compounds and what a part is of are read by rule: %s", (text, english) => {
  expect(translateToEnglish(text)).toBe(english);
});

describe("what the shop has", () => {
  const passages = [{ sha256: "a".repeat(64), page: 7, text: "deck belt", equipment: ["GT-2254"] }];
  test("its own parts, before those that manuals list and the catalog lacks", async () => {
    const { parts } = await askDesk("Do you have any belts?", { shop: { passages } });
    expect(parts.map(({ part_number, available_for_purchase }) => [part_number, available_for_purchase])).toEqual([
      ["10.A124", true],
    ]);
  });
  test("what manuals list, where the catalog has none", async () => {
    expect(
      (
        await askDesk("do you sell a mower blade?", { shop: { passages: [{ ...passages[0]!, text: "mower blade" }] } })
      ).parts.map(({ part_number }) => part_number),
    ).toEqual(["312-065D"]);
  });
});

describe("a part that is found by its name and is sold no more", () => {
  const old: FitmentRow = { ...ROWS[0]!, partNumber: "99-5555", pnNorm: "995555", description: "Strap, Lifting" };
  test("comes with what replaces it, as one that is asked for by its number", async () => {
    const { answer, parts } = await askDesk("lifting strap for the GT-2254", { shop: { rows: [...ROWS, old] } });
    expect(answer).toContain("$9.00, discontinued");
    expect(answer).toContain("99-5555 is replaced by 99-6666 (Chain): $12.00, stock not known.");
    expect(parts.map(({ part_number, price }) => [part_number, price])).toEqual([
      ["99-5555", 9],
      ["99-6666", 12],
    ]);
  });

  test("and what a manual's list of superseded numbers says of it", async () => {
    const note: FitmentRow = {
      ...ROWS[0]!,
      partNumber: "312-065D",
      pnNorm: "312065D",
      description: "Blade",
      replacedBy: "614071",
      equipment: "",
      page: 13,
      schema: "",
    };
    const { answer } = await askDesk("mower blade for the GT-2254", { shop: { rows: [...ROWS, note] } });
    expect(answer).toContain("312-065D is replaced by 614071 (Blade Bolt 3/8-16 x 1-1/4)");
    const otherMakers = [
      { ...ROWS[4]!, vendor: "BNS" },
      { ...note, vendor: "KOH", partNumber: "31.2065D" },
    ];
    const of = await askDesk("mower blade for the GT-2254", { shop: { rows: otherMakers } });
    expect(of.answer).toContain("312-065D");
    expect(of.answer).not.toContain("replaced");
  });

  test("and the successor is the same maker's, also if another maker has a part of that number", async () => {
    const old: FitmentRow = { ...ROWS[5]!, vendor: "BNS" };
    const other: FitmentRow = {
      ...ROWS[8]!,
      vendor: "KOH",
      partNumber: "10-A124",
      pnNorm: "10A124",
      description: "Oil Plug",
    };
    const { answer, parts } = await askDesk("deck belt for the GT-2254", { shop: { rows: [old, other] } });
    expect(answer).toContain("10.A123 is replaced by 10.A124 (Deck Belt)");
    expect(answer).not.toContain("Oil Plug");
    expect(parts.map(({ part_number }) => part_number)).toEqual(["10.A123", "10.A124"]);
  });
});

describe("which of several parts", () => {
  test.each([
    ["which of 15964-8141, 614071 and 54 021 15-S is the cheapest?", "The cheapest of these: 614071, $3.25."],
    ["which is cheaper, 15964-8141 or 54 021 15-S?", "The cheapest of these: 54 021 15-S, $18.40."],
    [
      "which is cheaper, the deck belt or the air filter of the GT-2254?",
      "The cheapest of those that are for sale at a known price: 54 021 15-S, $18.40.",
    ],
    [
      "what are the cheapest carburetor parts for the GT-2254",
      "The cheapest of those that are for sale at a known price: 15964-8141, $55.00.",
    ],
    [
      "Which of these costs the least: G1234, 312-065D",
      "Which of these is the cheapest is not known: none of them is for sale at a known price.",
    ],
  ])("%s", async (query, said) => expect((await askDesk(query)).answer.split("\n\n").at(-1)).toBe(said));

  test.each([
    "is 15964-8141 in stock?",
    "what is the cheapest air filter for the GT-2254?",
    "are 15964-8141 and 614071 in stock?",
  ])("is not said where nobody asks, or there is one: %s", async (query) => {
    expect((await askDesk(query)).answer).not.toMatch(/cheapest/);
  });

  test.each([
    [
      "Which is the cheapest: the deck belt, or the carburetor? And what page is the air filter on?",
      "The cheapest of these: 10.A124, $41.99.",
    ],
    [
      "which is the cheapest on the GT-2254: the deck belt, the carburetor or the air filter? And on which page is the blade bolt?",
      "The cheapest of those that are for sale at a known price: 54 021 15-S, $18.40.",
    ],
    [
      "On which page is the blade bolt of the GT-2254? And which is cheaper, 15964-8141 or 54 021 15-S?",
      "The cheapest of these: 54 021 15-S, $18.40.",
    ],
    [
      "The carburetor and the air filter of the GT-2254: which costs less?",
      "The cheapest of these: 54 021 15-S, $18.40.",
    ],
    [
      "I need a deck belt and a carburetor for the GT-2254. Which is cheaper?",
      "The cheapest of those that are for sale at a known price: 10.A124, $41.99.",
    ],
    ["Which is cheapest? 54 021 15-S or 15964-8141", "The cheapest of these: 54 021 15-S, $18.40."],
  ])("compares those that are asked about, and not what else is asked: %s", async (query, said) =>
    expect((await askDesk(query)).answer.split("\n\n").at(-1)).toBe(said),
  );

  test.each([
    "What is the cheapest air filter for the GT-2254, and how many blade bolts does it have?",
    "I need a cheaper carburetor for the GT-2254 and an air filter for the GT-2254",
    "What does 614071 cost, and what is the cheapest carburetor for the GT-2254?",
    "cheapest air filter and carburetor for the GT-2254",
  ])("compares nothing with what else is asked: %s", async (query) => {
    const { answer, parts } = await askDesk(query);
    expect(parts).toHaveLength(2);
    expect(answer).not.toContain("The cheapest");
  });

  test("goes on about those of the answer before", async () => {
    const desk = deskOf();
    const ask = (query: string) => readAnswer(desk.answer({ query, includeStoreLink: false, sessionId: "s" }));
    await ask("price of 15964-8141, 614071 and 54 021 15-S");
    expect((await ask("which of these are in stock?")).answer).toMatch(
      /15964-8141 \(Carburetor\): \$55\.00, 12 in stock;.*614071.*: \$3\.25, out of stock;/s,
    );
    expect((await ask("and which of them is the cheapest?")).answer).toContain("The cheapest of these: 614071, $3.25.");
  });
});
