import type { Table } from "../src/findings.ts";
import type { PageContent, TextBox } from "../src/page.ts";

const SIZE = 10;

/** A text in a font whose letters are half as wide as high. */
export function text(words: string, x: number, y: number, more: Partial<TextBox> = {}): TextBox {
  const fontSize = more.fontSize ?? SIZE;
  return {
    text: words,
    x,
    y,
    width: words.length * fontSize * 0.5,
    height: fontSize,
    fontSize,
    angle: 0,
    isBold: false,
    ...more,
  };
}

/** A page of US letter size. */
export function page(texts: TextBox[], more: Partial<PageContent> = {}): PageContent {
  return { number: 1, width: 612, height: 792, texts, lines: [], images: [], drawnPaths: 0, ...more };
}

/** Lines of text below one another. */
export function lines(rows: readonly string[], { x = 50, y = 60, step = 16 } = {}): TextBox[] {
  return rows.map((row, index) => text(row, x, y + index * step));
}

/** Cells as texts that stand in columns. */
export function cells(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  { y = 100, step = 16 } = {},
): TextBox[] {
  return rows.flatMap((row, index) =>
    row.flatMap((cell, column) => (cell === "" ? [] : [text(cell, columns[column]!, y + index * step)])),
  );
}

/** The table that such cells are. */
export function table(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  { y = 100, step = 16, headerRows = 1, index = 1 } = {},
): Table {
  const boxes = rows.map((row, at) =>
    row.map((cell, column) =>
      cell === "" ? null : { x: columns[column]!, y: y + at * step, width: cell.length * 5, height: SIZE },
    ),
  );
  const all = boxes.flat().filter((box) => box !== null);
  const right = Math.max(...all.map((box) => box.x + box.width));
  return {
    index,
    rows: rows.map((row) => [...row]),
    headerRows,
    boxes,
    x: columns[0]!,
    y,
    width: right - columns[0]!,
    height: rows.length * step,
  };
}

/** A page with such a table. */
export function tablePage(
  rows: readonly (readonly string[])[],
  columns: readonly number[],
  more: { y?: number; headerRows?: number; beside?: TextBox[]; number?: number; content?: Partial<PageContent> } = {},
): { content: PageContent; tables: Table[] } {
  const { beside = [], number = 1, content = {}, ...where } = more;
  return {
    content: page([...beside, ...cells(rows, columns, where)], { number, ...content }),
    tables: [table(rows, columns, where)],
  };
}

export const COLUMNS = [50, 100, 220, 450] as const;
