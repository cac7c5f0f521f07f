import { describe, expect, it, test } from "@jest/globals";
import { contentsOf, writtenPdf } from "../../../test/support/pdf.ts";
import { assemble } from "../src/assemble.ts";
import type { PageFindings } from "../src/findings.ts";
import type { Box, PageContent, TextBox } from "../src/page.ts";
import { readPage } from "../src/read-page.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { cells, COLUMNS, lines, page, table, tablePage, text } from "./reading.support.ts";

const read = (content: PageContent): PageFindings => readPage(content, findTables(content));
const put = (...contents: PageContent[]) =>
  assemble(
    contents.map((content, index) => read({ ...content, number: index + 1 })),
    { sha256: "ab", filename: "a.pdf" },
  );
const partsIn = (...contents: PageContent[]) => put(...contents).pages.flatMap(({ parts }) => parts);
const numbersIn = (...contents: PageContent[]): string[] => partsIn(...contents).map(({ partNumber }) => partNumber);
const across = (x: number, y: number, width: number): Box => ({ x, y, width, height: 0 });
const down = (x: number, y: number, height: number): Box => ({ x, y, width: 0, height });

describe("headers of lists of parts", () => {
  it("a word alone gives way to a header that says number", () => {
    const rows = [
      ["Artikel", "Beschreibung", "Artikel-Nr."],
      ["LX02-08", "Schmierfett (8 g)", "0150-1953"],
      ["LX02-50", "Schmierfett (50 g)", "0150-1954"],
    ];
    const { content, tables } = tablePage(rows, [50, 150, 400]);
    expect(readPage(content, tables).parts).toMatchObject([
      { partNumber: "0150-1953", description: "Schmierfett (8 g)" },
      { partNumber: "0150-1954", description: "Schmierfett (50 g)" },
    ]);
  });
});

describe("rules around a list", () => {
  const rows = [
    ["1", "6A1-14180-02", "FLOAT CHAMBER", "1", "1"],
    ["2", "6A1-14182-01", "COVER, FLOAT", "2", "2"],
    ["3", "6A1-14386-00", "PIN, FLOAT", "4", "4"],
  ];
  const xs = [80, 110, 220, 400, 430, 460];
  const ys = [100, 130, 150, 170, 190];
  const grid = [
    ...ys.map((y) => across(80, y, 380)),
    ...xs.map((x) => down(x, 100, 90)),
    // A box for the number of the sheet, which the list's lines meet.
    across(50, 100, 30),
    across(50, 200, 410),
    down(50, 100, 100),
    down(460, 190, 10),
  ];
  const turned = (words: string, x: number): TextBox => ({ ...text(words, x, 108), width: 10, height: 18, angle: 270 });
  const body = [
    ...cells([["REF.", "PART NO.", "DESCRIPTION"]], [85, 115, 225], { y: 110 }),
    ...cells(rows, [85, 115, 225, 405, 435], { y: 134, step: 20 }),
  ];

  it("a header does not flow into the cells below it, though a margin joins them", () => {
    expect(partsIn(page([...body, text("C5", 55, 192)], { lines: grid }))).toMatchObject([
      { partNumber: "6A1-14180-02", reference: "1", description: "FLOAT CHAMBER", quantity: 1 },
      { partNumber: "6A1-14182-01", reference: "2", description: "COVER, FLOAT", quantity: 2 },
      { partNumber: "6A1-14386-00", reference: "3", description: "PIN, FLOAT", quantity: 4 },
    ]);
  });

  it("codes that are spelled alike over columns of counts are models", () => {
    const [part] = partsIn(page([...body, turned("6AV7", 408), turned("6AW7", 438)], { lines: grid }));
    expect(part).toMatchObject({
      quantity: 1,
      quantities: [
        { model: "6AV7", quantity: 1 },
        { model: "6AW7", quantity: 1 },
      ],
    });
  });

  it("columns of header and body that do not meet are one", () => {
    const header = cells([["Nº Peça", "Descrição", "Qtd"]], [60, 160, 320], { y: 103 });
    const list = cells(
      [
        ["102", "Carcaça", "1"],
        ["163.1", "Tampa Frontal", "2"],
        ["87-2.1", "Engrenagem", "1"],
      ],
      [64, 168, 330],
      { y: 123, step: 20 },
    );
    const inner = [62, 165, 328].map((x) => down(x, 120, 60));
    const frame = [50, 150, 310, 400].map((x) => down(x, 100, 20));
    const sides = [50, 400].map((x) => down(x, 120, 60));
    const content = page([...header, ...list], {
      lines: [...[100, 120, 140, 160, 180].map((y) => across(50, y, 350)), ...inner, ...frame, ...sides],
    });
    expect(partsIn(content)).toMatchObject([
      { partNumber: "102", description: "Carcaça", quantity: 1 },
      { partNumber: "163.1", description: "Tampa Frontal", quantity: 2 },
      { partNumber: "87-2.1", description: "Engrenagem", quantity: 1 },
    ]);
  });
});

