import { describe, expect, it } from "@jest/globals";
import { assemble } from "../src/assemble.ts";
import { modelsInHeader } from "../src/parts/model-columns.ts";
import { readPage } from "../src/read-page.ts";
import { lines, page, tablePage } from "./reading.support.ts";

const XS = [50, 100, 200, 380, 460, 540];
const HEAD = ["Ref", "Part No.", "Description", "TK-100", "TK-200"];
const read = (rows: readonly (readonly string[])[], more: Parameters<typeof tablePage>[2] = {}) => {
  const { content, tables } = tablePage(rows, XS, more);
  return readPage(content, tables);
};
/** For each part, what is said of each model. */
const said = (rows: readonly (readonly string[])[]) =>
  Object.fromEntries(
    read(rows).parts.map(({ partNumber, quantities }) => [
      partNumber,
      quantities && Object.fromEntries(quantities.map(({ model, quantity }) => [model, quantity])),
    ]),
  );

describe("models that head a column", () => {
  it.each([
    ["TK-100", ["TK-100"]],
    ["Qty TK-100", ["TK-100"]],
    ["TK-100 Qty.", ["TK-100"]],
    ["No. Req'd for TK-100", ["TK-100"]],
    ["Model TK-100", ["TK-100"]],
    ["GT 2254", ["GT 2254"]],
    ["TK-100, TK-150", ["TK-100", "TK-150"]],
    ["TK-100\nTK-150", ["TK-100", "TK-150"]],
    ["TK-100 and TK-150", ["TK-100", "TK-150"]],
    ["TK-100/TK-150", ["TK-100", "TK-150"]],
    ["TK-100/150", ["TK-100", "TK-150"]],
    ["HRX217VKA & HRX217HYA", ["HRX217VKA", "HRX217HYA"]],
    ["FR651V-AS00", ["FR651V-AS00"]],
    ["2254", ["2254"]],
    ["Qty", []],
    ["Part No.", []],
    ["2018", []],
    ["Thread M10", []],
    ["See TK-100", []],
    ["LH", []],
    ["", []],
    ["Standard TK-100 with canopy", []],
  ])("%j", (header, models) => expect(modelsInHeader(header)).toEqual(models));
});

describe("a column of numbers for each model, which no header calls numbers", () => {
  it("says which model has which number", () => {
    const rows = [
      ["Ref", "Description", "ST524", "ST624"],
      ["1", "Auger, left", "02703423", "52276842"],
      ["2", "Shear pin", "57563212", "57563212"],
      ["3", "Chute", "-", "08924402"],
    ];
    expect(said(rows)).toEqual({
      "02703423": { ST524: undefined, ST624: 0 },
      "52276842": { ST524: 0, ST624: undefined },
      "57563212": { ST524: undefined, ST624: undefined },
      "08924402": { ST524: 0, ST624: undefined },
    });
  });

  it("is known without a header by the numbers that models share", () => {
    const rows = [
      ["1", "Auger, left", "275-4377", "332-4359"],
      ["2", "Shear pin", "937-4440", "937-4440"],
      ["3", "Chute", "944-5814", "944-5814"],
      ["4", "Bearing", "372-4362", "239-5858"],
    ];
    expect(read(rows, { headerRows: 0 }).parts.map(({ partNumber }) => partNumber)).toEqual([
      "275-4377",
      "332-4359",
      "937-4440",
      "944-5814",
      "372-4362",
      "239-5858",
    ]);
  });
});

describe("numbers that are printed in pieces", () => {
  it("are read as one", () => {
    const rows = [
      ["Ref.", "Prefix", "Basic", "Suffix", "Description", "Qty"],
      ["1", "C5NN", "7563", "A", "Clutch disc", "1"],
      ["2", "", "87015", "", "Bearing", "2"],
    ];
    expect(read(rows).parts).toMatchObject([
      { partNumber: "C5NN-7563-A", description: "Clutch disc", quantity: 1 },
      { partNumber: "87015", description: "Bearing", quantity: 2 },
    ]);
  });
});

describe("a column of numbers for each size", () => {
  it("reads the first row below the sizes, and takes neither sizes nor numbers for models", () => {
    const rows = [
      ["Item", "Qty", "Description", "Part Numbers", "", ""],
      ["", "", "", "3", "20", "200"],
      ["1", "1", "Adjusting Nut", "A-58211", "A-58238", "A-16346"],
      ["2", "2", "Spring", "A-58255", "A-58255", "A-13732"],
    ];
    expect(
      read(rows).parts.map(({ partNumber, description, quantity }) => [partNumber, description, quantity]),
    ).toEqual([
      ["A-58211", "Adjusting Nut", 1],
      ["A-58238", "Adjusting Nut", 1],
      ["A-16346", "Adjusting Nut", 1],
      ["A-58255", "Spring", 2],
      ["A-13732", "Spring", 2],
    ]);
    expect(read(rows).models).toEqual([]);
  });
});

