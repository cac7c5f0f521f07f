import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { formatCsvLine } from "@partline/toolkit/pure";

const read = (line: string): string[] => (parse(line, { relax_column_count: true }) as string[][])[0]!;

test("a line is read back as it was, except for apostrophes in front of what a spreadsheet would run", () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", " ", '"', ",", ";", "a") }),
  );
  const plain = (text: string): string => text.replaceAll("'", "");
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      const found = read(formatCsvLine(cells));
      for (const [index, text] of cells.entries()) {
        expect(plain(found[index]!)).toBe(plain(text));
        for (const piece of found[index]!.split(/[;\t\r\n]/)) expect(piece).not.toMatch(/^\s*[=+\-@]/);
        if (/^[\w ;,."]*$/.test(text)) expect(found[index]).toBe(text);
      }
    }),
  );
});

test.each([
  ["seal;=1+1", "seal;'=1+1"],
  ["seal; =1+1;", "seal;' =1+1;"],
  ['seal;"=1+1";x', `seal;'"=1+1";x`],
  ["seal\t@SUM(A1)", "seal\t'@SUM(A1)"],
  ["seal\r\n=1+1", "seal\r\n'=1+1"],
  ["fits A; B, and 5-7", "fits A; B, and 5-7"],
])("%j is harmless where a semicolon or a tab ends a cell", (text, written) => {
  expect(read(formatCsvLine(["x", text]))).toEqual(["x", written]);
});

test("a long text costs no more than its length", () => {
  const texts = [" ".repeat(200_000), "\n".repeat(200_000), ";".repeat(200_000), "; ".repeat(100_000)];
  for (const text of texts) expect(read(formatCsvLine([text, "x"]))[1]).toBe("x");
});

test.each([
  "=1+1",
  '=HYPERLINK("http://evil.example")',
  "+1 555 0100",
  "-2+3",
  "@SUM(A1)",
  "  =1",
  "\u0000=1",
  "\ufeff=1",
  "＝1+1",
])("%j is harmless", (text) => {
  expect(read(formatCsvLine([text, "x"]))).toEqual([`'${text}`, "x"]);
});

test.each(["\t", "\r"])("%j in front of a formula is harmless, read as a part of the cell or as its end", (sign) => {
  expect(read(formatCsvLine([`${sign}=1`, "x"]))).toEqual([`'${sign}'=1`, "x"]);
});

test("numbers and dates stay what they are, and what is missing is empty", () => {
  const cells = [-5, 0, true, null, undefined, new Date("2026-11-21T09:30:00Z"), [{ a: 1 }]];
  expect(read(formatCsvLine(cells))).toEqual(["-5", "0", "true", "", "", "2026-11-21T09:30:00.000Z", '[{"a":1}]']);
});