describe("columns of a list", () => {
  it("two of numbers, by model: each number is on its own", () => {
    const rows = [
      ["REF.", "ACME PART NO.", "", "DESCRIPTION", "QTY."],
      ["", "S25 SERIES", "S40 SERIES", "", ""],
      ["1", "320201", "320222", "Shaft with shield", "1"],
      ["2", "320206", "320206", "Push pin set", "2"],
    ];
    const { content, tables } = tablePage(rows, [50, 100, 180, 260, 450], { headerRows: 2 });
    const on = (first: number, second: number) => [
      { model: "S25", quantity: first },
      { model: "S40", quantity: second },
    ];
    expect(readPage(content, tables).parts).toMatchObject([
      { partNumber: "320201", quantities: on(1, 0), description: "Shaft with shield" },
      { partNumber: "320222", quantities: on(0, 1), description: "Shaft with shield" },
      { partNumber: "320206", quantities: on(2, 2), description: "Push pin set" },
    ]);
  });

  describe("of counts under marks", () => {
    const rows = [
      ["Ref.", "Lev.", "Part No.", "Description", "Q'ty", "", "", "R"],
      ["", "", "", "", "(A)", "(B)", "(C)", ""],
      ["1", "3", "4410-1010", "Head", "1", "1", "", ""],
      ["2", "1", "4410-1011", "Valve", "2", "2", "4", ""],
      ["", "", "(A=*1999.06)", "(B=E/#03401)", "", "", "", ""],
      ["", "", "1ST) (B=FROM 1ST)", "", "", "", "", ""],
      ["3", "2", "4410-1012", "Pin", "", "", "3", "R"],
    ];
    const readWith = (...legend: string[]) => {
      const beside = lines(legend, { y: 40 });
      const { content, tables } = tablePage(rows, [50, 80, 110, 220, 400, 430, 460, 490], { headerRows: 2, beside });
      return readPage(content, tables).parts.map(({ partNumber, quantity, quantities }) => [
        partNumber,
        quantity,
        quantities?.map((each) => `${each.quantity} ${each.model}`).join(),
      ]);
    };

    it("the page says of which models they are", () =>
      expect(readWith("(A)=TK20-W (C)=TK20F-W", "(B)=TK20C-W (D)=")).toEqual([
        ["4410-1010", 1, "1 TK20-W,1 TK20C-W,0 TK20F-W"],
        ["4410-1011", undefined, "2 TK20-W,2 TK20C-W,4 TK20F-W"],
        ["4410-1012", 3, "0 TK20-W,0 TK20C-W,3 TK20F-W"],
      ]));

    it.each([[[]], [["(A)=TK20-W", "(A)=TK30-W"]]])("of no models if the page says %j", (legend) =>
      expect(readWith(...legend)).toEqual([
        ["4410-1010", 1, undefined],
        ["4410-1011", undefined, undefined],
        ["4410-1012", 3, undefined],
      ]),
    );
  });

  it("have their header below them in a list that reads upwards", () => {
    const rows = [
      ["4", "No SKU", "Label", "1"],
      ["3", "D410-6", "Cover", "2"],
      ["2", "D410-5", "Panel", "3"],
      ["1", "D410-4", "Base", "1"],
      ["ITEM", "PART NUMBER", "PART DESCRIPTION", "QTY."],
      ["DRAWN", "J. Doe", "1 JAN 2025", "SHEET 1"],
    ];
    const { content, tables } = tablePage(rows, COLUMNS, { headerRows: 0 });
    expect(readPage(content, tables).parts).toMatchObject([
      { partNumber: "D410-6", reference: "3", description: "Cover", quantity: 2 },
      { partNumber: "D410-5", reference: "2", description: "Panel", quantity: 3 },
      { partNumber: "D410-4", reference: "1", description: "Base", quantity: 1 },
    ]);
  });

  it("of a maker's codes, with one name for several rows", () => {
    const rows = [
      ["Item", "Description", "XYZ code", "A1", "B1"],
      ["7", "Main board", "5E.17N01.001", "V", ""],
      ["", "", "5E.17N01.011", "", "V"],
      ["", "Main board (analog)", "5E.17N01.002", "", "V"],
    ];
    const { content, tables } = tablePage(rows, [50, 100, 250, 400, 430]);
    expect(readPage(content, tables).parts).toMatchObject([
      { partNumber: "5E.17N01.001", reference: "7", description: "Main board" },
      { partNumber: "5E.17N01.011", reference: "7", description: "Main board" },
      { partNumber: "5E.17N01.002", description: "Main board (analog)" },
    ]);
  });

  it("one that bullets or an indent part stays one, and a row without number names those below it", () => {
    const rows = [
      ["Item", "Component", "", "Spare part number"],
      ["(7)", "USB", "board (with cable)", "749649-001"],
      ["(8)", "Hard drive, SATA (without bracket):", "", ""],
      ["", "\u25cf", "1-TB, 5400-rpm", "676521-001"],
      ["", "\u25cf", "Hard drive bracket", "749648-001"],
    ];
    const { content, tables } = tablePage(rows, [50, 100, 120, 400]);
    expect(readPage(content, tables).parts).toMatchObject([
      { partNumber: "749649-001", reference: "7", description: "USB board (with cable)" },
      { partNumber: "676521-001", reference: "8", description: "Hard drive, SATA 1-TB, 5400-rpm" },
      { partNumber: "749648-001", reference: "8", description: "Hard drive bracket" },
    ]);
  });

  it("a bullet is no column", () => {
    const rows = ["first thing to do", "second thing to do", "third thing to do"];
    const bullets = rows.flatMap((words, n) => [text("\u2022", 50, 100 + n * 15), text(words, 62, 100 + n * 15)]);
    expect(findTables(page(bullets))).toEqual([]);
  });

  it("a code behind a maker's name is the number", () => {
    const rows = [
      ["Tool", "Part number"],
      ["Hex wrench set", "Acme AWS-1"],
      ["Crank wrench", "Acme CCW-14R"],
    ];
    const { content, tables } = tablePage(rows, [50, 250]);
    expect(readPage(content, tables).parts.map(({ partNumber }) => partNumber)).toEqual(["AWS-1", "CCW-14R"]);
  });
});

