import type { Box } from "./box.ts";
import { lineHeight, wrap, type Surface, type TextStyle } from "./surface.ts";

export interface Column {
  header: string;
  align: "left" | "centre" | "right";
  /** Points; undefined for what its longest cell needs. One column at most is `"rest"`. */
  width?: number | "rest";
}

export interface TableLook {
  /** `grid` all lines, `rows` those between rows, `bars` every other row shaded, `none` no line at all. */
  rules: "grid" | "rows" | "bars" | "none";
  /** A line below the header where nothing else rules it. */
  underlined: boolean;
  /** Light text on a dark bar. */
  darkHeader: boolean;
  padding: { x: number; y: number };
  text: TextStyle;
  header: TextStyle;
}

export interface DrawnTable {
  cells: string[][];
  /** Of each cell's text (its first line), as seen; null where it is empty. */
  boxes: (Box | null)[][];
  /** Number of rows that found room. */
  rows: number;
  /** The y below it. */
  bottom: number;
}

const SHADE = "#e6e6e6";
const DARK = "#333333";

/** Draws a header and as many rows as there is room for above `bottom`. */
export function drawTable(
  surface: Surface,
  { x, y, width, bottom }: { x: number; y: number; width: number; bottom: number },
  { columns, rows, look }: { columns: readonly Column[]; rows: readonly (readonly string[])[]; look: TableLook },
): DrawnTable {
  const widths = columnWidths(surface, width, columns, rows, look);
  const lefts = widths.map((_, index) => x + widths.slice(0, index).reduce((sum, value) => sum + value, 0));
  const right = x + widths.reduce((sum, value) => sum + value, 0);
  const drawn: DrawnTable = { cells: [], boxes: [], rows: 0, bottom: y };

  const drawRow = (cells: readonly string[], style: TextStyle, fill: string | undefined): boolean => {
    const lines = cells.map((cell, index) =>
      cell === "" ? [] : wrap(surface, cell, widths[index]! - 2 * look.padding.x + 0.01, style),
    );
    const height = Math.max(1, ...lines.map((cellLines) => cellLines.length)) * lineHeight(style) + 2 * look.padding.y;
    const top = drawn.bottom;
    if (top + height > bottom) return false;
    if (fill) surface.rect(x, top, right - x, height, { fill });
    drawn.boxes.push(
      lines.map((cellLines, column) => {
        const boxes = cellLines.map((line, index) => {
          const room = widths[column]! - 2 * look.padding.x - surface.widthOf(line, style);
          const indent = { left: 0, centre: room / 2, right: room }[columns[column]!.align];
          return surface.text(
            line,
            lefts[column]! + look.padding.x + indent,
            top + look.padding.y + index * lineHeight(style),
            style,
          );
        });
        return boxes[0] ?? null;
      }),
    );
    drawn.cells.push(lines.map((cellLines) => cellLines.join(" ")));
    drawn.bottom = top + height;
    if (look.rules === "grid" || look.rules === "rows") surface.line(x, drawn.bottom, right, drawn.bottom);
    return true;
  };

  if (look.rules === "grid") surface.line(x, y, right, y);
  drawRow(
    columns.map(({ header }) => header),
    look.darkHeader ? { ...look.header, color: "white" } : look.header,
    look.darkHeader ? DARK : undefined,
  );
  if (look.rules !== "grid" && look.rules !== "rows" && look.underlined)
    surface.line(x, drawn.bottom, right, drawn.bottom, 1);
  for (const row of rows) {
    if (!drawRow(row, look.text, look.rules === "bars" && drawn.rows % 2 === 1 ? SHADE : undefined)) break;
    drawn.rows += 1;
  }
  if (look.rules === "grid") for (const left of [...lefts, right]) surface.line(left, y, left, drawn.bottom);
  return drawn;
}

function columnWidths(
  surface: Surface,
  width: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  look: TableLook,
): number[] {
  const needed = columns.map((column, index) => {
    if (column.width === "rest") return 0;
    if (column.width !== undefined) return column.width;
    const texts = rows.map((row) => surface.widthOf(row[index]!, look.text));
    const words = column.header.split(" ").map((word) => surface.widthOf(word, look.header));
    return Math.max(...texts, ...words) + 2 * look.padding.x + 4;
  });
  const rest = width - needed.reduce((sum, value) => sum + value, 0);
  return columns.map((column, index) => (column.width === "rest" ? rest : needed[index]!));
}
