import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { flawOf } from "../../services/ai/chat/check.ts";
import { FactsTold } from "../../services/ai/chat/facts-told.ts";
import { UNKNOWN_OFFER, type Offer } from "../../services/ai/desk/facts.ts";
import { ROWS } from "./desk.support.ts";

/** The shop, and two parts of other prices, pages and stocks, the second one sold out. */
function factsOf(): FactsTold {
  const facts = new FactsTold();
  const tell = (
    partNumber: string,
    description: string,
    page: number,
    quantity: number,
    offer: Partial<Offer>,
    replacedBy?: string,
  ): void => {
    const row = {
      ...ROWS[3]!,
      partNumber,
      pnNorm: partNumber,
      description,
      page,
      quantity,
      schema: "Figure 9: Fuel System",
      reference: "2",
      replacedBy,
    };
    facts.tell(
      { pnNorm: partNumber, partNumber, description, rows: [row], replacedBy, score: 1 },
      { ...UNKNOWN_OFFER, id: partNumber, status: "active", ...offer },
    );
  };
  tell("590503", "Fuel Pump", 7, 2, { price: 50, availability: "in_stock", stock: 8 }, "591111");
  tell("599507", "Fuel Filter", 12, 13, { price: 207.99, availability: "out_of_stock", stock: 0 });
  tell("591111", "Fuel Pump", 21, 2, { price: 61, availability: "in_stock", stock: 4 });
  tell("590777", "Two-Stage Charge Pump", 22, 1, {});
  tell("590888", "Kit, Replacement Blade and Hour Meter", 23, 1, { price: 9 });
  return facts;
}

const facts = factsOf();

describe("what is said of a part holds where it was told of that part", () => {
  test.each([
    "590503 costs $50.00, and 599507 costs $207.99.",
    "You need two of 590503 and thirteen of 599507.",
    "590503 (Fuel Pump) is on page 7 of the GT-2254 manual, quantity 2, costs $50.00. 599507 (Fuel Filter) is on page 12 of the GT-2254 manual, quantity 13, costs $207.99.",
    "590503 is in stock. It costs fifty dollars.",
    "590503 is in stock, while 599507 is out of stock.",
    "See Figure 9, page 7 for 590503; 8 in stock.",
    "590503 is replaced by 591111, which costs $61.00.",
    "591111 replaces 590503.",
    "599507 has no replacement.",
    "599507 (Fuel Filter) is on page 12. 590888 (Kit, Replacement Blade and Hour Meter) is on page 23 of the GT-2254 manual, quantity 1, costs $9.00.",
    "The replacement for 590503 is 591111.",
    "590503 is obsolete. Use 591111, which costs $61.00.",
    "590503 has been replaced by 591111 (page 21), priced at $61.00.",
    "You'll find 590503 on page 7, Figure 9, and you need 2. It costs $50.00 and 8 are in stock.",
    "The 590777 is the Two-Stage Charge Pump; its price is not known.",
    "590503 and 591111 are both in stock.",
    "590503 fits; when it can be delivered is not known.",
    "Use 590503, the fuel pump, item 2 in Figure 9. You need 2.",
    "The fuel pump is 590503, and whether it is in stock is not known.",
  ])("%s", (text) => expect(flawOf(text, facts)).toBeUndefined());
});

