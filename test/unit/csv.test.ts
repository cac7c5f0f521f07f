import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { csvLine } from "../../mixins/csv.ts";

const read = (line: string): string[] => (parse(line, { relax_column_count: true }) as string[][])[0]!;

test("a line is read back as it was, but for cells that a spreadsheet would run", () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", " ", '"', ",", "a") }),
  );
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      const found = read(csvLine(cells));
      for (const [index, text] of cells.entries()) {
        expect([text, `'${text}`]).toContain(found[index]);
        expect(found[index]).not.toMatch(/^\s*[=+\-@]/);
        if (/^[\w ]*$/.test(text)) expect(found[index]).toBe(text);
      }
    }),
  );
});

test.each([
  "=1+1",
  '=HYPERLINK("http://evil.example")',
  "+1 555 0100",
  "-2+3",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "  =1",
  "\u0000=1",
  "\ufeff=1",
  "＝1+1",
])("%j is harmless", (text) => {
  expect(read(csvLine([text, "x"]))).toEqual([`'${text}`, "x"]);
});

test("numbers and dates stay what they are, and what is missing is empty", () => {
  const cells = [-5, 0, true, null, undefined, new Date("2026-11-21T09:30:00Z"), [{ a: 1 }]];
  expect(read(csvLine(cells))).toEqual(["-5", "0", "true", "", "", "2026-11-21T09:30:00.000Z", '[{"a":1}]']);
});
