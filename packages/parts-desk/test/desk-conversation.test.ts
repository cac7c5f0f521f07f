import { beforeEach, describe, expect, test } from "@jest/globals";
import { readAnswer, type Desk } from "../src/desk.ts";
import { askDesk, deskOf } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

const NOT_KNOWN = /^I'm not sure which part or machine you mean/;

describe("a conversation", () => {
  let desk: Desk;
  const say = (query: string, sessionId = "session-1") =>
    readAnswer(desk.answer({ query, includeStoreLink: false, sessionId }));
  const numbers = async (query: string) => (await say(query)).parts.map(({ part_number }) => part_number);
  beforeEach(() => {
    desk = deskOf();
  });

  test("goes on about the part that was answered", async () => {
    await say("air filter for the GT-2254");
    expect((await say("And what does it cost?")).answer).toContain("54 021 15-S (Air Filter): $18.40, 3 in stock");
    expect((await say("is it in stock?")).parts[0]).toMatchObject({ part_number: "54 021 15-S", stock_quantity: 3 });
    expect((await say("how many of those do I need?")).answer).toContain("1 of 54 021 15-S");
  });

  test("goes on about the equipment that was asked about", async () => {
    await say("blade bolt for a GT-2254");
    expect(await numbers("and which air filter does it need?")).toEqual(["54 021 15-S"]);
    expect(await numbers("how many gaskets?")).toEqual(["795123"]);
  });

  test("a number alone is how many of it, and costs so much", async () => {
    await say("what does 54 021 15-S cost?");
    expect((await say("and for two?")).answer).toContain("2 of 54 021 15-S: 2 x $18.40 = $36.80");
    expect((await say("how much would three be?")).answer).toContain("3 x $18.40 = $55.20");
  });

  test("thanks are answered in the language of the conversation", async () => {
    await say("Welcher Luftfilter passt für den GT-2254?");
    expect((await say("danke")).answer).toBe("Gern geschehen.");
  });

  test("asks what goes with it, and it stays what it was", async () => {
    await say("air filter for the GT-2254");
    expect(await numbers("what else goes with it?")).toEqual(["54 021 15-S", "G1234"]);
    expect(await numbers("how much is it?")).toEqual(["54 021 15-S"]);
  });

  test("asks for the same of another equipment", async () => {
    await say("which carburetor fits the GT-2254?");
    const { answer, parts } = await say("and for the ZT 3000?");
    expect(parts[0]!.pdf_link).toContain(`${"b".repeat(64)}/source.pdf#page=4`);
    expect(answer).toContain("For the ZT 3000");
    expect(await numbers("what about its idler pulley?")).toEqual(["11013-7047"]);
  });

  test("asks whether the part itself fits another equipment", async () => {
    await say("blade bolt for the GT-2254");
    const { answer, parts } = await say("does it fit the ZT 3000, too?");
    expect(answer).toContain("614071 (Blade Bolt 3/8-16 x 1-1/4): not listed for the ZT 3000");
    expect(parts.map(({ part_number }) => part_number)).toEqual(["614071"]);
  });

  test("another of the same kind, by its distinguishing word", async () => {
    await say("blade bolt for the GT-2254");
    expect(await numbers("and the air one?")).not.toEqual(["54 021 15-S"]);
    await say("deck belt of the GT-2254");
    expect(await numbers("the bolts")).toEqual(["614071"]);
    expect(await numbers("how many of the bolts?")).toEqual(["614071"]);
  });

  test("the word that distinguishes the part of a number is no other part", async () => {
    desk = deskOf({
      rows: [...ROWS, { ...ROWS[0]!, partNumber: "24 667 39-S", pnNorm: "2466739S", description: "Muffler, Round" }],
    });
    await say("what does 24 667 39-S cost");
    expect(await numbers("thanks. is it the round one?")).toEqual(["24 667 39-S"]);
  });

  test("what means a part with the words before", async () => {
    desk = deskOf({
      rows: [
        ...ROWS,
        { ...ROWS[6]!, partNumber: "32 863 40-S", pnNorm: "3286340S", description: "Air Filter Pre-Cleaner" },
      ],
    });
    await say("air filter for the GT-2254");
    expect(await numbers("and the foam thing that goes round it")).toEqual(["32 863 40-S"]);
  });

  test("one of those that were answered, by its place", async () => {
    await say("mower blade and deck belt of the GT-2254");
    expect(await numbers("is the second one in stock?")).toContain("10.A124");
    expect(await numbers("and the first?")).toEqual(["312-065D"]);
    expect((await say("prices for all five?")).answer).toMatch(NOT_KNOWN);
  });

  test("a count of nothing that is named is of what was answered", async () => {
    await say("mower blade of the GT-2254");
    expect((await say("how many do I need for the whole deck?")).answer).toContain("2 of 312-065D");
    expect(await numbers("how many do I need of the blade bolts?")).toEqual(["614071"]);
    await say("mower blade of the GT-2254");
    expect(await numbers("how many does the air cleaner have?")).not.toContain("312-065D");
  });

  test("a question about it that nothing answers does not forget it", async () => {
    await say("carburetor for the GT-2254");
    await say("is it genuine OEM quality?");
    expect((await say("put two in my cart")).actions).toMatchObject([
      { type: "add_to_cart", body: { item: { quantity: 2 } } },
    ]);
  });

  test("what was named and not found is not taken for what was found before it", async () => {
    await say("carburetor for the GT-2254");
    await say("no, the fuel solenoid");
    const { parts, actions } = await say("put it in my cart");
    expect(parts).toEqual([]);
    expect(actions.filter(({ type }) => type === "add_to_cart")).toEqual([]);
  });

  test("what holds it is not itself", async () => {
    await say("mower blade for the GT-2254");
    expect(await numbers("what holds it on?")).toEqual(["614071"]);
  });

  test("the last part and the one before it are compared", async () => {
    await say("carburetor for the GT-2254");
    await say("and the air filter?");
    const { answer, parts } = await say("which is cheaper?");
    expect(parts.map(({ part_number }) => part_number)).toEqual(["15964-8141", "54 021 15-S"]);
    expect(answer).toContain("The cheapest of these: 54 021 15-S, $18.40.");
  });

  test("a number that one manual alone lists says which equipment is meant from then on", async () => {
    await say("11013-7047");
    expect((await say("and the carburetor?")).answer).toContain("For the ZT 3000");
  });

  test("what the equipment has not is not answered with another equipment's", async () => {
    await say("carburetor for the ZT 3000");
    const { answer, parts } = await say("air filter?");
    expect(parts).toEqual([]);
    expect(answer).toContain("The parts lists of the ZT 3000 have no “air filter”.");
  });

  describe("of a measure", () => {
    const SHA = "a".repeat(64);
    const of = (equipment: string, text: string) => ({ sha256: SHA, page: 12, text, equipment: [equipment] });
    const passages = [
      of("GT-2254", "Blade bolt 3/8-16 104 in-lb (12 N·m)\nCarburetor nut 30 in-lb (3 N·m)"),
      of("ZT 3000", "Blade bolt M10 x 1.5 140 in-lb (16 N·m)"),
    ];
    const bolt = ROWS.find(({ partNumber }) => partNumber === "614071")!;
    beforeEach(() => {
      desk = deskOf({ passages, rows: [...ROWS, { ...bolt, equipment: "ZT 3000" }] });
    });

    test("asks for the same of another equipment, which has the part, too", async () => {
      expect((await say("Blade bolt torque on the GT-2254?")).answer).toContain("104 in-lb");
      const { answer, parts } = await say("and the same on a ZT 3000?");
      expect(answer).toContain("140 in-lb");
      expect(parts).toEqual([]);
    });

    test.each(["and how tight does it go?", "what torque?"])("asks it of the part before: %s", async (query) => {
      await say("blade bolt for the GT-2254");
      const { answer } = await say(query);
      expect(answer).toContain("104 in-lb");
      expect(answer).not.toContain("30 in-lb");
    });

    test("goes on about what was quoted, or what nothing answered", async () => {
      await say("air filter for the GT-2254");
      await say("Blade bolt torque on the GT-2254?");
      expect((await say("and is it in stock?")).answer).toMatch(/614071.*\$3\.25, out of stock/);
      await say("carburetor torque on the ZT 3000");
      expect((await say("and on the GT-2254?")).answer).toContain("30 in-lb");
      expect((await say("do you have the ZT 3000 manual?")).parts).not.toHaveLength(1);
    });

    test("asks the same of another part, where nothing else is asked", async () => {
      await say("Blade bolt torque on the GT-2254?");
      expect((await say("and what about the carburetor nut?")).answer).toContain("30 in-lb");
      expect((await say("ok, and the carburetor too, I need one")).parts).toMatchObject([
        { part_number: "15964-8141" },
      ]);
    });
  });

  test("asks for all of several on another equipment", async () => {
    await say("blade bolt and carburetor of the GT-2254");
    expect(await numbers("and for the ZT 3000?")).toEqual(["15964-8141"]);
    expect((await say("what do they go for")).answer).toContain("$55.00");
  });

  test("still knows what was asked for after its price was", async () => {
    await say("which carburetor fits the GT-2254?");
    await say("what does it cost?");
    expect(
      (await say("and for the ZT 3000?")).parts.map(({ part_number, pdf_link }) => [part_number, pdf_link]),
    ).toEqual([["15964-8141", expect.stringMatching(/#page=4$/)]]);
  });

  test("of several parts, it is all of them; of a number, the number", async () => {
    await say("795123, 614071");
    expect(await numbers("what do they cost?")).toEqual(["795123", "614071"]);
    expect(await numbers("is it in stock?")).toEqual(["795123", "614071"]);
    expect(await numbers("and for the ZT 3000?")).not.toContain("11013-7047");
  });

  test("a question of its own is not drawn into it", async () => {
    await say("idler pulley for the ZT 3000");
    expect(await numbers("price of the chain")).toContain("99-6666");
    expect((await say("air filter for the GT-2254")).parts.map(({ part_number }) => part_number)).toEqual([
      "54 021 15-S",
    ]);
  });

  test("a yes is to the last answer, and to no older one", async () => {
    await say("air filter for the GT-2254");
    await say("what is the weather in Oslo?");
    expect(await numbers("yes, send me the links")).toEqual([]);
  });

  test("links that an answer had are sent again, and where there is nothing to link, no header is named", async () => {
    expect((await say("yes, send me the links")).answer).toBe(
      "There are no parts to send links for: ask about a part first.",
    );
    await readAnswer(
      desk.answer({ query: "Do you have 54 021 15-S?", includeStoreLink: true, sessionId: "session-1" }),
    );
    expect(await say("yes, send me the links")).toMatchObject({
      answer: "Here are the store links, with each part.",
      parts: [{ part_number: "54 021 15-S", store_link: expect.any(String) }],
    });
  });

  test.each([
    ["no", /^All right\./],
    ["no thanks", /^All right\./],
    ["No, that's all for today.", /^All right\./],
    ["ok thanks", /^You are welcome\.$/],
    ["Great, thank you very much!", /^You are welcome\.$/],
  ])("no yes is heard in: %s", async (text, said) => {
    await say("air filter for the GT-2254");
    expect(await say(text)).toMatchObject({
      answer: expect.stringMatching(said),
      parts: [],
      needs_confirmation: false,
    });
    expect(await numbers("yes, send me the links")).toEqual([]);
    expect((await say("what does it cost?")).answer).toContain("$18.40");
  });

  test.each(["sure, thanks", "yes please, thank you", "ok"])("a yes with thanks is one: %s", async (text) => {
    await say("air filter for the GT-2254");
    expect((await say(text)).parts).toMatchObject([{ part_number: "54 021 15-S", store_link: expect.any(String) }]);
  });

  test("no, with a question behind it, is a question", async () => {
    expect(await numbers("no, the air filter for the GT-2254")).toEqual(["54 021 15-S"]);
  });

  test.each([
    ["how much for two of them?", "2 of 54 021 15-S: 2 x $18.40 = $36.80."],
    ["What do three of those cost?", "3 of 54 021 15-S: 3 x $18.40 = $55.20."],
    ["price of 12 of them", "12 of 54 021 15-S: 12 x $18.40 = $220.80."],
  ])("says what several cost: %s", async (text, said) => {
    await say("air filter for the GT-2254");
    expect((await say(text)).answer).toContain(said);
  });

  test("which of several is cheaper", async () => {
    await say("614071, 54 021 15-S");
    expect((await say("which one is cheaper?")).answer).toContain("The cheapest of these: 614071, $3.25.");
    expect((await say("which one is cheaper?", "session-of-nobody")).answer).toMatch(NOT_KNOWN);
  });

  test.each([
    "And what does it cost?",
    "is it in stock?",
    "how many of those do I need?",
    "How many gaskets does it need?",
    "which filter is for that?",
  ])("with nothing before, it says that it does not know: %s", async (query) => {
    const { answer, parts } = await say(query, "session-of-nobody");
    expect(answer).toMatch(NOT_KNOWN);
    expect(parts).toEqual([]);
    expect((await askDesk(query)).answer).toMatch(NOT_KNOWN);
  });

  test("another session knows nothing of it", async () => {
    await say("air filter for the GT-2254");
    expect((await say("what does it cost?", "session-2")).answer).toMatch(NOT_KNOWN);
  });
});
