import { readLanguage } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import { readAnswer } from "../src/desk.ts";
import type { FitmentRow } from "../src/port.ts";
import type { ShopContact } from "../src/texts.ts";
import { askDesk, deskOf } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

describe("questions in other languages", () => {
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
    expect(readLanguage(text).text).toBe(text);
  });
});

test.each([
  ["Riemenscheiben und Zylinderkopfdichtung für GT-2254", "pulleys and cylinder head gasket for GT-2254"],
  ["Quel joint de culasse pour la GT-2254 ?", "which cylinder head gasket for the GT-2254 ?"],
  ["Ist der Luftfilter auf Lager?", "is the air filter in stock?"],
])("several, compounds and what a part is of are read by rule: %s", (text, english) => {
  expect(readLanguage(text).text).toBe(english);
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
  test("goes on about those of the answer before", async () => {
    const desk = deskOf();
    const ask = (query: string) => readAnswer(desk.answer({ query, includeStoreLink: false, sessionId: "s" }));
    await ask("price of 15964-8141, 614071 and 54 021 15-S");
    expect((await ask("and which of them is the cheapest?")).answer).toContain("The cheapest of these: 614071, $3.25.");
    const { answer, parts } = await ask("which of these are in stock?");
    expect(answer).toMatch(/15964-8141 \(Carburetor\): \$55\.00, 12 in stock;/);
    expect(parts.map(({ part_number }) => part_number)).toEqual(["15964-8141", "54 021 15-S"]);
  });
});

describe("how people reach the shop", () => {
  const contact = {
    phone: "+1 775 555 0100",
    email: null,
    address: ["12 Wharf Road", "Reno"],
    openingHours: ["Mo {9} to 5"],
  };
  const askWith = (query: string, given: ShopContact) =>
    readAnswer(deskOf({}, given).answer({ query, includeStoreLink: false }));

  test.each([
    ["What's your phone number?", "You can reach us here: +1 775 555 0100, 12 Wharf Road, Reno."],
    ["When are you open?", "Our opening hours: Mo 9 to 5. The online store is open all the time."],
    ["¿Cuál es su número de teléfono?", "Puede contactarnos aquí: +1 775 555 0100, 12 Wharf Road, Reno."],
    ["¿A qué hora abren?", "Nuestro horario: Mo 9 to 5. La tienda en línea está siempre abierta."],
    ["Wie ist Ihre Telefonnummer?", "So erreichen Sie uns: +1 775 555 0100, 12 Wharf Road, Reno."],
    ["Wann haben Sie geöffnet?", "Unsere Öffnungszeiten: Mo 9 to 5. Der Onlineshop ist immer offen."],
  ])("is what the settings say: %s", async (query, said) => {
    expect((await askWith(query, contact)).answer).toBe(said);
  });

  test("and is not known where they say nothing", async () => {
    const { answer } = await askWith("What's your phone number?", { ...contact, phone: null, address: [] });
    expect(answer).toContain("I don't have a phone number");
  });
});
