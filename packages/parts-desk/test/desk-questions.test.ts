import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { askDesk } from "./desk.asking.ts";
import { ENGINES, engineRow, OIL_SHOP, type FakeShop } from "./desk.support.ts";

/** See the heads of desk-questions.yaml and desk-quotes.yaml. */
interface Group {
  about: string;
  ask: (string | [question: string, ...facts: string[]])[];
  shop?: keyof typeof SHOPS;
  manual?: [page: number, text: string][];
  parts?: string[];
  says?: string[];
  omits?: string[];
  kind?: keyof typeof KINDS;
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
  "no cheapest": /\n\nI can't tell which is the cheapest: /,
  order: /your orders in your account/,
  languages: /^I read questions in English, German, Spanish, French, Polish and Swedish/,
};

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
} satisfies Record<string, FakeShop>;

/** A fact is a text, or a pattern between slashes. */
function toMatcher(fact: string): RegExp | string {
  const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(fact) ?? [];
  return pattern === undefined ? fact : new RegExp(pattern, flags);
}

const groups = ["desk-questions.yaml", "desk-quotes.yaml"].flatMap(
  (file) => parse(readFileSync(new URL(file, import.meta.url), "utf8")) as Group[],
);

describe.each(groups.map((group) => [group.about, group] as const))("%s", (_, group) => {
  const { ask, shop = "usual", manual, parts, says = [], omits = [], kind } = group;
  const passages = manual?.map(([page, text]) => ({ sha256: "a".repeat(64), page, text, equipment: ["GT-2254"] }));
  test.each(ask.map((each) => [each].flat() as [string, ...string[]]))("%s", async (question, ...facts) => {
    const answered = await askDesk(question, { shop: { ...SHOPS[shop], ...(passages && { passages }) } });
    if (kind) expect(answered.answer).toMatch(KINDS[kind]);
    for (const fact of [...says, ...facts]) expect(answered.answer).toMatch(toMatcher(fact));
    for (const fact of omits) expect(answered.answer).not.toMatch(toMatcher(fact));
    if (parts) expect(answered.parts.map(({ part_number }) => part_number).sort()).toEqual([...parts].sort());
  });
});
