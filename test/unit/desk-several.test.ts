import { describe, expect, test } from "@jest/globals";
import { normalizePartNumber } from "../../packages/parts-language/src/part-number.ts";
import type { FitmentRow } from "../../services/ai/desk/port.ts";
import { readQuestion } from "../../services/ai/desk/question.ts";
import { Models } from "../../packages/parts-search/src/fitment-index/models.ts";
import { askDesk } from "./desk.asking.ts";
import { MODELS, ROWS } from "./desk.support.ts";

const at = (
  equipment: "GT-2254" | "ZT 3000",
  partNumber: string,
  description: string,
  given: Partial<FitmentRow> = {},
): FitmentRow => ({
  partNumber,
  pnNorm: normalizePartNumber(partNumber),
  description,
  schema: "Figure 5: Engine",
  quantity: 1,
  page: 11,
  equipment,
  manufacturer: "Briggs & Stratton",
  sha256: (equipment === "GT-2254" ? "a" : "b").repeat(64),
  confidence: 0.95,
  ...given,
});

const rows: FitmentRow[] = [
  ...ROWS,
  at("GT-2254", "21.5500", "Plug, Spark"),
  at("GT-2254", "21.5501", "Filter, Oil"),
  at("GT-2254", "21.5502", "Filter, Fuel"),
  at("GT-2254", "21.5503", "Dipstick"),
  at("ZT 3000", "31.7700", "Plug, Spark, Long", { page: 6 }),
  at("ZT 3000", "31.7701", "Filter, Oil", { page: 6 }),
  at("GT-2254", "21.6601", "Clamp, Hose", { quantity: 4, page: 12, schema: "Figure 6: Fuel Tank" }),
  at("GT-2254", "21.6602", "Clamp, 1/2 in", { quantity: 3, page: 12, schema: "Figure 6: Fuel Tank" }),
  at("GT-2254", "21.6601", "Clamp, Hose", { quantity: 2, page: 13, schema: "Figure 7: Cooling" }),
];
const ask = (query: string, more: FitmentRow[] = []) => askDesk(query, { shop: { rows: [...rows, ...more] } });
const said = async (query: string, more: FitmentRow[] = []) => (await ask(query, more)).answer;
const numbers = async (query: string) => (await ask(query)).parts.map(({ part_number }) => part_number);

describe("of several machines each is answered by itself", () => {
  test.each([
    "spark plug for the GT-2254 and ZT 3000",
    "spark plug for GT-2254, ZT 3000",
    "I need a spark plug for the GT-2254 and the ZT 3000",
    "for a GT-2254 and a ZT 3000: spark plug",
  ])("%s", async (query) => {
    const answer = await said(query);
    expect(answer).toContain("For the GT-2254: 21.5500 (Plug, Spark): quantity 1, Figure 5: Engine, page 11");
    expect(answer).toContain("For the ZT 3000: 31.7700 (Plug, Spark, Long): quantity 1, Figure 5: Engine, page 6");
  });

  test("one that has no such part is said to have none, and where there is one", async () => {
    expect(await said("dipstick for ZT 3000 and GT-2254")).toMatch(
      /For the GT-2254: 21\.5503 \(Dipstick\).* It is not listed for the ZT 3000\.|The manuals of the ZT 3000 that were read list no such part.*For the GT-2254: 21\.5503 \(Dipstick\)/s,
    );
  });

  test("what both have in one place is said once", async () => {
    const both = [
      at("GT-2254", "41.1000", "Hour Meter"),
      at("ZT 3000", "41.1000", "Hour Meter", { sha256: "a".repeat(64) }),
    ];
    expect(await said("hour meter for the GT-2254 and the ZT 3000", both)).toMatch(
      /^For the GT-2254 and ZT 3000: 41\.1000 \(Hour Meter\): quantity 1, Figure 5: Engine, page 11; [^\n]*$/,
    );
  });

  test.each(["does the spark plug of the ZT 3000 fit the GT-2254?", "can I use a ZT 3000 spark plug on my GT-2254"])(
    "one's part is not said to fit the other: %s",
    async (query) => {
      const answer = await said(query);
      expect(answer).toMatch(/31\.7700 \(Plug, Spark, Long\).*It is not listed for the GT-2254\./);
      expect(answer).toMatch(/21\.5500 \(Plug, Spark\).*It is not listed for the ZT 3000\./);
    },
  );
});

