import { expect, test } from "@jest/globals";
import { codeTexts } from "../support/prose/code.ts";

const textsOf = (path: string, source: string): string[] => codeTexts(path, source).map(({ text }) => text.trim());

test("the prose of the product is its comments and messages, without code in comments, words in lists and patterns", () => {
  const source = [
    "/** One, of `two`. @param three four */",
    'const words = ["five", /six seven/];',
    "function eight(nine: string) {",
    '  // Says "ten".',
    "  if (nine) throw new Error(`No ${nine} of ${words} is there`);",
    "  return <p>Eleven // twelve</p>;",
    "}",
  ].join("\n");
  expect(textsOf("web/a.tsx", source)).toEqual([
    "/** One, of      .              four */",
    '// Says "ten".',
    "`No ${",
    "} of ${",
    "} is there`",
    "Eleven // twelve",
  ]);
  expect(codeTexts("web/a.tsx", source)[1]).toMatchObject({ line: 4, column: 3 });
});

test("the prose of a test's file is its comments and the names of tests", () => {
  const source = [
    'describe.each([["a b"]])("One %s", () => {',
    '  (isSlow ? test : test.skip)("two three", noted);',
    '  test.skip("four", () => expect("five six").toBe(`seven eight`)); // Nine.',
    "});",
  ].join("\n");
  expect(textsOf("test/a.test.ts", source)).toEqual(['"One %s"', '"two three"', '"four"', "// Nine."]);
});
