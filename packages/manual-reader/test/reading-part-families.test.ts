import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { readPage } from "../src/read-page.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { FAMILIES, LED_FAMILIES } from "../src/parts/families.ts";
import { COLUMNS, lines, page, tablePage } from "./reading.support.ts";

const readParts = (...rows: string[]) => readPage(page(lines(rows)), []).parts;
const readNumbers = (...rows: string[]): string[] => readParts(...rows).map(({ partNumber }) => partNumber);

/** A number of each family, with the vendor that it hints at; none where several number so. */
const NUMBERS: readonly (readonly [family: string, number: string, vendor: string | undefined])[] = [
  ["ct-sku", "CT-HON-16100-Z0Y-813", "HON"],
  ["5-3-3", "16100-Z0Y-813", "HON"],
  ["5-3-3", "17210-ZE1-820ZA", "HON"],
  ["2-3-2-s", "24 050 13-S", "KOH"],
  ["2-3-2-s", "25 050 22", "KOH"],
  ["2-3-2-s", "12-050-01-S", "KOH"],
  ["3-4-letter", "312-065D", "LAN"],
  ["5-4", "11013-7047", "KAW"],
  ["dot", "47.0123", undefined],
  ["dot", "53.A124", undefined],
  ["ber", "BER12345", "BNS"],
  ["f350", "F350123", "BNS"],
  ["790-614-713", "790845", "BNS"],
  ["790-614-713", "614202", "BNS"],
  ["790-614-713", "713118", "BNS"],
  ["six-digits", "691035", undefined],
  ["six-digits", "593433S", undefined],
  ["letters-digits", "AG123456", "AGC"],
  ["letters-digits", "K7012345", "KUH"],
  ["letters-digits", "AM125424", undefined],
  ["letters-digits", "G1234", undefined],
  ["8-to-10-digits", "84123456", undefined],
  ["8-to-10-digits", "532160793", undefined],
];

describe("part-number families", () => {
  it("are at least thirteen, each with a name of its own", () => {
    const names = [...FAMILIES.map(({ name }) => name), ...LED_FAMILIES];
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(13);
  });

  it.each(NUMBERS)("%s: %s in a column of part numbers", (family, number, vendor) => {
    const rows = [
      ["Ref. No.", "Part No.", "Description", "Qty."],
      ["1", "691140", "Gasket", "2"],
      ["2", number, "Screw, hex", "4"],
    ];
    const { content, tables } = tablePage(rows, COLUMNS);
    const found = readPage(content, tables).parts.find(({ reference }) => reference === "2");
    expect(found).toMatchObject({
      pattern: family,
      partNumber: number.replace(/^CT-[A-Z]{3}-/, ""),
      quantity: 4,
      description: "Screw, hex",
    });
    expect(found!.vendor).toBe(vendor);
    expect(found!.confidence).toBeGreaterThan(0.9);
    // The same list where nobody saw a table.
    expect(readPage(content, []).parts.find(({ reference }) => reference === "2")).toMatchObject({
      pattern: family,
      quantity: 4,
      description: "Screw, hex",
    });
  });

  it.each(NUMBERS)("%s: %s replaced by another, and replacing one", (_family, number) => {
    const plain = number.replace(/^CT-[A-Z]{3}-/, "");
    expect(readParts(`${number} replaced by 842873.`)).toMatchObject([
      { partNumber: plain, replacedBy: "842873" },
      { partNumber: "842873" },
    ]);
    expect(readNumbers(`842873 superseded by ${number}`)).toContain(plain);
  });

  it("take what no family knows where a label or a column says so", () => {
    expect(readParts("Order part no. 93-7045 from your dealer.")).toMatchObject([
      { partNumber: "93-7045", pattern: "label" },
    ]);
    expect(readNumbers("SST (2) 09951-76019-71 (bearing)")).toEqual(["09951-76019-71"]);
    expect(readParts("P/N: 532 16 07-93")).toMatchObject([{ partNumber: "532 16 07-93" }]);
    expect(readNumbers("Order 93-7045 and 94-001 from your dealer.")).toEqual([]);
  });

  it("take every number of a labelled list", () => {
    expect(readNumbers("Use part nos. 93-7045, 691036 and 16100-Z0Y-813 only.")).toEqual([
      "93-7045",
      "691036",
      "16100-Z0Y-813",
    ]);
  });

  it("read a number that a line's end divides", () => {
    expect(readNumbers("Fit a new carburetor, part number 16100-", "Z0Y-813, and adjust it.")).toEqual([
      "16100-Z0Y-813",
    ]);
    expect(readNumbers("The label and the number may be apart: Part No.", "691035 is a filter.")).toEqual(["691035"]);
  });

  it("are surer of a number the more speaks for it", () => {
    const [inPassing] = readParts("the fuel filter 691035 is old");
    const [labelled] = readParts("the fuel filter P/N 691035 is old");
    expect(inPassing!.confidence).toBeLessThan(labelled!.confidence);
    expect(readNumbers("a count of 691035 was seen")).toEqual([]);
  });

  it("hint at the page's maker unless a number is one vendor's own", () => {
    const { parts } = readPage(page(lines(["Ventrac 4520N Parts Manual", "P/N 691035", "P/N 24 050 13-S"])), []);
    expect(parts).toMatchObject([{ vendor: "VNT" }, { vendor: "KOH" }]);
  });
});

describe("what is no part", () => {
  const sentences = parse(readFileSync(new URL("no-parts.yaml", import.meta.url), "utf8")) as string[];
  it.each(sentences)("%s", (sentence) => {
    expect(readNumbers(sentence)).toEqual([]);
  });

  it("is a number under a header of something else", () => {
    for (const header of ["Serial No.", "Torque", "Price", "Date", "Phone", "Model No."]) {
      const { content, tables } = tablePage(
        [
          ["Name", header],
          ["Deck", "691035"],
          ["Engine", "842873"],
          ["Axle", "790123"],
        ],
        [50, 200],
      );
      expect(readPage(content, tables).parts).toEqual([]);
      expect(readPage(content, findTables(content)).parts).toEqual([]);
    }
  });

  it("is a model that the page names", () => {
    expect(readNumbers("Model: LT12345", "The LT12345 is driven by a belt.", "Belt P/N 691035")).toEqual(["691035"]);
  });

  it("is a number of a drawing's own", () => {
    expect(readNumbers("M123456 -UN-12JAN98")).toEqual([]);
  });
});