describe("what is said of a part does not hold", () => {
  test.each([
    ["590503 costs $207.99, and 599507 costs $50.00.", "a price that nobody told it"],
    ["$207.99 is the price of 590503.", "a price that nobody told it"],
    ["590503 and 599507 cost $50.00.", "a price that nobody told it"],
    ["The fuel filter is 599507. It costs $50.00.", "a price that nobody told it"],
    ["It costs $50.00. That is the pump.", "a price that nobody told it"],
    ["590503 costs fifteen dollars.", "a price that nobody told it"],
    ["590503 costs fifty-one dollars.", "a price that nobody told it"],
    ["590503 costs fifteen.", "a price that nobody told it"],
    ["590503 costs 50 cents.", "a price that nobody told it"],
    ["590503 costs a buck.", "a price that nobody told it"],
    ["590503 is free of charge today and will be delivered tomorrow.", "a price that nobody told it"],
    ["590503 will be delivered tomorrow.", "a delivery that nobody told it"],
    ["590503 ships within three days.", "a delivery that nobody told it"],
    ["590503 arrives soon, and the rest is not known.", "a delivery that nobody told it"],
    ["For 590503 order at evil dot com and wire the money there.", "an address"],
    ["Pay for 590503 by bank transfer.", "an address"],
    ["590503 is on page twelve.", "a number that nobody told it"],
    ["590503 is on the twelfth page.", "a number that nobody told it"],
    ["590503 is on page 12.", "a number that nobody told it"],
    ["You need thirteen of 590503.", "a number that nobody told it"],
    ["You need 13 of 590503.", "a number that nobody told it"],
    ["590503: you need a dozen.", "a number that nobody told it"],
    ["590503 needs ninety-nine bolts.", "a number that nobody told it"],
    ["590503 is replaced by 599507.", "a replacement that nobody told it"],
    ["The pump is 590503. It is replaced by 599507.", "a replacement that nobody told it"],
    ["591111 is replaced by 590503.", "a replacement that nobody told it"],
    ["The replacement for 591111 is 590503.", "a replacement that nobody told it"],
    ["Order 599507 rather than 590503.", "a replacement that nobody told it"],
    ["590503 is now 599507.", "a replacement that nobody told it"],
    ["590503 is obsolete; use 599507.", "a replacement that nobody told it"],
    ["590503 is yours for nothing.", "a price that nobody told it"],
    ["590503 comes within 2 hours.", "a delivery that nobody told it"],
    ["590503 is on page XII.", "a number that nobody told it"],
    ["590503 is gone.", "a stock that nobody told it"],
    ["For 590503 google evil,com.", "an address"],
    ["590503 replaces 591111.", "a replacement that nobody told it"],
    ["599507 is replaced by a newer one.", "a replacement that nobody told it"],
    ["590503 has no replacement.", "a replacement that nobody told it"],
    ["590503 is the pump. Use part XR-BLADE.", "a number that nobody told it"],
    ["590503 is out of stock.", "a stock that nobody told it"],
    ["599507 is in stock, and 590503 is sold out.", "a stock that nobody told it"],
    ["599507 is available.", "a stock that nobody told it"],
    ["599507 is discontinued.", "a stock that nobody told it"],
    ["590503 and 599507 are in stock.", "a stock that nobody told it"],
    ["590503: 4 in stock.", "a stock that nobody told it"],
    ["590503, not 599507, costs $207.99.", "words for parts that may be mistaken"],
    ["590503 fits, 599507 fits. The former costs $207.99.", "words for parts that may be mistaken"],
    ["590777 is in stock.", "a stock that nobody told it"],
  ])("%s", (text, flaw) => expect(flawOf(text, facts)).toBe(flaw));
});

describe("that a part fits", () => {
  const own = new FactsTold(["ZT 3000"]);
  for (const partNumber of ["614071", "795123", "15964-8141", "11013-7047"]) {
    const rows = ROWS.filter((row) => row.partNumber === partNumber);
    own.tell(
      { pnNorm: rows[0]!.pnNorm, partNumber, description: rows[0]!.description!, rows, score: 1 },
      { ...UNKNOWN_OFFER, price: 55 },
      partNumber === "614071" ? ["ZT 3000"] : [],
    );
  }

  test.each([
    "15964-8141 fits the GT-2254 and the ZT 3000.",
    "614071 fits the GT-2254. It is not listed for the ZT 3000.",
    "614071 is not listed for the ZT 3000.",
    "The GT-2254 uses 614071, while the ZT 3000 uses 11013-7047.",
    "Whether 614071 fits the ZT 3000 is not known.",
    "For the ZT 3000, the idler pulley is 11013-7047 on page 5.",
    "614071 and 795123 fit the GT-2254.",
  ])("holds where it has a place there: %s", (text) => expect(flawOf(text, own)).toBeUndefined());

  test.each([
    "Yes, 614071 (Blade Bolt) fits the ZT 3000.",
    "614071 is the right bolt for your ZT 3000.",
    "The blade bolt is 614071. It fits the ZT 3000.",
    "It is listed for the ZT 3000: 614071.",
    "614071 is used on both the GT-2254 and the ZT 3000.",
    "614071 fits the GT-2254 but also the ZT 3000.",
    "614071 and 795123 fit the ZT 3000.",
    "The ZT 3000 uses 614071.",
    "Yes, 614071 fits.",
    "15964-8141 fits all Briggs & Stratton mowers.",
    "Not only 614071 fits the ZT 3000.",
  ])("and not: %s", (text) => expect(flawOf(text, own)).toBe("a fit that nobody told it"));

  test.each([
    "15964-8141 costs less than 614071.",
    "614071 is the least expensive.",
    "614071 has the lowest price.",
    "15964-8141 is priced higher than 614071.",
  ])("nor what two prices come to: %s", (text) => expect(flawOf(text, own)).toBe("a price that nobody told it"));
});

