import { describe, expect, it } from "@jest/globals";
import { assemble } from "../src/assemble.ts";
import { readPage } from "../src/read-page.ts";
import { processorMs } from "../../../test/support/processor-time.ts";
import { lines, page, tablePage, text } from "./reading.support.ts";

const partsIn = (...sentences: string[]) => readPage(page(lines(sentences)), []).parts;

describe("the name of a number that stands in no table", () => {
  it.each([
    ["Maintenance Kit: P/N 86.5020", "Maintenance Kit"],
    ["Order the touch-up paint under part number 15.5122", "touch-up paint"],
    ["Maintenance Kit (P/N: 24 248 06-S)", "Maintenance Kit"],
    ["Engine Oil Bottle, Part No. 86.5020.", "Engine Oil Bottle"],
    ["Bolts, part number 614071, 4 required.", "Bolts"],
    ["Bolt, qty 2, P/N 614071", "Bolt"],
    ["Oil filter part number 12 050 01-S", "Oil filter"],
    ["Store the machine in a dry place. Fuel Stabilizer: P/N 614071", "Fuel Stabilizer"],
    [
      "Hose, Hydraulic, 3/8 in x 36 in: P/N 78.2358 has been replaced by P/N 81.0952.",
      "Hose, Hydraulic, 3/8 in x 36 in",
    ],
    ["Kit, Service: P/N 14.3860", "Kit, Service"],
    ["P/N 614071 - Maintenance Kit", "Maintenance Kit"],
    ["Filtereinsatz, Teile-Nr. 614071", "Filtereinsatz"],
    ["Belt, Deck, 48 in Deck: P/N 53.8032 has been replaced by P/N 53.9011.", "Belt, Deck, 48 in Deck"],
  ])("%s", (sentence, name) => expect(partsIn(sentence)[0]).toMatchObject({ description: name, namedIn: "text" }));

  it.each([
    "Hold the blade with P/N 614071 (Qty. 4).",
    "Order P/N 614071 from your dealer.",
    "Use kit no. 614071 if the seal leaks.",
    "Spare part: P/N 614071",
    "When you write to your dealer, part number 614071 helps.",
    "P/N 690111 is no longer available, use P/N 691036.",
    "See your dealer for part no. 614071",
    "Tighten it with tool P/N 614071",
    "Part Number 614071",
    `${"A very long line about many things and others, ".repeat(4)}P/N 614071`,
  ])("is not in: %s", (sentence) => {
    expect(partsIn(sentence).length).toBeGreaterThan(0);
    for (const part of partsIn(sentence)) expect(part).not.toHaveProperty("description");
  });

  it("is that of each of several numbers of a line, and of the number that replaces one", () => {
    const named = (sentence: string) =>
      partsIn(sentence).map(({ partNumber, description }) => [partNumber, description]);
    expect(named("Bolt, P/N 614071; nut, P/N 614072")).toEqual([
      ["614071", "Bolt"],
      ["614072", "nut"],
    ]);
    expect(named("Blades (P/N 614071 and 614072)")).toEqual([
      ["614071", "Blades"],
      ["614072", "Blades"],
    ]);
    expect(named("Belt, Deck: P/N 53.8032 has been replaced by P/N 53.9011.")).toEqual([
      ["53.8032", "Belt, Deck"],
      ["53.9011", "Belt, Deck"],
    ]);
  });

  it("makes no row of it: its page's figure is not its own", () => {
    const beside = [text("Figure 3: Mower Deck", 50, 60), ...lines(["Maintenance Kit: P/N 614071"], { y: 500 })];
    const { content, tables } = tablePage(
      [
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", "691035", "Nut", "1"],
        ["2", "691036", "Bolt", "4"],
      ],
      [50, 100, 220, 450],
      { beside },
    );
    expect(readPage(content, tables).parts.map(({ partNumber, figure }) => [partNumber, figure])).toEqual([
      ["691035", "3"],
      ["691036", "3"],
      ["614071", undefined],
    ]);
  });

  it("takes time in proportion to the line", () => {
    const before = processorMs();
    partsIn(`${"part no, kit order and the item for ".repeat(3_000)}: P/N 614071`);
    expect(processorMs() - before).toBeLessThan(2_000);
  });
});

describe("a table of superseded numbers", () => {
  it("is no figure, and no list of parts", () => {
    const { content, tables } = tablePage(
      [
        ["Old Part No.", "New Part No.", "Description"],
        ["594137", "790839", "Blade"],
        ["690111", "691036", "Bolt"],
      ],
      [50, 150, 260],
      { beside: [text("Superseded Part Numbers", 50, 60, { fontSize: 16, isBold: true })] },
    );
    const { pages, manual } = assemble([readPage(content, tables)], { sha256: "ab", filename: "gt.pdf" });
    expect(manual.figures).toEqual([]);
    expect(
      pages[0]!.parts.map(({ partNumber, replacedBy, figure, namedIn }) => [partNumber, replacedBy, figure, namedIn]),
    ).toEqual([
      ["594137", "790839", undefined, "supersessions"],
      ["790839", undefined, undefined, "supersessions"],
      ["690111", "691036", undefined, "supersessions"],
      ["691036", undefined, undefined, "supersessions"],
    ]);
  });

  it("is none where rows say how many there are, or where not all are replaced", () => {
    for (const [head, ...rows] of [
      [
        ["Part No.", "Replaced by", "Description", "Qty"],
        ["594137", "790839", "Blade", "2"],
        ["690111", "691036", "Bolt", "2"],
      ],
      [
        ["Part No.", "Replaced by", "Description"],
        ["594137", "790839", "Blade"],
        ["690111", "", "Bolt"],
      ],
    ]) {
      const { content, tables } = tablePage([head!, ...rows], [50, 150, 260, 450]);
      for (const part of readPage(content, tables).parts) expect(part).not.toHaveProperty("namedIn");
    }
  });
});

it.each([
  "SA80010 ersetzt durch SA80011",
  "SA80010 wurde ersetzt durch Teile-Nr. SA80011.",
  "SA80010 reemplazado por SA80011",
  "SA80010 ha sido reemplazada por la pieza n\u00famero SA80011",
  "SA80010 remplac\u00e9 par SA80011",
  "SA80010 a \u00e9t\u00e9 remplac\u00e9e par la pi\u00e8ce n\u00b0 SA80011",
  "SA80010 sustituido por SA80011",
  "SA80010 sostituito da SA80011",
])("says what replaces a number: %s", (sentence) => {
  expect(partsIn(sentence).map(({ partNumber, replacedBy }) => [partNumber, replacedBy])).toEqual([
    ["SA80010", "SA80011"],
    ["SA80011", undefined],
  ]);
});

it.each([
  ["Old Part No.", "New Part No."],
  ["Part No.", "Replaced by"],
  ["Former Number", "Superseded by"],
  ["Teile-Nr.", "Ersetzt durch"],
  ["N\u00famero de parte", "Reemplazado por"],
  ["N\u00b0 de pi\u00e8ce", "Remplac\u00e9 par"],
])("says it by the columns %s and %s", (old, next) => {
  const { content, tables } = tablePage(
    [
      [old, next],
      ["SA80010", "SA80011"],
    ],
    [50, 250],
  );
  expect(readPage(content, tables).parts).toMatchObject([
    { partNumber: "SA80010", replacedBy: "SA80011" },
    { partNumber: "SA80011" },
  ]);
});
