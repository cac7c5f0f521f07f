import { describe, expect, test } from "@jest/globals";
import { isOtherLanguage } from "../../services/ai/desk/language.ts";
import { askDesk } from "./desk.asking.ts";

describe("questions in other languages", () => {
  test.each([
    "Welcher Luftfilter passt für den GT-2254?", "¿Qué filtro de aire necesito para el ZT 3000?", "Quelle courroie pour le GT-2254 ?", "Quale cinghia per il GT-2254?", "Welke riem past op een GT-2254?", "Какой ремень нужен?",
  ])("%s", async (query) => {
    const { answer, parts } = await askDesk(query);
    expect(answer).toBe("I understand questions in English alone, and numbers of parts and equipment in any: please ask in English.");
    expect(parts).toEqual([]);
  });

  test("a number is answered in any", async () => {
    expect((await askDesk("Was kostet 15964-8141, und ist das Teil da?")).parts.map(({ part_number }) => part_number)).toEqual(["15964-8141"]);
  });

  test.each(["do you have a die for a thread", "snorkel for my El Camino", "what is a seal kit, part of le Mans edition, made for", "hello", ""])("English is none: %s", (text) => {
    expect(isOtherLanguage(text)).toBe(false);
  });
});

describe("what the shop has", () => {
  const passages = [{ sha256: "a".repeat(64), page: 7, text: "deck belt", equipment: ["GT-2254"], score: 1 }];
  test("its own parts, before those that manuals list and the catalog lacks", async () => {
    const { parts } = await askDesk("Do you have any belts?", { shop: { passages } });
    expect(parts.map(({ part_number, available_for_purchase }) => [part_number, available_for_purchase])).toEqual([["10.A124", true]]);
  });
  test("what manuals list, where the catalog has none", async () => {
    expect((await askDesk("do you sell a mower blade?", { shop: { passages: [{ ...passages[0]!, text: "mower blade" }] } })).parts.map(({ part_number }) => part_number)).toEqual(["312-065D"]);
  });
});
