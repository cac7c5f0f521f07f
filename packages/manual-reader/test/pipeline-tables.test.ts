import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Box, PageContent, TextBox } from "../src/page.ts";
import { findTables } from "../src/tables/find-tables.ts";
import { fromUpright } from "../src/text/directions.ts";
import { text as createText } from "./reading.support.ts";

const text = (x: number, y: number, words: string, more?: Partial<TextBox>): TextBox => createText(words, x, y, more);

function createPage(texts: TextBox[], lines: Box[] = []): PageContent {
  return { number: 1, width: 612, height: 792, texts, lines, images: [], drawnPaths: 0 };
}

const findRows = (page: PageContent): string[][][] => findTables(page).map(({ rows }) => rows);

/** Texts in columns that begin at `xs`, a row every `step` points. */
function inColumns(
  rows: readonly (readonly string[])[],
  xs: readonly number[],
  { y = 100, step = 15 } = {},
): TextBox[] {
  return rows.flatMap((row, r) => row.flatMap((words, c) => (words === "" ? [] : [text(xs[c]!, y + r * step, words)])));
}

/** The lines of a grid. */
function gridLines(xs: readonly number[], ys: readonly number[]): Box[] {
  return [
    ...ys.map((y) => ({ x: xs[0]!, y, width: xs.at(-1)! - xs[0]!, height: 0 })),
    ...xs.map((x) => ({ x, y: ys[0]!, width: 0, height: ys.at(-1)! - ys[0]! })),
  ];
}

const PARTS = [
  ["Ref", "Part No.", "Description", "Qty"],
  ["1", "16100-Z0Y-813", "Carburetor", "1"],
  ["2", "11013-7047", "Air filter", "2"],
  ["3", "492932S", "Oil filter", "1"],
];
const XS = [72, 120, 240, 420];

test("texts in columns are a table, without a line", () => {
  const [table] = findTables(createPage(inColumns(PARTS, XS)));
  expect(table).toMatchObject({ index: 1, rows: PARTS, headerRows: 1, x: 72, y: 100 });
  expect(table!.boxes[1]![1]).toEqual({ x: 120, y: 115, width: 65, height: 10 });
});

test("a cell may be empty, and a name may take two lines", () => {
  const rows = [
    PARTS[0]!,
    ["1", "16100-Z0Y-813", "Carburetor with", "1"],
    ["", "", "choke cable", ""],
    ["2", "", "Gasket", "2"],
  ];
  expect(findRows(createPage(inColumns(rows, XS, { step: 12 })))).toEqual([
    [PARTS[0], ["1", "16100-Z0Y-813", "Carburetor with choke cable", "1"], ["2", "", "Gasket", "2"]],
  ]);
});

test("the last cell of a table may go on for lines", () => {
  const rows = [
    ...PARTS,
    ["4", "11013-7048", "Belt", "1 for the"],
    ["", "", "", "deck, 2"],
    ["", "", "", "for tillers"],
  ];
  const [table] = findRows(createPage([...inColumns(rows, XS, { step: 12 }), text(72, 190, "All prices without tax")]));
  expect(table!.at(-1)).toEqual(["4", "11013-7048", "Belt", "1 for the deck, 2 for tillers"]);
});

test("a cell with a line beside each number of another column is as many rows", () => {
  const [xs, ys] = [
    [60, 110, 230, 440],
    [90, 110, 130, 150, 170],
  ];
  // Nothing parts the names of the third and fourth rows.
  const lines = [
    ...gridLines(xs, ys).filter(({ y, height }) => y !== 150 || height > 0),
    { x: 60, y: 150, width: 170, height: 0 },
  ];
  const rows = [
    ["Pos", "Code", "Description"],
    ["1", "34300047", "Hose"],
    ["2", "34300049", "Cable"],
    ["", "34300052", "Cable for 110-120V"],
  ];
  const texts = inColumns(rows, [62, 112, 232], { y: 95, step: 20 });
  expect(findRows(createPage(texts, lines))).toEqual([rows]);
  // A name of two lines that are level with no number is one.
  const oneName = texts.map((placed) => (placed.x === 232 && placed.y > 130 ? { ...placed, y: placed.y + 4 } : placed));
  expect(findRows(createPage(oneName, lines))[0]?.slice(2)).toEqual([
    ["2", "34300049", "Cable Cable for 110-120V"],
    ["", "34300052", ""],
  ]);
});

test("columns between two lines are columns, though no line parts them", () => {
  const rows = [
    ["Engine", "", "Torque", ""],
    ["", "Size", "Nm", "lb ft"],
    ...["M6", "M8", "M10", "M12"].map((size, n) => [`Bolt ${n}`, size, `${n + 1}0`, `${n + 7}`]),
  ];
  const lines = gridLines([70, 200, 500], [98, 113, 128, 143, 158, 173, 188]);
  expect(findRows(createPage(inColumns(rows, [72, 210, 300, 400]), lines))[0]!.slice(2)).toEqual(rows.slice(2));
});

