import { printedName, tableLook } from "../style.ts";
import { lineHeight, type TextStyle } from "../surface.ts";
import { drawTable, type Column } from "../table.ts";
import type { Box } from "../box.ts";
import { partTruth } from "../parts-table.ts";
import type { PlannedPart } from "../part-pool.ts";
import { startPage, type Writing } from "../writing.ts";

/** Numbers that are no longer supplied, with those that are: as a table or as notes. */
export function supersessionPage(writing: Writing): void {
  const { random, style, pool, truth, contents } = writing;
  const { surface, page, area } = startPage(writing, "supersession");
  const title = random.pick(["Superseded Part Numbers", "Part Number Changes", "Replaced Parts"]);
  contents.push({ text: title, page });
  surface.text(title, area.x, area.y, { face: "bold", size: 13 });
  const pairs = Array.from({ length: random.integer(3, 8) }, () => pool.superseded());
  const top = area.y + 28;
  const note = (old: PlannedPart, successor: PlannedPart, boxes: [old: Box, successor: Box]): void => {
    truth.parts.push(partTruth(writing, old, { page, layout: "supersession", ledBy: "replaced-by", box: boxes[0] }));
    truth.parts.push(
      partTruth(writing, successor, { page, layout: "supersession", ledBy: "replaced-by", box: boxes[1] }),
    );
  };
  if (random.chance(0.5)) {
    const [oldHeader, newHeader] = random.pick([
      ["Old Part No.", "New Part No."],
      ["Part No.", "Replaced by"],
      ["Former Number", "Superseded by"],
    ] as const);
    const columns: Column[] = [
      { header: oldHeader, align: "left" },
      { header: newHeader, align: "left" },
      { header: style.headers.description, align: "left", width: "rest" },
    ];
    const rows = pairs.map(({ old, successor }) => [old.partNumber, successor.partNumber, printedName(style, old)]);
    const drawn = drawTable(
      surface,
      { ...area, y: top },
      { columns, rows, look: tableLook(style, random.pick(["grid", "rows", "none"])) },
    );
    truth.tables.push({ page, layout: "supersession", headerRows: 1, cells: drawn.cells });
    pairs
      .slice(0, drawn.rows)
      .forEach(({ old, successor }, index) =>
        note(old, successor, [drawn.boxes[index + 1]![0]!, drawn.boxes[index + 1]![1]!]),
      );
    return;
  }
  const text: TextStyle = { face: "regular", size: style.text + 1 };
  pairs.forEach(({ old, successor }, index) => {
    const line = `${printedName(style, old)}: ${style.supersession(old.partNumber, successor.partNumber)}.`;
    const { x, y, height } = surface.text(line, area.x, top + index * (lineHeight(text) + 6), text);
    const placeBox = (number: string): Box => ({
      x: x + surface.widthOf(line.slice(0, line.lastIndexOf(number)), text),
      y,
      width: surface.widthOf(number, text),
      height,
    });
    note(old, successor, [placeBox(old.partNumber), placeBox(successor.partNumber)]);
  });
}
