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

it("a bullet is no column", () => {
  const rows = ["first thing to do", "second thing to do", "third thing to do"];
  const bullets = rows.flatMap((words, n) => [text("\u2022", 50, 100 + n * 15), text(words, 62, 100 + n * 15)]);
  expect(findTables(page(bullets))).toEqual([]);
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

it("a centred name has its first line, and rows below a heading are of the list above", () => {
  const row = (y: number, [ref = "", number = "", quantity = ""]: readonly string[], names: readonly string[]) => [
    text(ref, 97, y),
    ...names.map((name, n) => text(name, 140, y + 12 * (n - (names.length - 1) / 2))),
    text(number, 352, y),
    text(quantity, 522, y),
  ];
  const list = page([
    ...row(90, ["8", "PRT-10811", "1"], ["DC Barrel Jack Adapter -", "Breadboard Compatible"]),
    ...row(126, ["9", "PRT-12807", "4"], ["Machine Screw 4-40", "Thread, 3/4 Length", "(Pack of 50)"]),
    ...row(170, ["10", "COM-09850", "1"], ["Machine Screw 6-32", "Thread, 1/2 Length", "(Pack of 50)"]),
    text("From another shop", 72, 260),
    ...row(300, ["1", "1542", "0"], ["Female/Socket", "Header (5 pack)"]),
  ]);
  expect(partsIn(list)).toMatchObject([
    { partNumber: "PRT-10811", description: "DC Barrel Jack Adapter - Breadboard Compatible" },
    { partNumber: "PRT-12807", description: "Machine Screw 4-40 Thread, 3/4 Length (Pack of 50)" },
    { partNumber: "COM-09850", description: "Machine Screw 6-32 Thread, 1/2 Length (Pack of 50)" },
    { partNumber: "1542", description: "Female/Socket Header (5 pack)", quantity: 0 },
  ]);
});