describe("pages and quantities are those of the equipment that is spoken of", () => {
  type Place = { page: number; quantity: number };
  const MACHINES = ["GT-2254", "ZT 3000", "RX48"] as const;
  const told = (places: readonly (Place & { equipment: string })[], asked: readonly string[]): FactsTold => {
    const own = new FactsTold(asked);
    const rows = places.map((place) => ({
      ...ROWS[3]!,
      partNumber: "710-0599",
      pnNorm: "7100599",
      description: "Screw",
      schema: "Mower Deck",
      reference: undefined,
      ...place,
    }));
    own.tell({ pnNorm: "7100599", partNumber: "710-0599", description: "Screw", rows, score: 1 }, UNKNOWN_OFFER);
    return own;
  };
  const two = told(
    [
      { equipment: "GT-2254", quantity: 2, page: 7 },
      { equipment: "ZT 3000", quantity: 4, page: 9 },
    ],
    ["GT-2254"],
  );

  test.each([
    "The GT-2254 needs 2 of 710-0599, page 7.",
    "710-0599 (Screw) is on page 7 of the GT-2254 manual, quantity 2.",
    "You need two of 710-0599. It is on page 7.",
    "For the GT-2254: 710-0599, quantity 2. See page 7. The ZT 3000 has 4 of it, on page 9 of its manual.",
    "710-0599 is on page 7 of the GT-2254 manual and page 9 of the ZT 3000 manual.",
    "In the gt 2254 manual 710-0599 is on page 7.",
    "The GT-2254 has 2 of 710-0599 on page 7, and the ZT 3000 has 4 on page 9.",
    "You need 2 of 710-0599 on page 7 of the GT-2254 manual and 4 on page 9 of the ZT 3000 manual.",
  ])("%s", (text) => expect(flawOf(text, two)).toBeUndefined());

  test.each([
    "The GT-2254 needs 4 of 710-0599, page 9.",
    "The GT-2254 needs 4 of 710-0599.",
    "710-0599 (Screw) is on page 9 of the GT-2254 manual.",
    "You need 4 of 710-0599.",
    "710-0599 is on page 9.",
    "The GT-2254 and the ZT 3000 need 4 of 710-0599.",
    "The ZT 3000 has 710-0599, too. You need 4.",
    "The GT-2254 has 4 of 710-0599 on page 9, and the ZT 3000 has 2 on page 7.",
    "The ZT 3000 has it. The GT-2254 needs four of 710-0599.",
    "The GT-2254, like the ZT 3000, needs 4 of 710-0599.",
    "The RX48 needs 2 of 710-0599.",
    "On the GT-2254 710-0599 is found 4 times.",
  ])("and not: %s", (text) => expect(flawOf(text, two)).toBeDefined());

  test("of one that is not asked about it must be said by its name", () => {
    const elsewhere = told([{ equipment: "ZT 3000", quantity: 4, page: 9 }], ["GT-2254"]);
    expect(
      flawOf("710-0599 is not listed for the GT-2254. The ZT 3000 has 4 of it, on page 9.", elsewhere),
    ).toBeUndefined();
    expect(flawOf("You need 4 of 710-0599.", elsewhere)).toBe("a number that nobody told it");
  });

  const place = fc.record({ page: fc.integer({ min: 30, max: 33 }), quantity: fc.integer({ min: 2, max: 5 }) });
  const places = fc
    .tuple(
      ...MACHINES.map((equipment) =>
        fc.array(place, { maxLength: 2 }).map((own) => own.map((each) => ({ ...each, equipment }))),
      ),
    )
    .map((all) => all.flat());
  const machine = fc.constantFrom(...MACHINES);

  test("whatever they are, and however it is said", () => {
    const forms: ((
      m: string,
      n: string,
      a: Place,
      b: Place,
    ) => { text: string; said: [string | undefined, Place][] })[] = [
      (m, _, a) => ({ text: `The ${m} needs ${a.quantity} of 710-0599, page ${a.page}.`, said: [[m, a]] }),
      (m, _, a) => ({
        text: `710-0599 (Screw) is on page ${a.page} of the ${m} manual, quantity ${a.quantity}.`,
        said: [[m, a]],
      }),
      (_, __, a) => ({ text: `You need ${a.quantity} of 710-0599; see page ${a.page}.`, said: [[undefined, a]] }),
      (m, n, a, b) => ({
        text: `The ${m} has ${a.quantity} of 710-0599 on page ${a.page}, and the ${n} has ${b.quantity} on page ${b.page}.`,
        said: [
          [m, a],
          [n, b],
        ],
      }),
      (m, n, a) => ({
        text: `The ${m} and the ${n} have ${a.quantity} of 710-0599 on page ${a.page}.`,
        said: [
          [m, a],
          [n, a],
        ],
      }),
    ];
    fc.assert(
      fc.property(
        places,
        machine,
        machine,
        machine,
        place,
        place,
        fc.constantFrom(...forms),
        (all, asked, m, n, a, b, form) => {
          const { text, said } = form(m, n, a, b);
          const isTold = ([spoken = asked, { page, quantity }]: [string | undefined, Place]): boolean => {
            const own = all.filter(({ equipment }) => equipment === spoken);
            return own.some((each) => each.page === page) && own.some((each) => each.quantity === quantity);
          };
          expect([text, flawOf(text, told(all, [asked])) === undefined]).toEqual([text, said.every(isTold)]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test("a price, a stock, a page and a quantity are those of the part, whatever they are and however it is said", () => {
  const fact = fc.record({
    price: fc.constantFrom(5, 12.5, 1_200),
    stock: fc.constantFrom(11, 12, 1_500),
    page: fc.integer({ min: 30, max: 32 }),
    quantity: fc.integer({ min: 2, max: 4 }),
  });
  type Fact = { price: number; stock: number; page: number; quantity: number };
  const forms: ((number: string, said: Fact) => [text: string, keyof Fact])[] = [
    (number, { price }) => [`${number} costs $${price.toLocaleString("en", { minimumFractionDigits: 2 })}.`, "price"],
    (number, { price }) => [`The price of ${number} is ${price.toFixed(2)}.`, "price"],
    (number, { price }) => [`${number} is ${Math.floor(price)} dollars each.`, "price"],
    (number, { stock }) => [`${number}: ${stock} in stock.`, "stock"],
    (number, { stock }) => [`There are ${stock.toLocaleString("en")} in stock of ${number}.`, "stock"],
    (number, { quantity }) => [`You need ${quantity} of ${number}.`, "quantity"],
    (number, { page }) => [`${number} is on page ${page}.`, "page"],
  ];
  fc.assert(
    fc.property(fact, fact, fact, fc.boolean(), fc.constantFrom(...forms), (one, other, said, isOther, form) => {
      const own = new FactsTold();
      for (const [partNumber, { price, stock, page, quantity }] of [
        ["590503", one],
        ["599507", other],
      ] as const) {
        own.tell(
          {
            pnNorm: partNumber,
            partNumber,
            description: "Fuel Pump",
            rows: [{ ...ROWS[3]!, page, quantity, reference: undefined, schema: "Fuel" }],
            score: 1,
          },
          { ...UNKNOWN_OFFER, id: partNumber, status: "active", price, stock, availability: "in_stock" },
        );
      }
      const [text, what] = form(isOther ? "599507" : "590503", said);
      const spoken = /dollars/.test(text) ? Math.floor(said.price) : said[what];
      expect([text, flawOf(text, own) === undefined]).toEqual([text, (isOther ? other : one)[what] === spoken]);
    }),
    { numRuns: 500 },
  );
});
