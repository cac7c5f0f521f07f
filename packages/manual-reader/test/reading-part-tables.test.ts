import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { assemble } from "../src/assemble.ts";
import { readPage } from "../src/read-page.ts";
import { findRole } from "../src/parts/headers.ts";
import { COLUMNS, lines, page, tablePage } from "./reading.support.ts";

const readParts = (
  rows: readonly (readonly string[])[],
  columns: readonly number[] = COLUMNS,
  more: Parameters<typeof tablePage>[2] = {},
) => {
  const { content, tables } = tablePage(rows, columns, more);
  return readPage(content, tables).parts;
};

const headers = parse(readFileSync(new URL("headers.yaml", import.meta.url), "utf8")) as Record<string, string[]>;

describe("headers of columns", () => {
  it.each(Object.entries(headers))("%s", (role, words) => {
    for (const word of words) expect([word, findRole(word) ?? "none"]).toEqual([word, role]);
  });
});

describe("rows of a table of parts", () => {
  it.each([
    ["AR", undefined],
    ["A/R", undefined],
    ["As Req'd", undefined],
    ["-", undefined],
    ["", undefined],
    ["04", 4],
    ["(2)", 2],
    ["2 ea.", 2],
    ["12", 12],
    ["0", undefined],
    ["1 set", 1],
    ["X", undefined],
    ["1,000", 1_000],
    ["1,0", undefined],
    ["1 000", 1_000],
    ["1'200", 1_200],
    ["4 pcs", 4],
    ["3 m", 3],
    ["Var.", undefined],
  ])("the quantity %j is %j", (cell, quantity) => {
    const [part] = readParts([
      ["Ref", "Part No.", "Description", "Qty"],
      ["1", "691035", "Sealant", cell],
      ["2", "691036", "Nut", "2"],
    ]);
    expect(part!.quantity).toBe(quantity);
  });

  it("join a description that goes on in the next line, and none of a row without a number", () => {
    const rows = [
      ["Ref", "Part No.", "Description", "Qty"],
      ["1", "691035", "Carburetor,", "1"],
      ["", "", "1/8 in. jet", ""],
      ["2", "", "Bracket (not sold separately)", "1"],
      ["", "", "with decal", ""],
      ["3", "691036", "Nut", "2"],
    ];
    expect(readParts(rows).map(({ partNumber, description }) => [partNumber, description])).toEqual([
      ["691035", "Carburetor, 1/8 in. jet"],
      ["691036", "Nut"],
    ]);
  });

  it("take a number that goes on in the next line of its cell as one", () => {
    expect(
      readParts([
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", "16100-\nZ0Y-813", "Carburetor", "1"],
      ]),
    ).toMatchObject([{ partNumber: "16100-Z0Y-813" }]);
  });

  it.each([
    "NSS",
    "N/A",
    "NLA",
    "-",
    "Not sold separately",
    "See Figure 12",
    "See page 123",
    "Ref. only",
    "*",
    "See Note 3",
  ])("%j is no number", (cell) => {
    expect(
      readParts([
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", cell, "Bracket", "1"],
        ["2", "691036", "Nut", "2"],
      ]).map(({ partNumber }) => partNumber),
    ).toEqual(["691036"]);
  });

  it("read marks beside a number, and several numbers of a cell", () => {
    expect(
      readParts([
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", "*691035", "Bracket", "1"],
        ["2", "691036 or 691037", "Nut", "2"],
        ["3", "842873/842874", "Bolt", "1"],
        ["4", "532 16 07-93", "Belt", "1"],
      ]).map(({ partNumber, reference }) => [partNumber, reference]),
    ).toEqual([
      ["691035", "1"],
      ["691036", "2"],
      ["691037", "2"],
      ["842873", "3"],
      ["842874", "3"],
      ["532 16 07-93", "4"],
    ]);
  });

  it("find headers of two rows, and below running heads that got into the table", () => {
    const rows = [
      ["Land Pride AFM-4484", "", "", "12"],
      ["Ref.", "Part", "", "No."],
      ["No.", "Number", "Description", "Req'd"],
      ["1", "FH407", "Vent plug", "1"],
      ["2", "821-664C", "Gearbox", "3"],
    ];
    expect(readParts(rows, COLUMNS, { headerRows: 0 })).toMatchObject([
      { partNumber: "FH407", reference: "1", quantity: 1 },
      { partNumber: "821-664C", quantity: 3 },
    ]);
  });

  it("part columns whose headers and cells run together", () => {
    const rows = [
      ["Stock No.", "Ref", "Description", "Qty Stock No.", "Ref", "Description", "Qty"],
      ["821-664C", "1", "Gearbox", "01 335-692D", "9", "Cylinder", "02"],
      ["FH072", "2", "Shaft", "03", "", "", ""],
    ];
    expect(readParts(rows, [30, 90, 120, 200, 300, 330, 450])).toMatchObject([
      { partNumber: "821-664C", quantity: 1 },
      { partNumber: "FH072", quantity: 3 },
      { partNumber: "335-692D", reference: "9", quantity: 2, description: "Cylinder" },
    ]);
  });

  it("read lists that are printed as plain lines", () => {
    const found = readPage(
      page(
        lines([
          "1  691035 Gasket, carburetor 2",
          "2  842873 Filter, fuel 1",
          "3  Bracket, not sold 1",
          "4  790123 Nut A/R",
        ]),
      ),
      [],
    ).parts;
    expect(found).toMatchObject([
      { partNumber: "691035", reference: "1", quantity: 2, description: "Gasket, carburetor" },
      { partNumber: "842873", quantity: 1 },
      { partNumber: "790123", reference: "4", description: "Nut" },
    ]);
    expect(found[2]!.quantity).toBeUndefined();
  });
});

