import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { wrapParagraph, renderTable } from "../../bin/repl/table.ts";

const cells = fc.array(fc.string({ unit: fc.constantFrom(..."abcXY_0:,- "), maxLength: 90 }), {
  minLength: 3,
  maxLength: 3,
});

describe("A table of the REPL", () => {
  it("goes on in the line below where a cell is wide", () => {
    const reason =
      "the supplier's listing ended in the midst of page two, three tries long, and nothing was taken for gone";
    expect(
      renderTable(
        ["sync", "reason"],
        [
          ["sync_01", reason],
          ["sync_02", "none"],
        ],
      ),
    ).toBe(
      [
        "sync     reason",
        `-------  ${"-".repeat(91)}`,
        "sync_01  the supplier's listing ended in the midst of page two, three tries long, and nothing was",
        "         taken for gone",
        "sync_02  none",
      ].join("\n"),
    );
  });

  it("shows records where its words are too long, without what is empty", () => {
    const id = "x".repeat(60);
    expect(
      renderTable(
        ["one", "other", "third"],
        [
          [id, "", id],
          [id, id, "y".repeat(120)],
        ],
      ),
    ).toBe(
      [
        `one    ${id}`,
        `third  ${id}`,
        "",
        `one    ${id}`,
        `other  ${id}`,
        `third  ${"y".repeat(93)}`,
        `       ${"y".repeat(27)}`,
      ].join("\n"),
    );
  });

  it("has lines of at most 100 columns, and every character of its cells", () => {
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 4 }), (rows) => {
        const shown = renderTable(["first", "second", "third"], rows);
        for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
        const count = (text: string) => text.replaceAll(/[^XY0]/g, "").length;
        expect(count(shown)).toBe(count(rows.flat().join("")));
      }),
    );
    expect(
      wrapParagraph(`${"word ".repeat(30)}\n${"z".repeat(101)}`)
        .split("\n")
        .map((line) => line.length),
    ).toEqual([99, 49, 100, 1]);
  });
});
