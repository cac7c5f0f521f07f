import { expect, test } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { COMPATIBILITY } from "../../broker/cluster/compatibility.ts";
import { defineService } from "../../broker/contract/define.ts";
import type { Rule } from "@partline/api-contracts";
import { contracts } from "../../services/all-contracts.ts";
import { spokenBy } from "../support/spoken.ts";

/** What was said by the number that is noted with it. */
const RECORD = new URL("../support/spoken.json", import.meta.url);

test("what nodes say to each other is what was recorded of COMPATIBILITY's number", () => {
  const said = spokenBy(contracts);
  const { number } = COMPATIBILITY;
  if (process.env.RECORD_SPOKEN) writeFileSync(RECORD, `${JSON.stringify({ number, said }, null, 1)}\n`);
  const recorded = JSON.parse(readFileSync(RECORD, "utf8")) as { number: number; said: Record<string, string> };
  const changed = [...new Set([...Object.keys(said), ...Object.keys(recorded.said)])].filter(
    (name) => said[name] !== recorded.said[name],
  );
  const toDo =
    changed.length === 0 && recorded.number === number
      ? ""
      : `Changed since ${recorded.number} was recorded: ${changed.join(", ") || "the number"}. Where a release has spoken ${recorded.number}, raise \`number\` in broker/cluster/compatibility.ts, ` +
        "and `oldest` with it if an old node would misread what is said now, or do harm. Then record it: RECORD_SPOKEN=1 npm test -- unit spoken";
  expect(toDo).toBe("");
});

test("a field more, or a stricter one, is noticed; words for people are not", () => {
  const said = (note: Rule): string =>
    spokenBy([
      defineService({
        name: "a",
        summary: "A",
        actions: {
          b: {
            summary: "B",
            params: {},
            result: { type: "array", items: { type: "object", props: { note } } },
            errors: [],
          },
        },
      }),
    ])["a.b"]!;
  const before = said({ type: "string", max: 10 });
  expect(said({ max: 10, type: "string", description: "Anything", example: "x" })).toBe(before);
  expect(said({ type: "string", max: 9 })).not.toBe(before);
  expect(said({ type: "string", max: 10, optional: true })).not.toBe(before);
  expect(said({ type: "string", max: 10, pattern: /a/ })).not.toBe(said({ type: "string", max: 10, pattern: /b/ }));
});
