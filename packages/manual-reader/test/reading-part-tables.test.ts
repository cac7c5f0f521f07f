import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { processorMs } from "../../../test/support/processor-time.ts";
import { assemble } from "../src/assemble.ts";
import { findRole } from "../src/parts/headers.ts";
import { readPage } from "../src/read-page.ts";
import { COLUMNS, lines, page, tablePage, text } from "./reading.support.ts";

const HEAD = ["Ref", "Part No.", "Description", "Qty"];
const MODELS = ["Ref", "Part No.", "Description", "TK-100", "TK-200"];
const read = (...[rows, columns, more]: Parameters<typeof tablePage>) => {
  const { content, tables } = tablePage(rows, columns, more);
  return readPage(content, tables);
};
const readLines = (...sentences: string[]) => readPage(page(lines(sentences)), []);
const put = (...pages: ReturnType<typeof read>[]) =>
  assemble(
    pages.map((found, index) => ({ ...found, page: index + 1 })),
    { sha256: "ab", filename: "a.pdf" },
  );

const headers = parse(readFileSync(new URL("headers.yaml", import.meta.url), "utf8")) as Record<string, string[]>;

it.each(Object.entries(headers))("headers of columns: %s", (role, words) => {
  for (const word of words) expect([word, findRole(word) ?? "none"]).toEqual([word, role]);
});

describe("a number in a sentence", () => {
  it("is not a second row of what a list has, and of no diagram of another page", () => {
    const rows = [HEAD, ["1", "614071", "Bolt", "4"], ["2", "691036", "Nut", "4"]];
    const beside = lines(["Use P/N 614071 (Qty. 2) on the left."], { y: 300 });
    expect(read(rows, COLUMNS, { beside }).parts.filter(({ partNumber }) => partNumber === "614071")).toMatchObject([
      { reference: "1", quantity: 4 },
    ]);
    const { pages } = put(readLines("Figure 3: Axle"), readLines("Use P/N 614071 (Qty. 2) there."));
    expect(pages[1]!.parts).toMatchObject([{ quantity: 2 }]);
    expect(pages[1]!.parts[0]).not.toHaveProperty("figure");
  });

  it("has no name in a very long line", () => {
    const [part] = readLines(`${"A very long line about many things and others, ".repeat(4)}P/N 614071`).parts;
    expect(part).toMatchObject({ partNumber: "614071" });
    expect(part).not.toHaveProperty("description");
  });

  it("makes no row of it: its page's figure is not its own", () => {
    const beside = [text("Figure 3: Mower Deck", 50, 60), ...lines(["Maintenance Kit: P/N 614071"], { y: 500 })];
    const rows = [HEAD, ["1", "691035", "Nut", "1"], ["2", "691036", "Bolt", "4"]];
    expect(read(rows, COLUMNS, { beside }).parts.map(({ partNumber, figure }) => [partNumber, figure])).toEqual([
      ["691035", "3"],
      ["691036", "3"],
      ["614071", undefined],
    ]);
  });

  it("takes time in proportion to the line", () => {
    const before = processorMs();
    readLines(`${"part no, kit order and the item for ".repeat(3_000)}: P/N 614071`);
    expect(processorMs() - before).toBeLessThan(2_000);
  });
});

it("a table of superseded numbers is no figure", () => {
  const rows = [
    ["Old Part No.", "New Part No.", "Description"],
    ["594137", "790839", "Blade"],
    ["690111", "691036", "Bolt"],
  ];
  const beside = [text("Superseded Part Numbers", 50, 60, { fontSize: 16, isBold: true })];
  expect(put(read(rows, [50, 150, 260], { beside })).manual.figures).toEqual([]);
});

describe("a column of quantities for each model", () => {
  const columns = [50, 100, 200, 380, 460];
  const list = read([MODELS, ["1", "TR10001", "Plate", "1", "-"], ["2", "TR10002", "Guard", "2", "1"]], columns);

  it("goes on on the next page", () => {
    const rows = [
      ["3", "TR10003", "Bolt", "-", "7"],
      ["4", "TR10004", "Nut", "3", "7"],
    ];
    const { pages, manual } = put(list, read(rows, columns, { headerRows: 0 }));
    expect(pages[1]!.parts.map(({ quantities }) => quantities?.map(({ quantity }) => quantity))).toEqual([
      [0, 7],
      [3, 7],
    ]);
    expect(manual.equipment).toEqual(["TK-100", "TK-200"]);
  });

  it("says which model a sentence's number is for", () => {
    const sentences = ["If it shears, use part number TR10001.", "The guard is part number TR10002."];
    const { parts } = put(list, readLines(...sentences)).pages[1]!;
    expect(parts.map(({ partNumber, quantities }) => [partNumber, quantities?.map(({ model }) => model)])).toEqual([
      ["TR10001", ["TK-100"]],
      ["TR10002", ["TK-100", "TK-200"]],
    ]);
  });
});
