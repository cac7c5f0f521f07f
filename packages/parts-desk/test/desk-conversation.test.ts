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

  test.each([
    "And what does it cost?",
    "is it in stock?",
    "how many of those do I need?",
    "How many gaskets does it need?",
    "which filter is for that?",
    "which one is cheaper?",
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
