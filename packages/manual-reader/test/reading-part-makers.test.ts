import { describe, expect, it } from "@jest/globals";
import { readPage } from "../src/read-page.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { cells, page, text } from "./reading.support.ts";

/** Lists in the manner of the makers, as their pages are: without lines, read from the page alone. */
const read = (
  columns: readonly number[],
  rows: readonly (readonly string[])[],
  beside: readonly ReturnType<typeof text>[] = [],
) => {
  const content = page([...beside, ...cells(rows, columns, { y: 140 })]);
  return readPage(content, findTables(content)).parts.map(
    ({ partNumber, reference, quantity, description, replacedBy }) => ({
      partNumber,
      reference,
      quantity,
      description,
      ...(replacedBy && { replacedBy }),
    }),
  );
};

describe("lists of parts in the manner of", () => {
  it("Briggs & Stratton: three lists side by side, no quantities", () => {
    const rows = [
      [
        "Ref. No.",
        "Part No.",
        "Description",
        "Ref. No.",
        "Part No.",
        "Description",
        "Ref. No.",
        "Part No.",
        "Description",
      ],
      ["1", "697322", "Cylinder Asm", "12", "692232", "Gasket", "51", "272199S", "Gasket"],
      ["2", "399269", "Bushing Kit", "15", "691680", "Plug", "51A", "690949", "Gasket"],
      ["3", "299819S", "Seal", "16", "691455", "Shaft", "54", "699816", "Screw"],
      ["5", "691160", "Head", "18", "690968", "Cover", "55", "691421", "Housing"],
    ];
    const found = read([30, 65, 115, 215, 250, 300, 400, 435, 485], rows);
    expect(found).toHaveLength(12);
    expect(found).toEqual(
      expect.arrayContaining([
        { partNumber: "697322", reference: "1", quantity: undefined, description: "Cylinder Asm" },
        { partNumber: "691455", reference: "16", quantity: undefined, description: "Shaft" },
        { partNumber: "690949", reference: "51A", quantity: undefined, description: "Gasket" },
      ]),
    );
  });

  it("John Deere: serial numbers beside remarks, drawing codes", () => {
    const rows = [
      ["KEY", "PART NO.", "PART NAME", "QTY", "SERIAL NO.", "REMARKS"],
      ["1", "AM125424", "OIL FILTER", "1", "", "SUB FOR AM101378"],
      ["2", "19M7775", "SCREW, FLANGED", "4", "(010001-060000)", "M8 X 20"],
      ["3", "GY20850", "BLADE", "2", "(060001-      )", '42" DECK'],
      ["", "", "", "", "", ""],
      ["4", "M112006", "BELT", "1", "", ""],
    ];
    const found = read([40, 80, 160, 300, 340, 440], rows, [
      text("MX0001234 -UN-12MAY99", 40, 700, { fontSize: 6 }),
      text("Mower Deck - 42 Inch", 40, 60, { fontSize: 14 }),
    ]);
    expect(found.filter(({ reference }) => reference !== undefined)).toEqual([
      { partNumber: "AM125424", reference: "1", quantity: 1, description: "OIL FILTER" },
      { partNumber: "19M7775", reference: "2", quantity: 4, description: "SCREW, FLANGED" },
      { partNumber: "GY20850", reference: "3", quantity: 2, description: "BLADE" },
      { partNumber: "M112006", reference: "4", quantity: 1, description: "BELT" },
    ]);
    expect(found.find(({ partNumber }) => partNumber === "AM101378")).toMatchObject({ replacedBy: "AM125424" });
    expect(found).toHaveLength(5);
  });

  it("Honda: numbers, names and quantities, hardware in 5-5-2", () => {
    const rows = [
      ["Ref.", "Part No.", "Description", "Qty."],
      ["001", "16100-Z0Y-813", "CARBURETOR ASSY. (BE85B F)", "1"],
      ["002", "16221-883-800", "PACKING, CARBURETOR", "1"],
      ["015", "93500-06020-0H", "SCREW, PAN (6X20)", "2"],
      ["016", "94050-06080", "NUT, FLANGE (6MM)", "2"],
    ];
    expect(read([50, 110, 230, 450], rows)).toEqual([
      { partNumber: "16100-Z0Y-813", reference: "001", quantity: 1, description: "CARBURETOR ASSY. (BE85B F)" },
      { partNumber: "16221-883-800", reference: "002", quantity: 1, description: "PACKING, CARBURETOR" },
      { partNumber: "93500-06020-0H", reference: "015", quantity: 2, description: "SCREW, PAN (6X20)" },
      { partNumber: "94050-06080", reference: "016", quantity: 2, description: "NUT, FLANGE (6MM)" },
    ]);
  });

  it("Husqvarna: groups of digits with spaces", () => {
    const rows = [
      ["KEY NO.", "PART NO.", "DESCRIPTION"],
      ["1", "532 16 07-93", "Shell, Mower Deck"],
      ["2", "532 19 49-17", "Housing, Mandrel"],
      ["3", "872 14 05-06", "Bolt, Carriage 5/16-18 x 3/4"],
      ["4", "- - -", "Nut, not sold"],
      ["8", "576 58 47-01", "Belt"],
    ];
    expect(
      read([50, 110, 230], rows).map(({ partNumber, reference, description }) => [partNumber, reference, description]),
    ).toEqual([
      ["532 16 07-93", "1", "Shell, Mower Deck"],
      ["532 19 49-17", "2", "Housing, Mandrel"],
      ["872 14 05-06", "3", "Bolt, Carriage 5/16-18 x 3/4"],
      ["576 58 47-01", "8", "Belt"],
    ]);
  });

  it("Kohler: indented descriptions, notes and kits", () => {
    const rows = [
      ["Ref. No.", "Qty.", "Part No.", "Description"],
      ["1", "1", "24 853 25-S", "Kit, carburetor w/gaskets (Includes 2-5)"],
      ["2", "1", "24 041 37-S", ". . Gasket, air cleaner base"],
      ["3", "AR", "25 357 14-S", ". . Sealant, RTV (use 25 597 07-S)"],
      ["4", "2", "M-0645020-S", ". . Screw, hex flange M6 x 1.0 x 20"],
    ];
    expect(read([50, 100, 150, 260], rows)).toEqual([
      {
        partNumber: "24 853 25-S",
        reference: "1",
        quantity: 1,
        description: "Kit, carburetor w/gaskets (Includes 2-5)",
      },
      { partNumber: "24 041 37-S", reference: "2", quantity: 1, description: "Gasket, air cleaner base" },
      {
        partNumber: "25 357 14-S",
        reference: "3",
        quantity: undefined,
        description: "Sealant, RTV (use 25 597 07-S)",
        replacedBy: "25 597 07-S",
      },
      expect.objectContaining({ partNumber: "25 597 07-S" }),
      { partNumber: "M-0645020-S", reference: "4", quantity: 2, description: "Screw, hex flange M6 x 1.0 x 20" },
    ]);
  });
});

it("a table of counts is no list of parts", () => {
  const rows = [
    ["Vocational education", "79 935", "55"],
    ["Labour market training", "51 955", "52"],
    ["Open polytechnics education", "13 560", "66"],
    ["Total", "2 246 496", "66"],
  ];
  expect(read([50, 300, 420], rows)).toEqual([]);
  expect(
    read(
      [50, 300, 420],
      rows.map(([name, count, share]) => [name!, count!.replaceAll(" ", ""), share!]),
    ),
  ).toEqual([]);
});
