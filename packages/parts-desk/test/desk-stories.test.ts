import { describe, expect, test } from "@jest/globals";
import type { Passage } from "../src/port.ts";
import { askDesk } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

const numbersOf = (parts: readonly { part_number: string }[]): string[] => parts.map((part) => part.part_number);
const passage = (text: string): Passage => ({
  sha256: "a".repeat(64),
  page: 12,
  text,
  equipment: ["GT-2254"],
});

describe("a story around a question", () => {
  test.each([
    [
      "So we bought the farm in 2009 and the old GT-2254 came with it, my late uncle kept it like new. I had it up on bolts 3 weeks now, 2 kids, you know. The blade bolt has no head left. Part number and how many does it take?",
      ["614071"],
    ],
    [
      "My brother hit a stump with my GT-2254 in the yard. He owes me a beer. What number is the mower blade?",
      ["312-065D"],
    ],
    [
      "Hello, nice shop. The plate says GT-2254. I already changed the belts. I think the air filter is dirty because it stalls. What is its number?",
      ["54 021 15-S"],
    ],
    [
      "Before the summer fete we would like to replace both mower blades of the GT-2254. Please send the numbers.",
      ["312-065D"],
    ],
    ["I've a GT-2254 here, the deck is whining. Deck belt number?", ["10.A123", "10.A124"]],
  ])("is left aside, and the part that it calls by its name is answered: %s", async (query, parts) => {
    const told = await askDesk(query);
    expect(numbersOf(told.parts)).toEqual(parts);
    expect(told.answer).not.toMatch(/no such part|not understand|do not say/);
  });

  test("counts nothing but parts", async () => {
    const { answer } = await askDesk("I have had my GT-2254 for 3 years with 2 kids. What does the mower blade cost?");
    expect(answer).not.toMatch(/\b[23] of\b/);
  });

  test("a count that somebody heard is not multiplied", async () => {
    const { answer } = await askDesk("I heard the GT-2254 takes 4 mower blades, which ones?");
    expect(answer).toContain("quantity 2");
    expect(answer).not.toMatch(/\b4 of\b/);
  });

  test("what is asked for in so many words, and is not listed, is denied", async () => {
    const { answer, parts } = await askDesk("We bought a GT-2254 in 2009. Which idler pulley does it take?");
    expect(answer).toContain("The parts lists of the");
    expect(parts).toEqual([]);
  });
});

test("parts that a story says are answered, beside a question that names none", async () => {
  const { parts } = await askDesk("My GT-2254: I broke the bolt and lost the deck belt. Numbers?");
  expect(numbersOf(parts)).toEqual(expect.arrayContaining(["614071", "10.A123"]));
});

test("a torque is no answer to a wish for a part", async () => {
  const torque = passage("Fastener  Thread  Torque\nMuffler stud  M10  140 in-lb\nWheel nut  M10  84.5 Nm");
  const { answer } = await askDesk("muffler for a GT-2254", { shop: { passages: [torque] } });
  expect(answer).not.toContain("in-lb");
});

describe("a question for what the manual says", () => {
  const passages = [passage("Drain the fuel tank before the machine is stored for more than 30 days.")];
  const rows = [...ROWS, { ...ROWS[0]!, partNumber: "790915", pnNorm: "790915", description: "Tank, Fuel" }];

  test("is answered by its sentence, also if parts are called so", async () => {
    const query = "How long may a GT-2254 stand before the fuel tank has to be drained?";
    const told = await askDesk(query, { shop: { passages, rows } });
    expect(told.answer).toContain("more than 30 days");
    expect(told.parts).toEqual([]);
  });

  test("and by the part where no sentence says it", async () => {
    const { parts } = await askDesk("How often does a GT-2254 need a new fuel tank?", { shop: { rows } });
    expect(numbersOf(parts)).toEqual(["790915"]);
  });
});

test.each([
  "Spark plug for a GT-2254, I don't need the torque, I need the part number.",
  "Spark plug for a GT-2254, I need the part number, not the torque.",
])("what is not wanted is not answered: %s", async (query) => {
  const torque = passage("Fastener  Thread  Torque\nSpark plug  1/4-20 UNC  60 ft-lb\nWheel nut  M10  84.5 Nm");
  const { answer, parts } = await askDesk(query, { shop: { passages: [torque] } });
  expect(answer).toContain("The parts lists of the");
  expect(answer).not.toContain("ft-lb");
  expect(parts).toEqual([]);
});

test.each([
  ["GT-2254 squeals loud the moment I engage the mower", "10.A123"],
  ["GT-2254, there is a howling from the belt drive side of the air cleaner", "54 021 15-S"],
  ["oil mist keeps blowing out around the carburetor of my GT-2254", "795123"],
])("a noise, or what comes out, leads to the parts of its place: %s", async (query, part) => {
  expect(numbersOf((await askDesk(query)).parts)).toContain(part);
});