describe("a number that is not listed for the machine that is named", () => {
  test.each([
    "Does 312-065D fit the ZT 3000?",
    "can I use the 312-065D blade on a ZT 3000",
    "Is 312-065D right for my ZT 3000?",
    "312-065D ZT 3000",
    "how many 312-065D does the ZT 3000 take?",
    "price of 312-065D for the ZT 3000",
  ])("%s", async (query) => {
    expect(await said(query)).toMatch(
      /^312-065D \(Mower Blade\): not listed for the ZT 3000; listed for the GT-2254 \(quantity 2, Figure 3: Mower Deck, page 7\); not in the catalog\.$/,
    );
  });

  test("and of several machines each says for itself", async () => {
    const answer = await said("does 21.5503 fit the GT-2254 and the ZT 3000?");
    expect(answer).toContain("For the GT-2254: 21.5503 (Dipstick)");
    expect(answer).toContain("21.5503 (Dipstick): not listed for the ZT 3000; listed for the GT-2254");
  });

  test("which no manual lists is said to be in none", async () => {
    expect(await said("does 99-6666 fit the GT-2254?")).toContain(
      "99-6666 (Chain): not listed for the GT-2254; no manual that was read lists it; $12.00",
    );
  });
});

describe("a machine is asked for as a part, or said to be somebody's", () => {
  test.each([
    "Do you have a motor for the GT-2254?",
    "do you have a cutter for my GT-2254",
    "is there a cutter on the GT-2254",
    "have you got a motor for a GT-2254?",
    "Is a motor available for the GT-2254?",
    "The motor of my GT-2254 is broken, what do I order?",
  ])("no manual lists one: %s", async (query) => {
    expect(await said(query)).toBe("The manuals of the GT-2254 that were read list no such part.");
  });

  test.each([
    "My mower is a GT-2254. Which dipstick?",
    "I have a GT-2254 mower. Which dipstick does it need?",
    "It's a GT-2254 tractor. dipstick please",
    "I own an old GT-2254 lawn tractor. dipstick?",
    "Got a Briggs GT-2254 rider, what dipstick?",
  ])("it is what the part is for: %s", async (query) => {
    expect(await said(query)).toMatch(/^For the GT-2254: 21\.5503 \(Dipstick\)[^\n]*$/);
  });
});

describe("of several parts each is answered", () => {
  test.each([
    ["spark plug and oil filter for the GT-2254", ["21.5500", "21.5501"]],
    ["oil filter, fuel filter and dipstick for a GT-2254", ["21.5501", "21.5502", "21.5503"]],
    ["GT-2254 dipstick, spark plug", ["21.5503", "21.5500"]],
    ["price of the dipstick and 312-065D for the GT-2254", ["21.5503", "312-065D"]],
    ["I need a set of mower blades and blade bolts for my Briggs GT-2254", ["312-065D", "614071"]],
    ["dipstick for the GT-2254 and oil filter for the ZT 3000", ["21.5503", "31.7701"]],
    ["My mower is a Briggs GT-2254, the mower blade is bent, what do I order?", ["312-065D"]],
    ["cheapest dipstick you have for the GT-2254", ["21.5503"]],
  ])("%s", async (query, wanted) => {
    expect(new Set(await numbers(query))).toEqual(new Set(wanted));
  });

  test("or said not to be found, by its words and never by a number", async () => {
    const answer = await said("dipstick and flux capacitor 88-1234-5 for the GT-2254");
    expect(answer).toContain("21.5503 (Dipstick)");
    expect(answer).toContain("Left aside, as it was not understood: “flux capacitor”.");
    expect(answer).not.toContain("1234");
  });

  test("a name with commas, as it is printed, is one part", async () => {
    expect(await numbers("Plug, Spark for the GT-2254")).toEqual(["21.5500"]);
  });

  test("the machine of each is its own, the one behind it, or the one before it", () => {
    const text = "dipstick and clamp for the GT-2254, spark plug for a ZT 3000 and oil filter";
    const { items } = readQuestion(text, new Models(MODELS).mentionsIn(text));
    expect(items.map(({ terms, models }) => [terms.join(" "), models])).toEqual([
      ["dipstick", ["GT-2254"]],
      ["clamp", ["GT-2254"]],
      ["spark plug", ["ZT 3000"]],
      ["oil filter", ["ZT 3000"]],
    ]);
  });

  test("the total is given if every price and number is known", async () => {
    expect(await said("total cost of the carburetor and 614071 for the GT-2254")).toContain(
      "In all: 1 x $55.00 + 4 x $3.25 = $68.00.",
    );
    expect(await said("what do the carburetor and the blade bolts of the GT-2254 cost altogether?")).toContain(
      "In all: 1 x $55.00 + 4 x $3.25 = $68.00.",
    );
    expect(await said("total price of dipstick and oil filter for the GT-2254")).toContain(
      "What it costs in all is not known: not of every part it is known which one, how many and at what price.",
    );
  });
});

