import { expect, test } from "@jest/globals";
import type { CartItem } from "../../client/src/contract.ts";
import { explainProblem, describeShortage } from "../src/shop/problem-text.ts";
import { fill, chooseLanguage } from "../src/shared/language.ts";
import { de } from "../src/shop/texts/de.ts";
import { en, type Texts } from "../src/shop/texts/en.ts";
import { es } from "../src/shop/texts/es.ts";

const gapsOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort();
const gaps = (texts: Texts): Record<string, string[]> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, gapsOf(text)]));

test.each([
  ["de", de],
  ["es", es],
] as const)("%s has every text, with the same gaps", (_, texts) => {
  expect(Object.keys(texts)).toEqual(Object.keys(en));
  expect(gaps(texts)).toEqual(gaps(en));
  expect(Object.entries(texts).filter(([, text]) => text.trim() === "")).toEqual([]);
});

test("the language is the one that was chosen, else the first wish that there is", () => {
  expect(chooseLanguage("es", "de")).toBe("es");
  expect(chooseLanguage("xx", "fr-FR, de;q=0.5, en;q=0.4")).toBe("de");
  expect(chooseLanguage(undefined, "en;q=0.2, es-MX;q=0.9")).toBe("es");
  expect(chooseLanguage("constructor", "fr")).toBe("en");
  expect(chooseLanguage(undefined, "")).toBe("en");
});

test("a gap without a value stays", () => {
  expect(fill("{count} of {all}", { count: 2 })).toBe("2 of {all}");
});

test.each([
  ["quantity", de.problem_quantity],
  ["items[0].quantity", de.problem_quantity],
  ["destination.country", de.problem_country],
  ["items", de.problem_items],
  ["items[3]", de.problem_other],
  ["nobody.knows", de.problem_other],
])("a refusal of %s is in the page's language", (field, text) => {
  const message = `The '${field}' field must be less than or equal to 9999.`;
  const details = [{ field, message }, { field }];
  expect(explainProblem({ code: "VALIDATION_FAILED", details }, de)).toBe(text);
});

test("what failed otherwise is said by its code, and never in the API's words", () => {
  expect(explainProblem({ code: "TIMEOUT", details: undefined }, es)).toBe(es.problem_SERVICE_UNAVAILABLE);
  expect(explainProblem({ code: "FORBIDDEN", details: undefined }, es)).toBe(es.problem_other);
  expect(explainProblem({ code: "VALIDATION_FAILED", details: undefined }, es)).toBe(es.problem_other);
  expect(explainProblem({ code: "VALIDATION_FAILED", details: [{ partNumber: "1" }] }, es)).toBe(es.problem_other);
});

test("a checkout that too little is left for names the parts, and what is left of them", () => {
  const item = { productId: "a", partNumber: "A-1", title: "Filter", quantity: 5 } as CartItem;
  const refusal = (left: number) => {
    const details = [{ productId: "a", left }, { productId: "other", left: 0 }, {}];
    return { code: "OUT_OF_STOCK", details } as const;
  };
  expect(describeShortage(refusal(3), [item], en)).toBe("Filter (A-1): you asked for 5, but only 3 are left.");
  expect(describeShortage(refusal(0), [item], de)).toBe("Filter (A-1) ist ausverkauft.");
  expect(describeShortage(refusal(0), [], de)).toBeUndefined();
});
