import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { integer, object, rules, string } from "@partline/api-contracts";
import { exportPage, parsePlace, type ExportRow } from "../../services/shared/export-rows.ts";

const columns = rules({ id: string(), contact: object({ email: string() }), count: integer() });
const all = Array.from({ length: 5_000 }, (_, index): ExportRow => {
  const id = `row_${String(index).padStart(5, "0")}`;
  return { place: [1_000 + Math.floor(index / 7), id], values: { id, contact: { email: "=x" }, count: -index } };
});
type Format = "ndjson" | "csv";

/** Reads on after a cursor, as an export does, `most` rows at a time. */
function page(format: Format, cursor: string | undefined, position: string | undefined, most: number) {
  const asked = { format, cursor, position };
  const last = parsePlace(asked, "time");
  const from = last === undefined ? 0 : all.findIndex(({ place }) => place[1] === last[1]) + 1;
  const rows = all.slice(from, from + most);
  return exportPage("rows", columns, asked, { rows, ends: rows.length < most });
}

function download(format: Format, cursor: string | undefined, most: number): string {
  let text = "";
  for (let next: string | null | undefined; next !== null;) {
    const read: ReturnType<typeof page> = page(format, cursor, next, most);
    text += read.text;
    next = read.next;
  }
  return text;
}

test.each(["ndjson", "csv"] as const)("%s that breaks off anywhere goes on without a gap or a repeat", (format) => {
  const whole = download(format, undefined, 700);
  const end = format === "csv" ? "\r\n" : "\n";
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), fc.integer({ min: 1, max: 3_000 }), (cut, most) => {
      const lines = whole.slice(0, whole.lastIndexOf(end, cut) + end.length).split(end);
      const last = lines.at(-2);
      if (last === undefined || (format === "csv" && lines.length < 3)) return;
      const cursor =
        format === "csv" ? last.slice(last.lastIndexOf(",") + 1) : (JSON.parse(last) as { cursor: string }).cursor;
      expect(lines.join(end) + download(format, cursor, most)).toBe(whole);
    }),
    { numRuns: 20 },
  );
  const ids =
    format === "csv"
      ? (parse(whole, { columns: true }) as { id: string }[]).map(({ id }) => id)
      : whole
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toEqual(all.map(({ place }) => place[1]));
});

test("CSV has the fields of an object as columns of their own", () => {
  expect(download("csv", undefined, 9_000).split("\r\n").slice(0, 2)).toEqual([
    "id,contact.email,count,cursor",
    expect.stringMatching(/^row_00000,'=x,0,\S+$/),
  ]);
});

test.each(["", "x", "null", "[]", "[1]", '["a","b"]', '[1,"a",0.5]', '[1,"a",1,1]', '[1e300,"a"]', '[null,"a"]'])(
  "a cursor of %j is refused by its name",
  (text) => {
    const cursor = Buffer.from(text).toString("base64url");
    expect(() => parsePlace({ format: "csv", cursor }, "time")).toThrow("The 'cursor' field must be that of a row.");
  },
);