describe("the price of several", () => {
  test.each([
    ["how much are 3 of 614071", 3],
    ["price of 5 of 614071", 5],
    ["2 x 614071", 2],
    ["2x 614071 please", 2],
    ["how much are two 614071?", 2],
    ["what do three blade bolts for the GT-2254 cost", 3],
    ["price of 3 blade bolts, GT-2254", 3],
    ["What is the price of 614071? I need 4 of them.", 4],
    ["total cost of 3 of 614071 for the GT-2254", 3],
  ])("%s", async (query, count) => {
    expect(await said(query)).toContain(`${count} of 614071: ${count} x $3.25 = $${(count * 3.25).toFixed(2)}.`);
  });

  test.each([
    "price of 54 021 15-S",
    "price of 614071 and 3/8 bolts",
    "price of item 2 in figure 3 on the GT-2254",
    "price of grade 8 blade bolts for the GT-2254",
  ])("has no number that counts nothing, or not all: %s", async (query) => {
    expect(await said(query)).not.toMatch(/ x \$/);
  });
});

describe("each part of a list is multiplied by its own number", () => {
  const bolts = (count: number) => `${count} of 614071: ${count} x $3.25 = $${(count * 3.25).toFixed(2)}.`;
  const carburetors = (count: number) => `${count} of 15964-8141: ${count} x $55.00 = $${count * 55}.00.`;
  const filters = (count: number) => `${count} of 54 021 15-S: ${count} x $18.40 = $${(count * 18.4).toFixed(2)}.`;

  test.each([
    ["price of the carburetor and 4 blade bolts of the GT-2254", [bolts(4)]],
    ["how much for two carburetors and 4 blade bolts for GT-2254", [carburetors(2), bolts(4)]],
    ["price of 2 blade bolts for GT-2254 and 3 carburetors for the ZT 3000", [bolts(2), carburetors(3)]],
    ["how much is a GT-2254 air filter and 2 blade bolts?", [bolts(2)]],
    ["how much does a carburetor for the GT-2254 cost, and two air filters?", [filters(2)]],
    ["price of 2 GT-2254 air filters and 3 blade bolts", [filters(2), bolts(3)]],
    ["price of the carburetor and 3 of 614071 for the GT-2254", [bolts(3)]],
    ["price of carburetor and air filter for GT-2254, 3 of each", [carburetors(3), filters(3)]],
    ["price of the carburetor and the air filter for GT-2254, 3 of each", [carburetors(3), filters(3)]],
    ["I need 4 blade bolts and 2 carburetors for my GT-2254, how much?", [bolts(4), carburetors(2)]],
  ])("%s", async (query, sums) => {
    const answer = await said(query);
    expect(answer.match(/\d+ of [^:;\n]*: \d+ x \$[^=]*= \$[\d.]+\.(?!\d)/g)).toEqual(sums);
  });

  test.each([
    ["total price of 2 carburetors and 4 blade bolts for the GT-2254", "In all: 2 x $55.00 + 4 x $3.25 = $123.00."],
    [
      "total cost: one carburetor, 2 air filters, 6 blade bolts for GT-2254",
      "In all: 1 x $55.00 + 2 x $18.40 + 6 x $3.25 = $111.30.",
    ],
    [
      "total price of 1 carburetor, 2 air filters and 6 blade bolts for my 2015 GT-2254",
      "In all: 1 x $55.00 + 2 x $18.40 + 6 x $3.25 = $111.30.",
    ],
    [
      "total price for 2 carburetors, an air filter and 3 blade bolts, GT-2254",
      "In all: 2 x $55.00 + 1 x $18.40 + 3 x $3.25 = $138.15.",
    ],
    [
      "what do the carburetor and 6 of the blade bolts on the GT-2254 cost in total",
      "In all: 1 x $55.00 + 6 x $3.25 = $74.50.",
    ],
    [
      "total price of the carburetor and the air filter for GT-2254, 3 of each",
      "In all: 3 x $55.00 + 3 x $18.40 = $220.20.",
    ],
    ["total price of 3 of 614071 and 2 of 15964-8141", "In all: 3 x $3.25 + 2 x $55.00 = $119.75."],
    // As many as the manual says, of what has no number and is asked for as several.
    ["total price of blade bolts and 2 carburetors for GT-2254", "In all: 4 x $3.25 + 2 x $55.00 = $123.00."],
  ])("and so is the sum: %s", async (query, sum) => {
    expect(await said(query)).toContain(sum);
  });

  test.each([
    ["614071 x 6 price", 6],
    ["price 614071 x6", 6],
    ["qty 12 614071 price", 12],
    ["614071, qty 12", 12],
    ["price of 614071, quantity: 5", 5],
  ])("a number behind counts, too: %s", async (query, count) => {
    expect(await said(query)).toContain(bolts(count));
  });

  test.each([
    "price of 12 volt batteries for the GT-2254",
    "how much are 10 amp fuses and a battery for the GT-2254",
    "total price of 14 tooth sprockets for the GT-2254",
  ])("a measure counts nothing: %s", async (query) => {
    const electric = [
      at("GT-2254", "21.8800", "Battery, 12 Volt"),
      at("GT-2254", "21.8801", "Fuse, 10 Amp"),
      at("GT-2254", "21.8802", "Sprocket, 14 Tooth"),
    ];
    const answer = await said(query, electric);
    expect(answer).toMatch(/21\.880/);
    expect(answer).not.toMatch(/What 1\d of| x \$/);
  });

  test("and what asks how many asks that", async () => {
    expect(await said("quantity of 614071 for the GT-2254")).toContain("4 of 614071 (Blade Bolt");
    expect(await said("qty 614071 GT-2254")).toContain("4 of 614071 (Blade Bolt");
  });
});

