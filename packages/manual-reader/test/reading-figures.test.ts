import { describe, expect, it } from "@jest/globals";
import { assemble } from "../src/assemble.ts";
import type { PageContent, TextBox } from "../src/page.ts";
import { readPage } from "../src/read-page.ts";
import { COLUMNS, lines, page, tablePage, text } from "./reading.support.ts";

const HEAD = ["Ref", "Part No.", "Description", "Qty"];
const rowsFrom = (first: number, count: number): string[][] =>
  Array.from({ length: count }, (_, index) => [
    String(first + index),
    String(691_000 + first + index),
    "Screw, hex",
    "2",
  ]);
const callouts = (numbers: readonly (number | string)[], y = 150): TextBox[] =>
  numbers.map((each, index) => text(String(each), 150 + (index % 4) * 90, y + Math.floor(index / 4) * 60 + index * 3));
const drawing = (number: number, texts: TextBox[], more: Partial<PageContent> = {}) =>
  readPage(page(texts, { number, drawnPaths: 300, ...more }), []);
const list = (number: number, rows: string[][], beside: TextBox[] = [], more: Partial<PageContent> = {}) => {
  const { content, tables } = tablePage(rows, COLUMNS, { beside, number, y: 400, content: more });
  return readPage(content, tables);
};
const put = (...pages: ReturnType<typeof readPage>[]) => assemble(pages, { sha256: "00", filename: "manual.pdf" });
const listFigures = ({ pages }: ReturnType<typeof assemble>): (string | undefined)[] =>
  pages.flatMap(({ parts }) => parts.map(({ figure }) => figure));

describe("headings of figures", () => {
  it.each([
    ["Figure 7 Mower Deck", "7", "Mower Deck"],
    ["FIGURE 7. MOWER DECK", "7", "MOWER DECK"],
    ["Fig. 3-2", "3-2", ""],
    ["Fig. 3-2 - Carburetor", "3-2", "Carburetor"],
    ["FIG. 12  FRONT AXLE", "12", "FRONT AXLE"],
    ["Illustration A: Blade Spindle", "A", "Blade Spindle"],
    ["Deck Lift - Figure AB", "AB", "Deck Lift"],
    ["SECTION B - CARBURETOR", "B", "CARBURETOR"],
    ["GROUP 4: Engine", "4", "Engine"],
    ["E-13 CARBURETOR", "E-13", "CARBURETOR"],
    ["Figure 7 Mower Deck (continued)", "7", "Mower Deck"],
    ["Mower Deck - Figure 7 (cont'd)", "7", "Mower Deck"],
    ["SILVER FOX components and parts Illustration-02", "02", "SILVER FOX components and parts"],
    ["Fig.24. PUMP (A)=TK20-W (D)=TK20FC-W (E)=", "24", "PUMP"],
  ])("%s", (line, label, title) => {
    expect(readPage(page(lines([line, "Some words about it stand here."])), []).figures).toMatchObject([
      { label, title },
    ]);
  });

  it.each([
    "Figure 7 shows the mower deck.",
    "See Figure 7 for the order of parts.",
    "Figure 7 is on the facing page",
    "Section B of the law applies, see there.",
    "The figure 7 is lucky",
  ])("is none: %s", (line) => {
    expect(readPage(page(lines([line, "Some words about it stand here."])), []).figures).toEqual([]);
  });

  it("are those whose number a reference has", () => {
    const head = (label: string, y: number) => text(`Parts Illustration-${label}`, 60, y);
    const first = list(1, [HEAD, ["1_01", "41100-0000", "Frame", "1"]], [head("01", 40), head("02", 700)]);
    const second = list(2, [HEAD, ["2_01", "61000-0000", "Fork", "1"]], [head("03", 700)]);
    expect(listFigures(put(first, second))).toEqual(["01", "02"]);
  });

  it("are not those of a list of contents", () => {
    const contents = ["Figure 1 Deck ........ 4", "Figure 2 Axle ........ 6", "Figure 3 Engine . . . . 8"];
    expect(readPage(page(lines(contents)), []).figures).toEqual([]);
    const spaced = contents
      .map((each) => each.replace(/[ .]+\d+$/, ""))
      .flatMap((each, index) => [text(each, 50, 60 + index * 16), text(String(4 + 2 * index), 400, 60 + index * 16)]);
    expect(readPage(page(spaced), []).figures).toEqual([]);
  });
});