describe("a column of quantities for each model", () => {
  it("says how many each has, and on which a part is not", () => {
    const rows = [
      HEAD,
      ["1", "TR10001", "Plate", "1", "-"],
      ["2", "TR10002", "Guard", "\u2013", "1"],
      ["3", "TR10003", "Bolt", "1", "2"],
      ["4", "TR10004", "Nut", "", "4"],
      ["5", "TR10005", "Sealant", "AR", "0"],
    ];
    expect(said(rows)).toEqual({
      TR10001: { "TK-100": 1, "TK-200": 0 },
      TR10002: { "TK-100": 0, "TK-200": 1 },
      TR10003: { "TK-100": 1, "TK-200": 2 },
      TR10004: { "TK-100": 0, "TK-200": 4 },
      TR10005: { "TK-100": undefined, "TK-200": 0 },
    });
    expect(read(rows).parts.map(({ quantity }) => quantity)).toEqual([1, 1, undefined, 4, undefined]);
    expect(read(rows).parts.map(({ reference, description }) => [reference, description])[2]).toEqual(["3", "Bolt"]);
    expect(read(rows).models).toEqual(["TK-100", "TK-200"]);
  });

  it("is of all models that one header names", () => {
    expect(
      said([
        ["Ref", "Part No.", "Description", "TK-100, TK-150", "TK-200"],
        ["1", "TR10001", "Plate", "2", "3"],
        ["2", "TR10002", "Guard", "-", "1"],
      ]),
    ).toEqual({
      TR10001: { "TK-100": 2, "TK-150": 2, "TK-200": 3 },
      TR10002: { "TK-100": 0, "TK-150": 0, "TK-200": 1 },
    });
  });

  it("is found below a heading over the models", () => {
    const rows = [
      ["Ref", "Part No.", "Description", "Quantity", ""],
      ["", "", "", "TK-100", "TK-200"],
      ["1", "TR10001", "Plate", "2", "-"],
      ["2", "TR10002", "Guard", "1", "1"],
    ];
    expect(said(rows)).toEqual({ TR10001: { "TK-100": 2, "TK-200": 0 }, TR10002: { "TK-100": 1, "TK-200": 1 } });
  });

  it("of marks says on which models a part is, and a quantity beside them how many there are", () => {
    const rows = [
      ["Ref", "Part No.", "Description", "Qty", "TK-100", "TK-200"],
      ["1", "TR10001", "Plate", "2", "X", ""],
      ["2", "TR10002", "Guard", "1", "X", "X"],
      ["3", "TR10003", "Nut", "AR", "", "\u2022"],
    ];
    expect(said(rows)).toEqual({
      TR10001: { "TK-100": 2, "TK-200": 0 },
      TR10002: { "TK-100": 1, "TK-200": 1 },
      TR10003: { "TK-100": 0, "TK-200": undefined },
    });
  });

  it("that a row leaves empty for every model says nothing", () => {
    expect(
      said([HEAD, ["1", "TR10001", "Plate", "1", "2"], ["2", "TR10002", "Guard", "", ""]]).TR10002,
    ).toBeUndefined();
  });

  it("goes on on the next page", () => {
    const first = read([HEAD, ["1", "TR10001", "Plate", "1", "-"], ["2", "TR10002", "Guard", "2", "1"]]);
    const second = read(
      [
        ["3", "TR10003", "Bolt", "-", "7"],
        ["4", "TR10004", "Nut", "3", "7"],
      ],
      { number: 2, headerRows: 0 },
    );
    const { pages, manual } = assemble([first, second], { sha256: "ab", filename: "tk.pdf" });
    expect(pages[1]!.parts.map(({ quantities }) => quantities?.map(({ quantity }) => quantity))).toEqual([
      [0, 7],
      [3, 7],
    ]);
    expect(manual.equipment).toEqual(["TK-100", "TK-200"]);
  });

  it("says which model a sentence's number is for", () => {
    const list = read([HEAD, ["1", "TR10001", "Plate", "1", "-"], ["2", "TR10002", "Guard", "2", "1"]]);
    const sentences = ["If it shears, use part number TR10001.", "The guard is part number TR10002."];
    const { pages } = assemble([list, readPage(page(lines(sentences), { number: 2 }), [])], {
      sha256: "ab",
      filename: "tk.pdf",
    });
    const models = pages[1]!.parts.map(({ partNumber, quantities }) => [
      partNumber,
      quantities?.map(({ model }) => model),
    ]);
    expect(models).toEqual([
      ["TR10001", ["TK-100"]],
      ["TR10002", ["TK-100", "TK-200"]],
    ]);
  });

  it("whose heading is unknown is no quantity where there are several", () => {
    expect(
      read([
        ["Ref", "Part No.", "Description", "Deluxe", "Basic"],
        ["1", "TR10001", "Plate", "1", "-"],
        ["2", "TR10002", "Guard", "2", "1"],
      ]).parts.map(({ quantity }) => quantity),
    ).toEqual([undefined, undefined]);
  });
});