describe("how many", () => {
  test("all that are called so, and all in all", async () => {
    const answer = await said("how many different clamps does the GT-2254 have?");
    expect(answer).toContain("4 of 21.6601 (Clamp, Hose): Figure 6: Fuel Tank, page 12");
    expect(answer).toContain("3 of 21.6602 (Clamp, 1/2 in): Figure 6: Fuel Tank, page 12");
    expect(answer).toMatch(
      /In all the places that are listed: (?:4 \+ 2 \+ 3|3 \+ 4 \+ 2) = 9, of 2 different parts\./,
    );
  });

  test("in one diagram, those of that alone", async () => {
    expect(await said("how many clamps are in the fuel tank of the GT-2254?")).toMatch(
      /In all the places that are listed: (?:4 \+ 3|3 \+ 4) = 7, of 2 different parts\./,
    );
  });

  test("what two things are is said once: the deck's is a belt, also if the text has lines about the deck", async () => {
    const text = "Deck height is adjusted from 49 mm by turning the lift rod of the deck.";
    const passages = [{ sha256: "a".repeat(64), page: 3, text, equipment: ["GT-2254"] }];
    const { answer, parts } = await askDesk("deck and drive belts for the GT-2254", { shop: { passages } });
    expect(parts.map(({ part_number }) => part_number)).toEqual(["10.A123", "10.A124"]);
    expect(answer).not.toContain("lift rod");
  });

  test("what stands beside a thing that is of a figure is counted in that figure", async () => {
    const nut = (partNumber: string, schema: string, page: number) =>
      ({ ...ROWS[0]!, partNumber, pnNorm: partNumber, description: "Nut, 3/8-16", schema, page, quantity: 7 }) as const;
    const stud = { ...nut("77001", "Figure 6: Exhaust", 10), description: "Exhaust Stud" };
    const rows = [stud, nut("77002", "Figure 6: Exhaust", 10), nut("77003", "Figure 7: Air Cleaner", 11)];
    const { parts } = await askDesk("how many exhaust studs and nuts has the GT-2254?", { shop: { rows } });
    expect(parts.map(({ part_number }) => part_number)).toEqual(["77001", "77002"]);
  });

  test("no sum where a place does not say how many", async () => {
    expect(
      await said("how many clamps does the GT-2254 have?", [
        at("GT-2254", "21.6603", "Clamp, Muffler", { quantity: undefined }),
      ]),
    ).not.toContain("In all");
  });

  test("and what it costs is one sentence", async () => {
    const answer = await said("what does the dipstick of the GT-2254 cost, and how many are there?");
    expect(answer).toBe("For the GT-2254: 1 of 21.5503 (Dipstick): Figure 5: Engine, page 11; not in the catalog.");
  });
});

