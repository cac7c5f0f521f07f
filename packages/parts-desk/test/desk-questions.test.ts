import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { readAnswer } from "../src/desk.ts";
import { askDesk, deskOf } from "./desk.asking.ts";
import { ENGINES, engineRow, OIL_SHOP, ROWS, type FakeShop } from "./desk.support.ts";

/** A question, which may have facts of its own. */
type Question = string | [question: string, ...facts: string[]];

interface Expected {
  parts?: string[];
  says?: string[];
  omits?: string[];
  kind?: keyof typeof KINDS;
}

/** See the heads of desk-questions.yaml and desk-quotes.yaml. */
interface Group extends Expected {
  about: string;
  ask: Question[];
  shop?: keyof typeof SHOPS;
  rows?: Parameters<typeof engineRow>[];
  manual?: [page: number, text: string][];
}

/** See the head of desk-conversation.yaml. */
interface Conversation {
  about: string;
  turns: (Question | (Expected & { ask: string }))[];
}

/** How the desk words each kind of answer. */
const KINDS = {
  paragraph: /^[^\n]*\.$/,
  fits: /^Yes, it fits the GT-2254: /,
  "no part": /^The parts lists of the .* (?:have no “|don't have that)/,
  "no machine": /^I don't have a parts list for that machine/,
  "no machine, no part": /^I don't have a parts list for that machine, and no part in the catalog names it\.$/,
  "other machine": /^I don't have a parts list for the other machine\.\n\n/,
  "unknown number": /^I don't have that number\./,
  "not understood": /^(?:I'm not sure what “|Was ist „)/,
  "did you mean": /Did you mean the .*\?$/,
  nearest: /Closest: /,
  "no total": /I can't give you a total yet: /,
  cheapest: /(?:^|\n\n)The cheapest of these: [^\n]*\.$/,
  "cheapest for sale": /\n\nThe cheapest of those that are for sale at a known price: [^\n]*\.$/,
  "no cheapest": /\n\nI can't tell which: /,
  order: /your orders in your account/,
  languages: /^I read questions in English, German, Spanish, French, Polish, Swedish, Portuguese and Italian/,
};

type Answer = Awaited<ReturnType<typeof askDesk>>;

const SHOPS = {
  usual: {},
  engines: { rows: ENGINES },
  electric: {
    rows: [
      ...ENGINES,
      engineRow("GT-2254", "21.8800", "Battery, 12 Volt"),
      engineRow("GT-2254", "21.8801", "Fuse, 10 Amp"),
      engineRow("GT-2254", "21.8802", "Sprocket, 14 Tooth"),
    ],
  },
  oil: OIL_SHOP,
  tank: { rows: [...ROWS, engineRow("GT-2254", "790915", "Tank, Fuel")] },
} satisfies Record<string, FakeShop>;

/** A fact is a text, or a pattern between slashes. */
function toMatcher(fact: string): RegExp | string {
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(fact) ?? [];
  return pattern === undefined ? fact : new RegExp(pattern, flags);
}

const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), "utf8"));
const split = (question: Question): [question: string, facts: string[]] => {
  const [text, ...facts] = [question].flat() as [string, ...string[]];
  return [text, facts];
};
const listParts = ({ parts }: Answer): string[] => parts.map(({ part_number }) => part_number);

function expectAnswer({ answer }: Answer, facts: string[], { says = [], omits = [], kind }: Expected): void {
  if (kind) expect(answer).toMatch(KINDS[kind]);
  for (const fact of [...says, ...facts]) expect(answer).toMatch(toMatcher(fact));
  for (const fact of omits) expect(answer).not.toMatch(toMatcher(fact));
}

const groups = ["desk-questions.yaml", "desk-quotes.yaml"].flatMap((file) => read(file) as Group[]);

describe.each(groups.map((group) => [group.about, group] as const))("%s", (_, group) => {
  const { ask, shop = "usual", rows, manual, parts } = group;
  const asked: FakeShop = SHOPS[shop];
  const passages = manual?.map(([page, text]) => ({ sha256: "a".repeat(64), page, text, equipment: ["GT-2254"] }));
  test.each(ask.map(split))("%s", async (question, facts) => {
    const answered = await askDesk(question, {
      shop: {
        ...asked,
        ...(rows && { rows: [...(asked.rows ?? ROWS), ...rows.map((row) => engineRow(...row))] }),
        ...(passages && { passages }),
      },
    });
    expectAnswer(answered, facts, group);
    if (parts) expect(listParts(answered).sort()).toEqual([...parts].sort());
  });
});

const conversations = read("desk-conversation.yaml") as Conversation[];

test.each(conversations.map(({ about, turns }) => [about, turns] as const))("a conversation %s", async (_, turns) => {
  const desk = deskOf();
  for (const turn of turns) {
    const expected: Expected & { ask?: string } = typeof turn === "object" && "ask" in turn ? turn : {};
    const [query, facts] = split(expected.ask ?? (turn as Question));
    const answered = await readAnswer(desk.answer({ query, includeStoreLink: false, sessionId: "session-1" }));
    expectAnswer(answered, facts, expected);
    if (expected.parts) expect([query, listParts(answered)]).toEqual([query, expected.parts]);
  }
});