test("a text that was drawn at once over a line is of two cells", () => {
  const rows = [...PARTS, ["4", "11013-7048", "Air filter, long 14", ""]];
  const lines = gridLines([70, 115, 235, 322, 400], [98, 113, 128, 143, 158, 173]);
  expect(findRows(createPage(inColumns(rows, [72, 120, 240, 330]), lines))[0]!.at(-1)).toEqual([
    "4",
    "11013-7048",
    "Air filter, long",
    "14",
  ]);
});

test("names of columns may take two lines, some of them one", () => {
  const rows = [["Ref.", "Part", "Description", "No."], ["No.", "Number", "", "Req'd"], ...PARTS.slice(1)];
  expect(findRows(createPage(inColumns(rows, XS, { step: 12 })))[0]![0]).toEqual([
    "Ref. No.",
    "Part Number",
    "Description",
    "No. Req'd",
  ]);
});

test("a run of text that reaches from one column into the next is parted where the column begins", () => {
  const texts = [
    ...inColumns([...PARTS.slice(0, 3), ["3", "492932S"]], [72, 120, 200, 280]),
    text(200, 145, "Oil filter X-1  1"),
  ];
  expect(findRows(createPage(texts))[0]!.at(-1)).toEqual(["3", "492932S", "Oil filter X-1", "1"]);
});

test("lines frame cells with any content", () => {
  const texts = [
    text(76, 105, "Piston"),
    text(76, 117, "assembly"),
    text(206, 105, "see note"),
    text(76, 145, "Ring"),
    text(206, 145, "set of three"),
  ];
  expect(findRows(createPage(texts, gridLines([72, 200, 330], [100, 140, 160])))).toEqual([
    [
      ["Piston assembly", "see note"],
      ["Ring", "set of three"],
    ],
  ]);
});

test("two lists side by side, with the same names of columns, are two tables", () => {
  const rows = PARTS.map((row) => [row[0]!, row[1]!, row[0]!, row[1]!]);
  expect(findRows(createPage(inColumns(rows, [72, 120, 320, 370])))).toEqual([
    PARTS.map((row) => row.slice(0, 2)),
    PARTS.map((row) => row.slice(0, 2)),
  ]);
});

test("hidden text is in no table", () => {
  const [table] = findRows(
    createPage([...inColumns(PARTS, XS), text(480, 115, "99999-XXX", { hidden: "no-contrast" })]),
  );
  expect(table).toEqual(PARTS);
});

const SENTENCE =
  "Before you start the engine check the oil and the fuel, and see that nobody stands near the blade while it turns at speed".split(
    " ",
  );

function prose(x: number, width: number, lines: number, from = 0): TextBox[] {
  const most = Math.floor(width / (10 * 0.5));
  let at = from;
  return Array.from({ length: lines }, (_, n) => {
    let line = "";
    while (`${line} ${SENTENCE[at % SENTENCE.length]}`.length <= most)
      line = `${line} ${SENTENCE[at++ % SENTENCE.length]}`.trim();
    return text(x, 100 + n * 12, line);
  });
}

test.each<[string, TextBox[]]>([
  ["prose", prose(72, 460, 30)],
  ["prose in two columns", [...prose(72, 220, 40), ...prose(320, 220, 40, 7)]],
  ["prose in three columns", [...prose(60, 150, 40), ...prose(230, 150, 40, 7), ...prose(400, 150, 40, 13)]],
  [
    "a list with bullets",
    ["Check the oil level", "Clean the air filter", "Drain the fuel", "Sharpen the blade"].flatMap((words, n) => [
      text(72, 100 + n * 15, "\u2022"),
      text(90, 100 + n * 15, words),
    ]),
  ],
  [
    "a numbered list",
    ["Check the oil level", "Clean the air filter", "Drain the fuel", "Sharpen the blade"].flatMap((words, n) => [
      text(72, 100 + n * 15, `${n + 1}.`),
      text(95, 100 + n * 15, words),
    ]),
  ],
  [
    "an address beside another",
    ["Acme Engines", "12 Mill Road", "Springfield"].flatMap((words, n) => [
      text(72, 100 + n * 15, words),
      text(350, 100 + n * 15, ["Customer care", "PO Box 44", "Shelbyville"][n]!),
    ]),
  ],
  [
    "the marks of a chart",
    [450, 400, 350, 300, 250, 200].flatMap((mark, n) => [
      text(72, 100 + n * 20, String(mark)),
      text(320, 100 + n * 20, String(mark)),
    ]),
  ],
  ["a title with a page number", [text(72, 40, "Operator's Manual"), text(500, 40, "7")]],
  [
    "narrow columns of prose",
    [72, 182, 292].flatMap((x) =>
      [
        "The Federal Agency",
        "proposes to replace",
        "a directive that it",
        "issued for all of the",
        "older machines.",
      ].map((line, n) => text(x, 100 + n * 12, line)),
    ),
  ],
])("there is no table in %s", (_name, texts) => {
  expect(findRows(createPage(texts))).toEqual([]);
});

