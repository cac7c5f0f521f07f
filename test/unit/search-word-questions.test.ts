import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { howMany, isThere, nearTo, type Question } from "../../mixins/search-index/elasticsearch/questions.ts";
import type { PlannedTerm, WordGroup } from "../../mixins/search-index/query-plan.ts";

/** Few and alike, so that questions nearly meet. */
const word = fc.constantFrom("a", "b", "ab", "aab", "aabb", "aabbaabb");
const term: fc.Arbitrary<PlannedTerm> = fc.record({
  text: word,
  typed: word,
  typos: fc.constantFrom(0, 1, 2),
  isBeginning: fc.boolean(),
});
const group: fc.Arbitrary<WordGroup> = fc.record({
  alternatives: fc.array(
    fc.record({
      kind: fc.constantFrom("typed", "compact", "synonym"),
      terms: fc.array(term, { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});
const corrections = fc
  .array(fc.tuple(word, fc.array(word, { maxLength: 2 })), { maxLength: 2 })
  .map((entries) => new Map<string, readonly string[]>(entries));
const question: fc.Arbitrary<Pick<Question<unknown>, "text" | "body">> = fc.oneof(
  term.map((each) => isThere(each)),
  term.map((each) => nearTo(each)),
  fc
    .tuple(fc.array(group, { minLength: 1, maxLength: 2 }), corrections)
    .map(([groups, known]) => howMany(groups, known)),
);

test("what is known by one name was asked as one question", () => {
  const askedBy = new Map<string, string>();
  let met = 0;
  fc.assert(
    fc.property(question, ({ text, body }) => {
      const asked = JSON.stringify(body());
      const known = askedBy.get(text);
      if (known !== undefined) met += 1;
      askedBy.set(text, asked);
      expect(asked).toBe(known ?? asked);
    }),
    { numRuns: 5_000 },
  );
  expect(met).toBeGreaterThan(100);
});

test("what counts parts weighs nothing, so that questions that differ in weights alone are one", () => {
  const terms: PlannedTerm[] = [{ text: "aabbaabb", typed: "aabbaabb", typos: 2, isBeginning: true }];
  const kinds = ["typed", "compact", "synonym"] as const;
  const asked = kinds.map((kind) =>
    JSON.stringify(howMany([{ alternatives: [{ kind, terms }] }], new Map([["aabbaabb", ["aabb"]]])).body()),
  );
  expect(asked[0]).not.toContain("boost");
  expect(new Set(asked).size).toBe(1);
});
