import { expect, test } from "@jest/globals";
import type { Passage } from "../src/port.ts";
import { findQuotes } from "../src/quotes.ts";
import { askDesk } from "./desk.asking.ts";
import { ROWS } from "./desk.support.ts";

// What is quoted of a manual is in desk-quotes.yaml.

const SHA = "a".repeat(64);
const document = (text: string): Passage => ({ sha256: "document:note-1", page: 0, text, equipment: [] });
const askAbout = async (query: string, ...passages: Passage[]): Promise<string> =>
  (await askDesk(query, { shop: { passages } })).answer;

test("a quote has a link to its page", async () => {
  const manual = { sha256: SHA, page: 12, text: "Wheel nut  7/16-20 UNF  65 ft-lb", equipment: ["GT-2254"] };
  expect(await askAbout("wheel nut torque GT-2254", manual)).toContain(
    `The GT-2254 manual, page 12: “Wheel nut 7/16-20 UNF 65 ft-lb” http://x/api/manuals/${SHA}/source.pdf#page=12`,
  );
});

test("a document that was stored is quoted, without a page", async () => {
  const torqueNote = { ...document("Torque the head bolts to 25 Nm."), equipment: ["GT-2254"] };
  expect(await askAbout("head bolt torque, GT-2254", torqueNote)).toBe(
    "A document of the shop: “Torque the head bolts to 25 Nm.”\n\n25 Nm is 18.4 ft-lb.",
  );
});

test("a document is no manual: it has no pages that speak of something, no edition, and no values beside others", async () => {
  const [head, other] = ["Torque the head bolts to 25 Nm.", "Torque the head bolts to 30 Nm."];
  expect(await askAbout("head bolt torque", document(head!), document(other!))).toContain(
    `A document of the shop: “${head}”\nA document of the shop: “${other}”`,
  );
  expect(await askAbout("head bolt torque", document("The torque of the head bolts matters."))).not.toContain(
    "document",
  );
  const serials = document("Serial numbers from 4111111111111111 on.");
  expect(await askAbout("serial numbers of the GT-2254", serials)).not.toContain("4111");
});

test("rows of parts lists are no text", () => {
  const text = "Ref  Part No.  Description  Qty\n2  614071  Blade Bolt 3/8-16 x 1-1/4  4";
  const item = {
    text: "size of the blade bolt",
    terms: ["size", "blade", "bolt"],
    wanted: "part",
    models: [],
  } as const;
  const question = { ...item, terms: [...item.terms], models: [] };
  expect(findQuotes(question, [{ sha256: SHA, page: 7, text, equipment: ["GT-2254"] }], ROWS).quotes).toEqual([]);
});

test("of a long line the end is quoted that says the measure", async () => {
  const before = "Align the splined teeth of the blade bolt with those of the axle, and insert it as far as it goes, ";
  const text = `${before.repeat(4)}then use the tool to tighten the blade bolt to a torque of 35 Nm.`;
  const manual = { sha256: SHA, page: 12, text, equipment: ["GT-2254"] };
  expect(await askAbout("torque of the blade bolt, GT-2254", manual)).toContain("to a torque of 35 Nm.”");
});