describe("callouts", () => {
  it("are isolated numbers of a drawing of lines, each once, and not the page's own", () => {
    const { figures } = drawing(2, [
      text("Figure 7 Mower Deck", 50, 40),
      ...callouts([1, 2, 3, "4A", 5, 5]),
      text("12", 300, 760),
    ]);
    expect(figures).toMatchObject([{ label: "7", page: 2, callouts: ["1", "2", "3", "4A", "5"] }]);
  });

  it("have places in shares of the page, each time that they are drawn, also on a page whose text is turned", () => {
    const texts = [text("Figure 7 Mower Deck", 50, 40), text("1", 153, 198), text("2", 306, 396), text("2", 459, 594)];
    expect(drawing(1, texts).figures[0]!.places).toEqual([
      { ref: "1", box: { x: 0.25, y: 0.25, width: 0.0082, height: 0.0126 } },
      { ref: "2", box: { x: 0.5, y: 0.5, width: 0.0082, height: 0.0126 } },
      { ref: "2", box: { x: 0.75, y: 0.75, width: 0.0082, height: 0.0126 } },
    ]);
    // Up is left: what is at (x, y) of a landscape page of 792 by 612 is at (y, 792 - x) of this one.
    const sideways = texts.map((each) => ({
      ...each,
      x: each.y,
      y: 792 - each.x - each.width,
      width: each.height,
      height: each.width,
      angle: -90,
    }));
    expect(drawing(1, sideways).figures[0]!.places![0]).toEqual({
      ref: "1",
      box: { x: 0.3235, y: 0.8005, width: 0.0163, height: 0.0063 },
    });
  });

  it("are those beside an image, and none where nothing is drawn", () => {
    const image = { index: 1, x: 100, y: 120, width: 350, height: 300 };
    const texts = [text("Figure 7 Mower Deck", 50, 40), ...callouts([1, 2, 3])];
    expect(readPage(page(texts, { images: [image] }), []).figures).toMatchObject([
      { images: [1], callouts: ["1", "2", "3"] },
    ]);
    expect(readPage(page(texts), []).figures).toMatchObject([{ images: [], callouts: [] }]);
  });

  it("are not numbers of a table, and a logo is no drawing", () => {
    const logo = { index: 1, x: 30, y: 20, width: 60, height: 30 };
    expect(
      list(1, [HEAD, ...rowsFrom(1, 4)], [text("Figure 7 Mower Deck", 50, 40)], { images: [logo], drawnPaths: 20 })
        .figures,
    ).toMatchObject([{ images: [], callouts: [] }]);
  });
});

