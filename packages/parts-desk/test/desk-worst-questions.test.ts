import { normalizeQuestion, understand } from "@partline/parts-language/words";
import { describe, expect, test } from "@jest/globals";
import { Models } from "../../parts-search/src/fitment-index/models.ts";
import { cleanTitle } from "../../parts-language/src/safe-words.ts";
import { askDesk } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

/** Characters of the longest question. */
const LONGEST = 2_000;
/** Processor time counts in steps of this on some systems, microseconds. */
const CLOCK = 10_000;
const models = new Models(
  Array.from({ length: 600 }, (_, at) => ({ equipment: `GT-${10_000 + at * 7}`, manufacturer: "Kohler" })),
);

function filled(word: (at: number) => string): string {
  const words = Array.from({ length: LONGEST / 2 }, (_, at) => word(at)).join(" ");
  return words.slice(0, words.lastIndexOf(" ", LONGEST));
}

/** The least processor time of some runs, microseconds. */
function cost(run: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    run();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

describe("a question of the greatest length", () => {
  test.each([
    ["digits", (at: number) => `the ${10_000 + at * 7}`],
    ["beginnings", (at: number) => `GT1${at % 10}0`],
    ["slips", (at: number) => `GTX${10_000 + at * 7}`],
    ["makers", () => "Kohler,"],
  ])("has at most twenty words looked up as less than a name in full: %s", (_, word) => {
    const text = filled(word);
    const found = models.findMentions(text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(20);
    expect(models.findMentions(`${text.slice(0, -30)} GT-10007`).at(-1)).toMatchObject({ how: "named" });
  });

  // What grows by the third power of the length takes seconds.
  test.each([
    ["colons", (text: string) => understand(text, []), "a:,"],
    ["at signs", cleanTitle, "a@@@"],
  ])("takes no time that its length does not explain: %s", (_, read, word) => {
    const text = (length: number): string => normalizeQuestion(word.repeat(length / word.length)).text;
    const short = cost(() => read(text(LONGEST / 16)));
    expect(cost(() => read(text(LONGEST)))).toBeLessThan(20 * Math.max(short, CLOCK));
  });

  test.each([
    ["one long word", (length: number) => `GT-2254 ${"x".repeat(length)}`],
    ["a long word beside a known one", (length: number) => `GT-2254 blade ${"x".repeat(length)} bolt`],
  ])("about a machine takes no time that its length does not explain: %s", async (_, question) => {
    const cpu = async (text: string): Promise<number> => {
      const before = process.threadCpuUsage();
      await askDesk(text);
      return process.threadCpuUsage(before).user;
    };
    await cpu(question(100));
    const short = await cpu(question(100));
    expect(await cpu(question(LONGEST - 20))).toBeLessThan(20 * Math.max(short, CLOCK));
  });
});

describe("a question of the greatest length about a machine of many parts", () => {
  const LETTERS = "abcdefghijklmnoprstuvwz";
  /** Like no other, and the same in each run. */
  const strange = (at: number, length = 6): string =>
    Array.from({ length }, (_, place) => LETTERS[Math.floor((at + 1) * (place + 3) * 7.31) % LETTERS.length]).join("");
  const rows = Array.from({ length: 500 }, (_, at) => ({
    ...ROWS[0]!,
    partNumber: `ZX-${10_000 + at}`,
    pnNorm: `ZX${10_000 + at}`,
    description: `Bolt, Spindle ${strange(at)}`,
    schema: `Figure ${at % 40}: Deck ${strange(at % 40)}`,
  }));
  const clause = (at: number): string =>
    `${Array.from({ length: 12 }, (_, word) => strange(at * 12 + word + 1_000)).join(" ")} for the GT-2254`;

  test.each([
    ["items", Array.from({ length: 14 }, (_, at) => clause(at)).join(", ")],
    ["a word", `${strange(1, 1_900)} for the GT-2254`],
  ])("costs what a few questions do: %s", async (_, query) => {
    const before = process.threadCpuUsage();
    await askDesk(query.slice(0, LONGEST), { shop: { rows } });
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  test("lets other requests in between its items", async () => {
    let turns = 0;
    let isAsked = true;
    const count = (): void => {
      turns += 1;
      if (isAsked) setImmediate(count);
    };
    count();
    await askDesk(Array.from({ length: 10 }, (_, at) => `${strange(at)} for the GT-2254`).join(", "), {
      shop: { rows },
    });
    isAsked = false;
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
