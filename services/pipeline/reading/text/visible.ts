import type { Table } from "../findings.ts";
import { holds, type TextBox } from "../page.ts";
import { plain } from "./lines.ts";

/** Removes hidden text from cells. */
export function withoutHidden(tables: readonly Table[], texts: readonly TextBox[]): Table[] {
  const hidden = texts.filter((text) => text.hidden && text.text.trim() !== "");
  if (hidden.length === 0) return [...tables];
  return tables.map((table) => {
    const rows = table.rows.map((row, index) =>
      row.map((cell, column) => {
        const box = table.boxes[index]?.[column];
        const inside = box ? hidden.filter((text) => holds(box, text, 1)) : [];
        return inside.reduce(
          (rest, { text }) =>
            plain(rest)
              .replace(plain(text).trim(), " ")
              .replace(/\s{2,}/g, " ")
              .trim(),
          cell,
        );
      }),
    );
    return {
      ...table,
      rows,
      boxes: table.boxes.map((row, index) => row.map((box, column) => (rows[index]![column] === "" ? null : box))),
    };
  });
}
