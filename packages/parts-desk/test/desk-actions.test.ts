import { readLanguage } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import { readAnswer } from "../src/desk.ts";
import type { Passage } from "../src/port.ts";
import { askDesk, deskOf } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

/** Questions of one session, in turns. */
async function talk(...queries: string[]) {
  const desk = deskOf();
  const answers = [];
  for (const query of queries)
    answers.push(await readAnswer(desk.answer({ query, includeStoreLink: false, sessionId: "s" })));
  return answers;
}

describe("what a client may do with an answer", () => {
  const line = {
    type: "add_to_cart",
    method: "POST",
    path: "/api/cart/items",
    body: {
      item: {
        productId: "kaw-159648141",
        partNumber: "15964-8141",
        title: "Carburetor, Assembly, FS730V",
        quantity: 2,
        unitPrice: 55,
        manufacturer: "KAW",
      },
    },
  };

  test("a line for the cart, of a part that is named or was spoken of, and nothing is said to be done", async () => {
    expect((await askDesk("add two 15964-8141 to my cart")).actions).toEqual([line]);
    const [asked, added] = await talk("carburetor for the GT-2254", "put two of them in my cart");
    expect(asked!.actions).toEqual([]);
    expect(added!.actions).toMatchObject([{ type: "add_to_cart", body: { item: { quantity: 2 } } }]);
    expect(added!.answer).toMatch(/^Ready for your cart: 2 × 15964-8141/);
  });

  test.each([
    "Two GT-2254 carburetors into the cart, please.",
    "a couple of carburetors for my GT-2254 to the cart",
    "add two carburetors for GT-2254 to cart",
    "fine, bung a pair of 15964-8141 in my basket",
    "2 carburetors of the GT-2254 into my order",
    "Zwei Vergaser vom GT-2254 in den Warenkorb",
    "dos carburadores del GT-2254 al carrito",
    "deux carburateurs du GT-2254 au panier",
  ])("by any verb, and without one: %s", async (query) => {
    const { actions, answer } = await askDesk(query);
    expect(actions).toEqual([line]);
    expect(answer).not.toContain("an order");
  });

  test.each(["fine, two sets into the cart", "a pair of them to the cart please", "great, two in my cart"])(
    "of what was answered: %s",
    async (query) => {
      expect((await talk("carburetor for the GT-2254", query))[1]!.actions).toEqual([line]);
    },
  );

  test("an order that was placed is none for the cart", async () => {
    expect((await askDesk("two blades in my order are wrong")).answer).toMatch(/^I can't change orders/);
  });

  test("no line of what has no price, or of one of several", async () => {
    expect((await askDesk("add a G1234 to my cart")).actions).toEqual([]);
    const { answer, actions } = await askDesk("add the parts of the GT-2254 to my cart");
    expect(actions).toEqual([]);
    expect(answer).toContain("Which part is it? Give me its number");
  });

  test("links, once they are asked for", async () => {
    const [, yes] = await talk("carburetor for the GT-2254", "ja, bitte");
    expect(yes!.actions).toEqual([{ type: "open_store", url: "http://store/parts/s-159648141" }]);
    expect((await talk("carburetor for the GT-2254", "no gracias"))[1]!.actions).toEqual([]);
  });

  test("where an order is, by its id if that was typed; its number is no address", async () => {
    expect((await askDesk("where is my order ord_01ABC2?")).actions).toEqual([
      { type: "look_up_order", method: "GET", path: "/api/orders/ord_01ABC2" },
    ]);
    expect((await askDesk("where is my order ORD-20261127-000001?")).actions).toMatchObject([
      { path: "/api/orders/user/{userId}" },
    ]);
    expect((await askDesk("cancel my order")).actions).toMatchObject([{ path: "/api/orders/user/{userId}" }]);
  });
});

describe("several things that one question asks", () => {
  test("a part's price, and which mowers it fits: no mower is looked for", async () => {
    const { parts } = await askDesk("What does 15964-8141 cost, and which mowers does it fit?");
    expect(parts.map(({ part_number }) => part_number)).toEqual(["15964-8141"]);
  });

  test("a number on a drawing is its reference", async () => {
    const rows = ROWS.map((row, at) => ({ ...row, reference: String(at + 1) }));
    const { parts } = await askDesk("what is number 1 on the carburetor diagram of the GT-2254?", { shop: { rows } });
    expect(parts.map(({ part_number }) => part_number)).toEqual([rows[0]!.partNumber]);
  });

  test("what two of them cost together", async () => {
    const { answer } = await askDesk("what do the carburetor and the air filter of the GT-2254 cost together?");
    expect(answer).toContain("$73.40");
  });

  test("a thread in a title keeps its mark, and is no number", async () => {
    const rows = [{ ...ROWS[0]!, partNumber: "692571", pnNorm: "692571", description: "Screw, #10-24 x 1/2" }];
    const { answer, parts } = await askDesk("do you have the #10-24 x 1/2 screw for the GT-2254?", { shop: { rows } });
    expect(parts).toMatchObject([{ part_number: "692571", description: "Screw, #10-24 x 1/2" }]);
    expect(answer).not.toContain("That number");
  });
});

describe("a troubleshooting table", () => {
  const text =
    "Problem Cause Remedy\nEngine will not start Air filter is plugged Replace the air filter\nNo fuel Fill the tank\n" +
    "Blades cut uneven Mower blade is bent Replace the mower blade\nDeck belt slips Belt is worn Replace it";
  const passages: Passage[] = [
    { sha256: "a".repeat(64), page: 12, text, equipment: ["GT-2254"] },
    {
      sha256: "a".repeat(64),
      page: 13,
      text: text.replaceAll(" Air filter is", "  Air filter is"),
      equipment: ["GT-2254"],
    },
  ];
  test.each([0, 1])("is quoted by the row of the symptom, and the parts that it names come first", async (at) => {
    const { answer, parts } = await askDesk("my GT-2254 won't start", { shop: { passages: [passages[at]!] } });
    expect(answer).toMatch(
      /page 1[23]: “Engine will not start;? Air filter is plugged Replace the air filter; No fuel/,
    );
    expect(answer).not.toContain("uneven");
    expect(parts[0]).toMatchObject({ part_number: "54 021 15-S" });
  });
});

test.each([
  ["Was kostet die Kupplung für den GT-2260?", "how much costs the clutch for the GT-2260?"],
  ["Reifendruck vom CH-740S?", "tire pressure of CH-740S?"],
  ["Mi GT-2254 no arranca", "my GT-2254 won't start"],
  ["¿Cuál es el torque de los pernos de la cuchilla?", "¿which is the torque of the bolts of the blade?"],
  ["The motor dies when I engage the blades", "The motor dies when I engage the blades"],
  ["how many lift links does it have?", "how many lift links does it have?"],
])("%s is read as %s", (text, english) => expect(readLanguage(text).text).toBe(english));