test("a frame round text is no table", () => {
  expect(findRows(createPage(prose(76, 440, 6), gridLines([72, 540], [95, 180])))).toEqual([]);
});

/** Tables of words, of which each is there once, so that it can be found again. */
const gridArbitrary = fc.record({
  columns: fc.integer({ min: 3, max: 6 }),
  rows: fc.integer({ min: 3, max: 12 }),
  isRuled: fc.boolean(),
  step: fc.integer({ min: 12, max: 24 }),
  empty: fc.array(fc.nat(), { maxLength: 6 }),
});

function drawnGrid({
  columns,
  rows,
  isRuled,
  step,
  empty,
}: {
  columns: number;
  rows: number;
  isRuled: boolean;
  step: number;
  empty: readonly number[];
}): PageContent {
  const left = (column: number): number => 60 + column * 80;
  const cells = Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) => {
      const isEmpty = c > 1 && r > 0 && empty.some((n) => n % (rows * columns) === r * columns + c);
      return isEmpty ? "" : c === 0 || r === 0 ? `Name ${r}x${c}` : `${r * r * 7}${c}1`;
    }),
  );
  const texts = inColumns(
    cells,
    Array.from({ length: columns }, (_, c) => left(c) + 5),
    { step },
  );
  const lines = isRuled
    ? gridLines(
        Array.from({ length: columns + 1 }, (_, c) => left(c)),
        Array.from({ length: rows + 1 }, (_, r) => 98 + r * step),
      )
    : [];
  return createPage(texts, lines);
}

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

test("every text inside of a table is in one of its cells, and in one only", () => {
  fc.assert(
    fc.property(gridArbitrary, (given) => {
      const page = drawnGrid(given);
      const tables = findTables(page);
      expect(tables).toHaveLength(1);
      for (const table of tables) {
        const within = page.texts.filter((each) => contains(table, each));
        expect(within.map(({ text }) => text).sort()).toEqual(
          table.rows
            .flat()
            .filter((cell) => cell !== "")
            .sort(),
        );
        expect(new Set(table.rows.map((row) => row.length)).size).toBe(1);
        expect(table.boxes.map((row) => row.map((box) => box !== null))).toEqual(
          table.rows.map((row) => row.map((cell) => cell !== "")),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("a page that is moved or made larger has the same tables", () => {
  fc.assert(
    fc.property(
      gridArbitrary,
      fc.double({ min: 0.5, max: 3, noNaN: true }),
      fc.integer({ min: -40, max: 200 }),
      (given, scale, shift) => {
        const page = drawnGrid(given);
        const moved = (box: Box): Box => ({
          x: box.x * scale + shift,
          y: box.y * scale + shift,
          width: box.width * scale,
          height: box.height * scale,
        });
        const texts = page.texts.map((each) => ({ ...each, ...moved(each), fontSize: each.fontSize * scale }));
        expect(findRows({ ...page, texts, lines: page.lines.map(moved) })).toEqual(findRows(page));
      },
    ),
    { numRuns: 60 },
  );
});

test.each([90, 180, 270] as const)(
  "a table that lies on its side by %d degrees is the same, where it is seen",
  (turn) => {
    fc.assert(
      fc.property(gridArbitrary, (given) => {
        const upright = drawnGrid(given);
        const seen = turn === 180 ? upright : { ...upright, width: upright.height, height: upright.width };
        const turned = (box: Box): Box => fromUpright(box, turn, seen);
        const page = {
          ...seen,
          texts: upright.texts.map((each) => ({ ...each, ...turned(each), angle: turn })),
          lines: upright.lines.map(turned),
        };
        const [table] = findTables(page);
        const [straight] = findTables(upright);
        expect(table?.rows).toEqual(straight?.rows);
        const { x, y } = turned(straight!.boxes[0]![0]!);
        expect(table?.boxes[0]?.[0]).toMatchObject({ x: expect.closeTo(x), y: expect.closeTo(y) });
        const prose = text(page.width + 50, 50, "Keep hands and feet away. ".repeat(200));
        const beside = { ...page, width: prose.x + prose.width, texts: [...page.texts, prose] };
        expect(findRows(beside)).toEqual([straight?.rows]);
      }),
      { numRuns: 30 },
    );
  },
);
