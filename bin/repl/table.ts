import { getAt } from "@partline/toolkit";
/** Columns of the terminal. */
const WIDTH = 100;
const GAP = "  ";

/**
 * Returns a table whose wide cells continue in the line below; if words are too long for that, each row as a record,
 * with a line for each filled cell.
 */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = computeWidths([columns, ...rows]);
  if (!widths) return rows.map((row) => record(columns, row)).join("\n\n");
  return [columns, widths.map((width) => "-".repeat(width)), ...rows]
    .flatMap((row) => renderLines(row, widths))
    .join("\n");
}

/** Text whose lines fit into a terminal. */
export function wrapParagraph(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => wrapText(line, WIDTH))
    .join("\n");
}

function record(columns: readonly string[], row: readonly string[]): string {
  const label = Math.max(...columns.map((name) => name.length));
  const filled = columns.flatMap((name, index) => (row[index] === "" ? [] : [[name, getAt(row, index)]]));
  return filled.flatMap((pair) => renderLines(pair, [label, WIDTH - label - GAP.length])).join("\n");
}

/**
 * Widths of the columns: the widest are narrowed first, none below its longest word. Undefined if that is not enough.
 */
function computeWidths(rows: readonly (readonly string[])[]): number[] | undefined {
  const getLongest = (length: (cell: string) => number): number[] =>
    getAt(rows, 0).map((_, index) => Math.max(...rows.map((row) => length(getAt(row, index)))));
  const widths = getLongest((cell) => cell.length);
  const least = getLongest((cell) => Math.max(...splitWords(cell).map((word) => word.trimEnd().length)));
  const computeExcess = () => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - WIDTH;
  while (computeExcess() > 0) {
    const widest = Math.max(...widths.filter((width, index) => width > getAt(least, index)));
    if (widest === -Infinity) return undefined;
    widths[widths.findIndex((width, index) => width === widest && width > getAt(least, index))]! -= 1;
  }
  return widths;
}

function renderLines(cells: readonly string[], widths: readonly number[]): string[] {
  const columns = cells.map((cell, index) => wrapText(cell, getAt(widths, index)));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    widths
      .map((width, index) => (getAt(columns, index)[line] ?? "").padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
}

function wrapText(text: string, width: number): string[] {
  const lines = [""];
  for (const word of splitWords(text)) {
    let rest = word;
    if ((getAt(lines, -1) + rest.trimEnd()).length > width && lines.at(-1) !== "") lines.push("");
    for (; rest.trimEnd().length > width; rest = rest.slice(width)) lines.splice(-1, 1, rest.slice(0, width), "");
    lines.push(lines.pop()! + rest);
  }
  return lines.map((line) => line.trimEnd());
}

/** Splits where a line may end: after a space or comma, and within names of events. */
function splitWords(text: string): string[] {
  return text.split(/(?<=[ ,])(?=[^ ,])|(?<=[A-Z]_)(?=[A-Z])/);
}
