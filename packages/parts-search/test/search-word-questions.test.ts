import { expect, test } from "@jest/globals";
import { askCount, askNear } from "../src/search-index/elasticsearch/questions.ts";
import type { PlannedTerm } from "../src/search-index/query-plan.ts";

test("what counts parts weighs nothing, so that questions that differ in weights alone are one", () => {
  const terms: PlannedTerm[] = [{ text: "aabbaabb", typed: "aabbaabb", typos: 2, isBeginning: true }];
  const kinds = ["typed", "compact", "synonym"] as const;
  const asked = kinds.map((kind) =>
    JSON.stringify(askCount([{ alternatives: [{ kind, terms }] }], new Map([["aabbaabb", ["aabb"]]])).body),
  );
  expect(asked[0]).not.toContain("boost");
  expect(new Set(asked).size).toBe(1);
});

test("words of one singular are asked for apart: how they were typed decides what is near", () => {
  expect(askNear({ text: "woo", typed: "woos" }).body).not.toEqual(askNear({ text: "woo", typed: "woo" }).body);
});