describe("a list of parts", () => {
  const list = cells(
    [
      ["Tool", "Part number"],
      ["Hex wrench", "AWS-001"],
      ["Chain checker", "BTC-002"],
    ],
    [50, 300],
    { y: 700 },
  );

  it("does not go on in a table of measures on the next page", () => {
    const measures = cells(
      [
        ["Component", "Specification"],
        ["Stack height", "33 mm (1.30 in.)"],
        ["Travel", "165 mm"],
        ["Chainring", "38 T"],
      ],
      [50, 300],
    );
    expect(numbersIn(page(list), page(measures))).toEqual(["AWS-001", "BTC-002"]);
  });

  it("is read from its lines where its cells make none", () => {
    const rows = ["68V-14180-02", "68V-14182-01", "68V-13769-00", "68V-14985-00", "68V-14386-00"];
    const content = page(rows.map((number, n) => text(`${n + 1} ${number} FLOAT CHAMBER  2  2`, 50, 100 + n * 16)));
    const around: Box = { x: 40, y: 90, width: 400, height: 100 };
    const one = { ...around, index: 1, rows: [["Text of all"], [""]], headerRows: 0, boxes: [[around], [null]] };
    for (const tables of [[], [one]])
      expect(readPage(content, tables).parts).toMatchObject(
        rows.map((partNumber, n) => ({
          partNumber,
          reference: String(n + 1),
          description: "FLOAT CHAMBER",
          quantity: 2,
        })),
      );
  });

  it("has the second line of a name, which stands under the first, between two rows", () => {
    const rows = [68, 69, 70, 71, 72].flatMap((n) => [
      text(`${n - 67} 68V-141${n}-02 ANELLO 2`, 50, n * 40),
      text("RING", 50 + 5 * "1 68V-14168-02 ".length, n * 40 + 13),
    ]);
    const names = partsIn(page(rows, { height: 4_000 })).map(({ description }) => description);
    expect(names).toEqual(["ANELLO RING", "ANELLO RING", "ANELLO RING", "ANELLO RING", "ANELLO"]);
  });

  it("has the first line of a name that stands above its number, nearer than the row before", () => {
    const head = ["Ref", "Part No.", "Description", "Qty"];
    const rows = [
      [head, 100],
      [["1", "PRT-10811", "Mosfet", "1"], 127],
      [["", "", "Ribbon connector", ""], 146],
      [["2", "PRT-10651", "with 6 pins", "4"], 154],
      [["3", "PRT-10646", "Cable", "1"], 181],
    ] as const;
    const texts = rows.flatMap(([row, y]) => cells([row], COLUMNS, { y }));
    expect(partsIn(page(texts)).map(({ description }) => description)).toEqual([
      "Mosfet",
      "Ribbon connector with 6 pins",
      "Cable",
    ]);
  });

  it("of a scan whose lines rise has each row once", () => {
    const rows = ["TB003B", "SS1601", "EC0032", "CO0062"].flatMap((number, n) => [
      text(number, 50, 130 + n * 20),
      ...cells([[`Part ${number}`, "1.00000"]], [220, 450], { y: 134 + n * 20 }),
    ]);
    expect(partsIn(page([...cells([["Part No.", "Description", "Quantity"]], [50, 220, 450]), ...rows]))).toMatchObject(
      ["TB003B", "SS1601", "EC0032", "CO0062"].map((partNumber) => ({ partNumber, quantity: 1 })),
    );
  });

  it("has numbers that a spreadsheet grouped, and no volts or threads for numbers", () => {
    const rows = ["650,001,488", "650,001,502", "25V", "M4xDxL", "1587515 - 62"];
    const list = rows.map((number, n) => [String(n + 1), number, `Part of sort ${"abcde"[n]}`, "1"]);
    expect(numbersIn(page(cells([["Ref", "Part No.", "Description", "Qty"], ...list], COLUMNS)))).toEqual([
      ...["650001488", "650001502", "1587515-62"],
    ]);
  });

  it("goes on in the table below it on the page, whose columns stand under its own", () => {
    const head = ["Item", "Component", "Spare part number"];
    const rows = [
      ["(2)", "Keyboard", "698694-xx1"],
      ["", "Frame, black", "688281-001"],
      ["", "Frame, silver", "685086-001"],
    ];
    const lists = [
      table([head, ["(1)", "Display", "698693-001"]], [50, 100, 400]),
      table(rows, [50, 100, 400], { y: 160 }),
    ];
    const texts = [
      ...cells([head, ["(1)", "Display", "698693-001"]], [50, 100, 400]),
      ...cells(rows, [50, 100, 400], { y: 160 }),
    ];
    const numbers = (y: number) =>
      readPage(page(texts), [lists[0]!, { ...lists[1]!, y, headerRows: 0 }]).parts.map(({ partNumber }) => partNumber);
    expect(numbers(160)).toEqual(["698693-001", "698694-xx1", "688281-001", "685086-001"]);
    expect(numbers(400)).toEqual(["698693-001"]);
  });

  it("of three columns in one box has a row for each of its lines", () => {
    const rows = Array.from({ length: 6 }, (_, n) => [String(100_001 + n), `SCREW M${n + 2}`, `M${n + 2} screw`]);
    const texts = cells([["No", "Piece", "Description"], ...rows], [55, 120, 300], { y: 72, step: 15 });
    const lines = [
      ...[50, 115, 295, 460].map((x) => down(x, 70, 110)),
      ...[70, 84, 180].map((y) => across(50, y, 410)),
    ];
    expect(numbersIn(page(texts, { lines }))).toEqual(rows.map(([number]) => number));
  });

  it("is none of wagons, and positions of a circuit are no numbers", () => {
    const wagons = Array.from({ length: 5 }, (_, n) => [String(n + 1), `37 80 3997 00${n}-9`, `Umbau 200${n}`]);
    expect(numbersIn(page(cells([["Lfd. Nr.", "Wagennummer", "Bemerkungen"], ...wagons], [50, 120, 300])))).toEqual([]);
    const diodes = [1, 4, 7, 10].map((n) => [`VD${n}-VD${n + 2}`, "Diode", "3"]);
    expect(numbersIn(page(cells(diodes, [50, 150, 300])))).toEqual([]);
  });

  it("is read without headers if its numbers are spelled alike, and counted", () => {
    const rows = ["Shaft", "Bearing 688", "Collet", "Clip", "Cable"].map((name, n) => [
      String(1_202 + n * 3),
      name,
      "2",
    ]);
    expect(partsIn(page(cells(rows, [50, 100, 300])))).toMatchObject(
      rows.map(([partNumber, description]) => ({ partNumber, description, quantity: 2 })),
    );
    expect(
      numbersIn(
        page(
          cells(
            rows.map(([, ...row], n) => [String(2_002 + n), ...row]),
            [50, 100, 300],
          ),
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    [
      ["Code", "Description", "Remedy"],
      ["E1012", "Motor overload", "Check the belt"],
      ["F2001", "Heat", "Clean filter"],
    ],
    [
      ["Step", "Trouble code", "Description"],
      ["1", "P0301", "Misfire"],
      ["2", "P0302", "Misfire"],
    ],
    [
      ["Part", "Value", "Device"],
      ["R123", "10k", "Resistor"],
      ["C103", "100n", "Capacitor"],
    ],
  ])("is no table of faults, and none of the parts of a circuit", (...rows) => {
    expect(numbersIn(page(cells(rows, [50, 150, 350])))).toEqual([]);
  });

  it("has the line above it for its header if that names its columns, and codes of several words are whole", () => {
    const rows = [
      ["AC 8-16 DIP", "Controller", "1", "2,15"],
      ["1N 4004", "Gleichrichterdiode", "4", "0,02"],
      ["BUZ 11", "Transistor", "5", "0,59"],
      ["74HC 574", "Bustreiber", "2", "0,27"],
      ["RAD 105 220/16", "Elko", "1", "0,08"],
    ];
    const columns = [50, 150, 400, 450];
    const under = (header: string[]) =>
      readPage(
        page([
          ...cells([header], columns, { y: 60 }),
          ...lines(["incl. MwSt."], { x: 440, y: 72 }),
          ...cells(rows, columns),
        ]),
        [table(rows, columns, { headerRows: 0 })],
      ).parts.map(({ partNumber, description, quantity }) => [partNumber, description, quantity]);
    expect(under(["Artikel-Nr.", "Bezeichnung", "Menge", "Preis"])).toEqual(
      rows.map(([number, name, quantity]) => [number, name, Number(quantity)]),
    );
    expect(under(["Warenkorb", "Bestellung", "Seite 1", ""])).toEqual([]);
  });

  it("has short codes among those of its number column, each in a row below the header's gap", () => {
    const rows = [
      ["P 1CW", "Pump Body (Clockwise)"],
      ["P 1CCW", "Pump Body (Counterclockwise)"],
      ["P 6", "Spring"],
      ["PA 5", "Driven Gear"],
      ["P 12", "Gasket"],
    ];
    const content = page([
      ...cells([["Part #", "Description"]], [50, 150], { y: 80 }),
      ...cells(rows, [50, 150], { step: 12 }),
    ]);
    expect(partsIn(content).map(({ partNumber, description }) => [partNumber, description])).toEqual(rows);
  });

  it("has numbers with an asterisk in them, which marks a footnote at their ends alone", () => {
    const rows = [
      ["Part No.", "Description", "Qty"],
      ["2.2-22*40-10", "Seal", "2"],
      ["614071*", "Belt", "1"],
    ];
    expect(numbersIn(page(cells(rows, [50, 150, 400])))).toEqual(["2.2-22*40-10", "614071"]);
  });

  it("of accessories has the numbers that are spelled as those of the manual's lists", () => {
    const list = [
      ["Part No.", "Description", "Qty"],
      ...["07520-04", "07520-03", "77500-25", "07553-06", "07553-09"].map((number) => [number, "Gear", "1"]),
    ];
    const accessories = [
      ["1.", "Footswitch", "77595-35"],
      ["2.", "Handheld Remote Controller", "07528-80"],
      ["3.", "Tilt Bail", "07523-98"],
    ];
    const parts = partsIn(page(cells(list, [50, 150, 400])), page(cells(accessories, [50, 80, 400])));
    expect(parts.slice(5).map(({ partNumber, description }) => [partNumber, description])).toEqual(
      accessories.map(([, name, number]) => [number, name]),
    );
  });

  it("of entries in several lines has the position, name and pieces above a labelled number", () => {
    const parts = partsIn(
      page([
        ...lines([
          "12 - Flange Nut",
          "Part number : 14M7296",
          "Remarks : M10",
          "13 - Ball Bearing",
          "Part number : JD10018",
        ]),
        text("4", 400, 60),
      ]),
    );
    expect(parts).toEqual([
      expect.objectContaining({ partNumber: "14M7296", reference: "12", description: "Flange Nut", quantity: 4 }),
      expect.objectContaining({ partNumber: "JD10018", reference: "13", description: "Ball Bearing" }),
    ]);
  });

  it("has codes without digits that a line joins", () => {
    const rows = [
      ["Item", "Part Number", "Qty"],
      ["1", "FRAME_A", "2"],
      ["2", "LINK_C_F", "24"],
      ["3", "SEAT", "1"],
    ];
    const { content, tables } = tablePage(rows, [50, 100, 300]);
    expect(readPage(content, tables).parts.map(({ partNumber }) => partNumber)).toEqual(["FRAME_A", "LINK_C_F"]);
  });

  it("is no contents, whose lines end in pages", () => {
    const chapters = ["Front end", "B-pillar", "Roof", "Rear floor", "Bulkhead"];
    expect(numbersIn(page(lines(chapters.map((name, n) => `${n + 1}  ${name}  4105-${n}12`))))).toEqual([]);
  });

  it("is an example on a page that says how to read lists", () => {
    const { content } = tablePage(
      [
        ["Ref", "Part No.", "Description", "Qty"],
        ["1", "691035", "Nut", "1"],
      ],
      COLUMNS,
    );
    const headed = (headline: string) => page([text(headline, 50, 40, { fontSize: 16 }), ...content.texts]);
    expect(numbersIn(headed("How to use this catalogue"))).toEqual([]);
    expect(numbersIn(headed("CARBURETOR"))).toEqual(["691035"]);
  });
});

describe("numbers in a text", () => {
  const say = (...rows: string[]) =>
    partsIn(page(lines(rows))).map(({ partNumber, description }) => [partNumber, description]);

  it.each([
    ["Primer  Part no.: 77 01 423 933", "77 01 423 933", "Primer"],
    ["Teile-Nr. 1 687 010 107", "1 687 010 107", undefined],
    ["Part No. 211 853 601 E", "211 853 601 E", undefined],
    ["Part No: A 169 320 09 89 is new", "A 169 320 09 89", undefined],
    ["Nº de pieza: 4410-22B", "4410-22B", undefined],
    ["Filter (Best.-Nr. 4931 4149 52)", "4931 4149 52", "Filter"],
    ["Art. no 4512 0034-80, Packning", "4512 0034-80", undefined],
  ])("%s names %s", (line, number, name) => expect(say(line)).toEqual([[number, name]]));

  it("share a label", () => {
    const numbers = say("Part numbers: 302000525 and 147 1058 500");
    expect(numbers.map(([number]) => number)).toEqual(["302000525", "147 1058 500"]);
  });

  it("of a document are none", () => {
    expect(say("Document Part Number: 793336-002")).toEqual([]);
  });

  it("have their label, and their name, on the line above", () => {
    expect(say("It is necessary to fit a crimped stud Part no.", "77 01 047 926 (see Note 5).")).toEqual([
      ["77 01 047 926", "crimped stud"],
    ]);
  });

  const listed = Array.from({ length: 24 }, (_, n) => [`Name of part ${n}`, String(1_401_060_000_196 + n * 7), "1"]);
  const catalogue = page(cells([["Name", "Material No.", "Quantity"], ...listed], [50, 250, 450], { y: 60 }));
  const alone = (...rows: string[]) =>
    put(catalogue, page(lines(rows))).pages[1]!.parts.map(({ partNumber }) => partNumber);

  it("are parts without a label if they are spelled as those of the manual's lists", () => {
    expect(alone("Mounting nut", "2327000000003", "tightened")).toEqual(["2327000000003"]);
    expect(alone("Mounting nut", "232700000000377", "tightened")).toEqual([]);
    expect(alone("Feeder spring DR21104")).toEqual([]);
  });

  it("are no piece of a telephone", () => {
    const phones = Array.from({ length: 24 }, (_, n) => [`Name of part ${n}`, `555-0${100 + n}`, "1"]);
    const other = page(cells([["Name", "Part No.", "Quantity"], ...phones], [50, 250, 450], { y: 60 }));
    const { pages } = put(other, page(lines(["Call us at (800) 555-0161 today", "Spring 555-0162 is strong"])));
    expect(pages[1]!.parts.map(({ partNumber }) => partNumber)).toEqual(["555-0162"]);
  });
});

describe("drawings and headlines", () => {
  const image = { index: 1, x: 60, y: 100, width: 480, height: 640 };
  const list = [
    ["Ref", "Part No.", "Description", "Qty"],
    ["1", "691035", "Nut", "1"],
    ["2", "691036", "Bolt", "1"],
    ["3", "691037", "Pin", "2"],
  ];
  const drawn = (...more: TextBox[]) =>
    page(
      [
        text("EXPLODED VIEW", 60, 40, { fontSize: 18 }),
        ...["1", "2", "3"].map((ref, n) => text(ref, 150 + n * 90, 300 + n * 7)),
        ...more,
      ],
      {
        images: [image],
        drawnPaths: 200,
      },
    );

  it("the number of a page is no callout, though a picture is near", () => {
    const { manual } = put(drawn(text("27", 300, 765)));
    expect(manual.figures).toMatchObject([{ callouts: ["1", "2", "3"] }]);
  });

  it("a drawing is that of the list that faces it, regardless of their titles", () => {
    const facing = page([text("PARTS OF THE GEARBOX", 50, 40, { fontSize: 18 }), ...cells(list, COLUMNS)]);
    const { pages } = put(drawn(), facing);
    expect(pages[1]!.parts.map(({ figure }) => figure)).toEqual(["EXPLODED VIEW", "EXPLODED VIEW", "EXPLODED VIEW"]);
  });

  const scattered = (numbers: readonly string[], ...more: TextBox[]) =>
    page([...numbers.map((number, n) => text(number, 90 + (n % 3) * 140, 140 + n * 23)), ...more], { images: [image] });
  const alike = Array.from({ length: 14 }, (_, n) => String(43_380 + 7 * n));

  it("a drawing that has the part numbers at the parts lists them, and leads to each", () => {
    const { pages } = put(scattered([...alike, "3664"], text("EXPLODED VIEW", 60, 40, { fontSize: 18 })));
    expect(pages[0]?.parts.map(({ partNumber, reference }) => [partNumber, reference])).toEqual(
      expect.arrayContaining([...alike, "3664"].map((number) => [number, number])),
    );
    expect(pages[0]?.figures).toMatchObject([{ title: "EXPLODED VIEW", callouts: [...alike, "3664"] }]);
  });

  it("a picture has a few numbers of any spelling, if nothing else is written on it", () => {
    const codes = ["1158JBNP", "AC1101 (Kit)", "FC3-303SS", "3612JBBUC", "37333JB"];
    const numbers = codes.map((code) => code.replace(" (Kit)", ""));
    expect(numbersIn(scattered(codes)).toSorted()).toEqual(numbers.toSorted());
    const words = ["Cap", "Body", "Needle"].map((word, n) => text(word, 100, 600 + n * 20));
    expect(numbersIn(scattered(codes, ...words))).toEqual([]);
  });

  it("the measures of a drawing are no part numbers", () => {
    expect(numbersIn(scattered(alike.map((_, n) => String(1_200 + 50 * n))))).toEqual([]);
    expect(numbersIn(scattered(alike.map((_, n) => `R${100 + n}`)))).toEqual([]);
  });

  it("the models of a headline limit what the page lists", () => {
    const title = page([text("Parts manual GT-2254, GT-2260, GX-8100", 50, 40, { fontSize: 20 })]);
    const headed = page([text("STAND (GT SERIES) GT-2260", 50, 40, { fontSize: 18 }), ...cells(list, COLUMNS)]);
    const { pages } = put(title, headed);
    expect(pages[1]!.models).toEqual(["GT-2260"]);
  });
});

test("a letter that has the code of the space is one", async () => {
  const encoding = "<< /Type /Encoding /Differences [32 /h] >>";
  const pdf = writtenPdf(["BT /H 12 Tf 50 700 Td (Mec anical) Tj ET"], { encoding });
  const [content] = await contentsOf(pdf);
  expect(content?.texts.map((word) => word.text)).toEqual(["Mechanical"]);
});

describe("text that outlines draw over a text of the colour behind it", () => {
  const square = (x: number): string => `${x} 700 m ${x + 6} 702 l ${x + 3} 710 l h`;
  const texts = async (outlines: string) => {
    const [content] = await contentsOf(
      writtenPdf([`1 g 60 690 300 30 re f BT /H 12 Tf 72 700 Td (Partnummer) Tj ET 0 g ${outlines} f`]),
    );
    return content!.texts.map(({ text: words, hidden }) => [words, hidden]);
  };

  it("is visible if there is an outline for each letter", async () => {
    const letters = Array.from({ length: 10 }, (_, n) => square(72 + n * 6.6)).join(" ");
    expect(await texts(letters)).toEqual([["Partnummer", undefined]]);
  });

  it("is hidden under another drawing", async () => {
    expect(await texts(square(72))).toEqual([["Partnummer", "no-contrast"]]);
  });
});

describe("a list that calls its columns otherwise than most", () => {
  const facts = (rows: readonly (readonly string[])[], columns: readonly number[]) =>
    read(page(cells(rows, columns))).parts.map(({ partNumber, description, reference, quantity }) => [
      partNumber,
      description,
      reference,
      quantity,
    ]);

  it("has the maker's numbers before a shop's own of items, and after those of the parts", () => {
    const rows = [
      ["1", "2", "30092044", "Bracket", "1109"],
      ["2", "4", "940062.765.0", "Screw", "18230"],
      ["3", "1", "53166", "Washer", "15898"],
    ];
    const columns = [40, 80, 140, 260, 420];
    const numbers = ["30092044", "940062.765.0", "53166"];
    const headed = (maker: string, own: string) =>
      facts([["Pos.", "Qty", maker, "Description", own], ...rows], columns).map(([number]) => number);
    expect(headed("No. Fabricant", "No. Item")).toEqual(numbers);
    expect(headed("Part No.", "Manufacturer No.")).toEqual(numbers);
  });

  it("may call positions part numbers, if the numbers stand in another column", () => {
    const rows = [
      ["部品番号", "名称", "型番"],
      ["VR1", "可変抵抗", "3296W-1-102LF、TSR-3296W-102Rなど"],
      ["U2", "変換", "MCP3008"],
      ["SW1", "スイッチ", "SS-12D00G3"],
    ];
    expect(facts(rows, [50, 150, 300]).map(([number, , reference]) => [number, reference])).toEqual([
      ["3296W-1-102LF", "VR1"],
      ["TSR-3296W-102R", "VR1"],
      ["MCP3008", "U2"],
      ["SS-12D00G3", "SW1"],
    ]);
    const counted = [
      ["Part #", "Item", "Serial Number", "Amt."],
      ["1", "Header", "DEV-12640", "4"],
      ["2", "Mosfet", "COM-10213", "1"],
      ["3", "Cable", "CAB-10646", "2"],
    ];
    expect(facts(counted, [50, 120, 300, 450])[1]).toEqual(["COM-10213", "Mosfet", "2", 1]);
  });

  it("may call the pieces numbers, which are in no order", () => {
    const rows = [
      ["Design ID", "Name", "Number"],
      ["2780", "Pin with Friction", "73"],
      ["3737", "Axle 10L", "2"],
      ["6558", "Pin 3L", "5"],
    ];
    expect(facts(rows, [50, 150, 400]).map(([number, , , quantity]) => [number, quantity])).toEqual([
      ["2780", 73],
      ["3737", 2],
      ["6558", 5],
    ]);
  });

  it("may have a name and a description before each number", () => {
    const rows = [
      ["Item", "Part Name", "Description", "Part No", "Qty"],
      ["203", "Oil Seal", "A28x47x7mm", "011 148 1", "1"],
      ["204", "Hex Head Screw", "M8x20mm", "011 025 6", "4"],
      ["205", "Key", "B8x7x12mm", "013 491 0", "1"],
    ];
    expect(facts(rows, [40, 90, 220, 350, 480])[1]).toEqual(["011 025 6", "Hex Head Screw", "204", 4]);
  });

  it("may have a number for each of several sizes", () => {
    const rows = [
      ["Ref No", "Description", "Qty", "26-QH Part Number", "30-QH Part Number"],
      ["1", "Bore plug", "1", "335609", "335602"],
      ["2", "O-ring", "2", "334302", "334308"],
    ];
    const [first] = read(page(cells(rows, [30, 90, 200, 260, 400]))).parts;
    expect(first).toMatchObject({
      partNumber: "335609",
      description: "Bore plug",
      quantities: [
        { model: "26-QH", quantity: 1 },
        { model: "30-QH", quantity: 0 },
      ],
    });
  });
});

test("a list in the frame of a drawing is a table of its own", () => {
  const rows = [
    ["ITEM", "PART NUMBER", "DESCRIPTION", "QTY."],
    ["9", "90042A268", "Sealing screw", "14"],
    ["10", "99607A285", "Thumb screw", "2"],
    ["11", "92545A179", "Knurled screw", "3"],
  ];
  // Zones, as on a map, that short rules part.
  const frame = [
    ...[20, 40, 760, 780].map((y) => across(20, y, 570)),
    ...[20, 40, 570, 590].map((x) => down(x, 20, 760)),
    ...[160, 305, 450].flatMap((x) => [down(x, 20, 20), down(x, 760, 20)]),
    ...[220, 400, 580].flatMap((y) => [across(20, y, 20), across(570, y, 20)]),
  ];
  const zones = [
    ...["4", "3", "2", "1"].flatMap((zone, n) => [text(zone, 95 + 140 * n, 25), text(zone, 95 + 140 * n, 765)]),
    ...["D", "C", "B", "A"].flatMap((zone, n) => [text(zone, 25, 125 + 180 * n), text(zone, 575, 125 + 180 * n)]),
  ];
  const content = page([...zones, ...cells(rows, [60, 120, 240, 480])], { lines: frame });
  expect(read(content).parts.map(({ partNumber, quantity }) => [partNumber, quantity])).toEqual([
    ["90042A268", 14],
    ["99607A285", 2],
    ["92545A179", 3],
  ]);
});