describe("which drawing belongs to which list", () => {
  it("on one page: the heading above", () => {
    const { manual, pages } = put(
      list(1, [HEAD, ...rowsFrom(1, 3)], [text("Figure 7 Mower Deck", 50, 40), ...callouts([1, 2, 3], 100)], {
        drawnPaths: 200,
      }),
    );
    expect(manual.figures).toMatchObject([{ label: "7", title: "Mower Deck", page: 1, callouts: ["1", "2", "3"] }]);
    expect(pages[0]!.parts.map(({ figure }) => figure)).toEqual(["7", "7", "7"]);
  });

  it("two on one page: each list that of its own heading", () => {
    const [upper, lower] = [
      tablePage([HEAD, ...rowsFrom(1, 2)], COLUMNS, { y: 100 }),
      tablePage([HEAD, ...rowsFrom(3, 2)], COLUMNS, { y: 400 }),
    ];
    const texts = [
      text("Figure 7 Mower Deck", 50, 60),
      text("Figure 8 Axle", 50, 360),
      ...upper.content.texts,
      ...lower.content.texts,
    ];
    expect(listFigures(put(readPage(page(texts), [...upper.tables, ...lower.tables])))).toEqual(["7", "7", "8", "8"]);
  });

  it("the page before, where the list has no heading, and further pages of the list", () => {
    const read = put(
      drawing(4, [text("Figure 7 Mower Deck", 50, 40), ...callouts([1, 2, 3, 4])]),
      list(5, [HEAD, ...rowsFrom(1, 3)]),
      list(6, rowsFrom(4, 3)),
      list(8, [HEAD, ...rowsFrom(1, 2)]),
    );
    expect(listFigures(read)).toEqual(["7", "7", "7", "7", "7", "7", undefined, undefined]);
  });

  it("the facing page after, where its callouts are those of the list", () => {
    const read = put(
      drawing(2, [text("Figure 1 Engine", 50, 40), ...callouts([50, 51, 52])]),
      list(3, [HEAD, ...rowsFrom(50, 3)]),
      list(4, [HEAD, ...rowsFrom(1, 3)]),
      drawing(5, [text("Figure 2 Axle", 50, 40), ...callouts([1, 2, 3])]),
    );
    expect(listFigures(read)).toEqual(["1", "1", "1", "2", "2", "2"]);
  });

  it("a drawing without a heading takes that of the list that it faces", () => {
    const { manual } = put(
      drawing(2, callouts([1, 2, 3]), {
        images: [{ index: 3, x: 100, y: 120, width: 350, height: 300 }],
      }),
      list(3, [HEAD, ...rowsFrom(1, 3)], [text("Fig. 3-2 Carburetor", 50, 40)]),
    );
    expect(manual.figures).toMatchObject([
      { label: "3-2", title: "Carburetor", page: 2, images: [3], callouts: ["1", "2", "3"] },
    ]);
  });

  it("where chapters count from 1 again, a label with another title is another figure", () => {
    const read = put(
      list(1, [HEAD, ...rowsFrom(1, 1)], [text("Figure 1 Mower Deck", 50, 40)]),
      list(2, [HEAD, ...rowsFrom(2, 1)], [text("FIGURE 1 MOWER DECK (continued)", 50, 40)]),
      list(3, [HEAD, ...rowsFrom(1, 1)], [text("Figure 1 Engine", 50, 40)]),
      list(4, [HEAD, ...rowsFrom(2, 1)], [text("Figure 1 (continued)", 50, 40)]),
    );
    expect(listFigures(read)).toEqual(["1", "1", "1 Engine", "1 Engine"]);
    expect(read.manual.figures).toMatchObject([
      { label: "1", title: "Mower Deck" },
      { label: "", title: "1 Engine" },
    ]);
  });

  it("a page's title names its figure where no heading does, but not one that is on every page", () => {
    const titled = put(list(1, [HEAD, ...rowsFrom(1, 3)], [text("CARBURETOR", 50, 40, { fontSize: 16 })]));
    expect(listFigures(titled)).toEqual(["CARBURETOR", "CARBURETOR", "CARBURETOR"]);
    const wrappedHeader = put(list(1, [HEAD, ...rowsFrom(1, 1)], [text("number", 350, 40, { fontSize: 16 })]));
    expect(listFigures(wrappedHeader)).toEqual([undefined]);
    const running = put(
      ...[1, 2, 3, 4].map((number) =>
        list(number, [HEAD, ...rowsFrom(number * 10, 2)], [text("GT-2254 GARDEN TRACTOR", 50, 40, { fontSize: 16 })]),
      ),
    );
    expect(running.manual.figures).toEqual([]);
    expect(new Set(listFigures(running))).toEqual(new Set([undefined]));
  });
});