describe("supersession", () => {
  const head = ["Ref", "Part No.", "Description", "Qty"];

  it.each([
    ["690111 (replaced by 691036)", "Bolt"],
    ["690111 NLA use 691036", "Bolt"],
    ["690111 -> 691036", "Bolt"],
    ["690111 use 691036", "Bolt"],
    ["690111", "Bolt, superseded by 691036"],
    ["690111", "Bolt NLA, order P/N 691036"],
    ["690111", "Bolt (use 691036)"],
    ["690111", "Bolt. No longer available, use 691036"],
    ["690111", "Bolt, now 691036"],
    ["690111", "Bolt, obsolete: see 691036"],
  ])("in a row: %j %j", (number, description) => {
    const found = readParts([head, ["1", "842873", "Nut", "1"], ["2", number, description, "4"]]);
    expect(found.find(({ partNumber }) => partNumber === "690111")).toMatchObject({
      replacedBy: "691036",
      quantity: 4,
      reference: "2",
    });
    expect(found.filter(({ partNumber }) => partNumber === "691036")).toHaveLength(1);
    expect(found.find(({ partNumber }) => partNumber === "842873")).not.toHaveProperty("replacedBy");
  });

  it("in a row of the number that replaces", () => {
    const found = readParts([head, ["1", "691036", "Bolt (replaces 690111)", "4"]]);
    expect(found.find(({ partNumber }) => partNumber === "690111")).toMatchObject({ replacedBy: "691036" });
    expect(found.find(({ partNumber }) => partNumber === "691036")).not.toHaveProperty("replacedBy");
  });

  it("in a footnote that a mark leads to", () => {
    const found = readParts([head, ["1", "690111*", "Bolt", "4"], ["2", "842873", "Nut", "1"]], COLUMNS, {
      beside: lines(["* Superseded by 691036."], { y: 400 }),
    });
    expect(found).toMatchObject([
      { partNumber: "690111", replacedBy: "691036" },
      { partNumber: "842873" },
      { partNumber: "691036" },
    ]);
    expect(found[1]).not.toHaveProperty("replacedBy");
  });

  it.each([
    "690111 replaced by 691036.",
    "690111 has been superseded by 691036.",
    "P/N 690111 is no longer available, use P/N 691036.",
    "690111 NLA. Use 691036.",
    "Part No. 691036 replaces Part No. 690111.",
    "691036 supersedes 690111.",
    "690111 is now 691036.",
    "Electric Clutch, 1 in Bore: 690111 superseded by 691036.",
    "Carburetor, Float Type: 690111 superseded by 691036.",
  ])("in prose: %s", (sentence) => {
    const found = readPage(page(lines([sentence])), []).parts;
    expect(found.find(({ partNumber }) => partNumber === "690111")).toMatchObject({ replacedBy: "691036" });
    expect(found.find(({ partNumber }) => partNumber === "691036")).not.toHaveProperty("replacedBy");
    expect(found).toHaveLength(2);
  });

  it.each([
    "Form No. 532123456 replaces Form No. 532123455.",
    "Use 10W-30 oil before 2019 and 15W-40 after.",
    "This edition of 12/05/2019 supersedes that of 03/04/2018.",
    "Use with 4 bolts; use only 2 of them.",
  ])("is not in: %s", (sentence) => {
    expect(readPage(page(lines([sentence])), []).parts).toEqual([]);
  });
});

describe("how many there are, said in prose", () => {
  const partsIn = (...sentences: string[]) => readPage(page(lines(sentences)), []).parts;

  it.each([
    ["Hold the blade with P/N 614071 (Qty. 4).", 4],
    ["Bolts, part number 614071, 4 required.", 4],
    ["Order P/N 614071, quantity: 12, for each side.", 12],
    ["Bolt, qty 2, P/N 614071", 2],
    ["Order P/N 614071 with 4 bolts.", undefined],
    ["Fit P/N 614071 (4 mm).", undefined],
    ["P/N 614071, qty. 1/2 gallon", undefined],
  ] as const)("%s", (sentence, quantity) => expect(partsIn(sentence)[0]!.quantity).toBe(quantity));

  it("is not a second row of what a list has, and of no diagram of another page", () => {
    const { content, tables } = tablePage(
      [
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", "614071", "Bolt", "4"],
        ["2", "691036", "Nut", "4"],
      ],
      COLUMNS,
      { beside: lines(["Use P/N 614071 (Qty. 2) on the left."], { y: 300 }) },
    );
    expect(readPage(content, tables).parts.filter(({ partNumber }) => partNumber === "614071")).toMatchObject([
      { reference: "1", quantity: 4 },
    ]);
    const drawn = { ...readPage(page(lines(["Figure 3: Axle"])), []), page: 1 };
    const { pages } = assemble([drawn, { ...readPage(page(lines(["Use P/N 614071 (Qty. 2) there."])), []), page: 2 }], {
      sha256: "ab",
      filename: "x.pdf",
    });
    expect(pages[1]!.parts).toMatchObject([{ quantity: 2 }]);
    expect(pages[1]!.parts[0]).not.toHaveProperty("figure");
  });
});