test("what a number fits names every machine", async () => {
  expect(await said("what fits part number 15964-8141?")).toMatch(/fits GT-2254 \(.*page 3\) and ZT 3000 \(.*page 4\)/);
  expect(
    await said("price of 41.1000", [
      at("GT-2254", "41.1000", "Hour Meter"),
      at("ZT 3000", "41.1000", "Hour Meter", { sha256: "a".repeat(64) }),
    ]),
  ).toContain("of the GT-2254 and ZT 3000 manual");
});

test("a part whose name has the word of a measure is a part", async () => {
  const passages = [
    {
      sha256: "a".repeat(64),
      page: 2,
      text: "The oil pressure switch stops the engine at low pressure.",
      equipment: ["GT-2254"],
    },
  ];
  const { parts } = await askDesk("oil pressure switch for the GT-2254", {
    shop: { rows: [...rows, at("GT-2254", "21.9900", "Switch, Oil Pressure")], passages },
  });
  expect(parts.map(({ part_number }) => part_number)).toEqual(["21.9900"]);
});

test("a part that is no longer supplied is named with what replaces it, also with other lines about it on the page", async () => {
  const old = at("GT-2254", "21.7700", "Hanger, Deck", {
    quantity: undefined,
    schema: "",
    page: 20,
    replacedBy: "21.7701",
  });
  const answer = await said("deck hanger for the GT-2254", [
    old,
    { ...old, description: undefined, replacedBy: undefined },
  ]);
  expect(answer).toContain("21.7700 (Hanger, Deck): page 20");
  expect(answer).toContain("21.7700 is replaced by 21.7701");
});

test.each(["GT-2254 tune up:", "Two machines on the trailer today:"])(
  "%s is a heading, and is not denied",
  async (heading) => {
    const { answer, parts } = await askDesk(`${heading} air filter of the GT-2254, mower blade`);
    expect(parts.map(({ part_number }) => part_number)).toEqual(["54 021 15-S", "312-065D"]);
    expect(answer).not.toMatch(/list no such part|not understood/);
  },
);

test.each([
  ["what deck belt does the GT-2254 use?", ["10.A123", "10.A124"]],
  ["which blade bolts the GT-2254 needs", ["614071"]],
  ["air filter and what holds the blade of the GT-2254", ["54 021 15-S", "614071"]],
])("%s: a part's name is no verb, and what does something is one thing of several", async (question, numbers) => {
  expect((await askDesk(question)).parts.map(({ part_number }) => part_number)).toEqual(numbers);
});

test("a word that questions are full of ends a part's name, and denies it not", async () => {
  const section = at("GT-2254", "21.4400", "Sickle Section, Under Serrated");
  expect((await ask("sickle section for the GT-2254", [section])).parts).toMatchObject([{ part_number: "21.4400" }]);
});

test.each([
  ["which is dearer on the GT-2254, the carburetor or the air filter?", ["15964-8141", "54 021 15-S"]],
  ["a set of mower blades for the GT-2254", ["312-065D"]],
  ["set of mower blades for the GT-2254", ["312-065D"]],
  ["a box of blade bolts for the GT-2254", ["614071"]],
])("%s: of what is named, and of nothing else", async (question, wanted) => {
  expect(await numbers(question)).toEqual(wanted);
});

test("a machine's word beside the machine is rather the part's, where a part is called all of it", async () => {
  const more = [at("GT-2254", "21.4500", "Starter Motor"), at("GT-2254", "21.4501", "Recoil Starter")];
  expect((await ask("starting motor GT-2254", more)).parts).toMatchObject([{ part_number: "21.4500" }]);
});

test("the desk gives no sum if no price is known", async () => {
  expect(await said("how many 614071 are on the GT-2254 altogether, all figures added up?")).not.toContain("$0.00");
});

test.each(["GT-2254: oil filter n fuel filter", "GT-2254 oil filter w/ both fuel filters"])(
  "short words stand between things: %s",
  async (query) => {
    const { parts } = await askDesk(query, { shop: { rows } });
    expect(parts.map(({ part_number }) => part_number)).toEqual(["21.5501", "21.5502"]);
  },
);
