import { texts } from "../texts.ts";
import type { PageOfManual, PageRow } from "./reads.ts";

export interface FoundBox {
  id: string;
  kind: "table" | "part" | "callout";
  text: string;
  /** Shares of the page; undefined where its size or its place is not known. */
  box: { x: number; y: number; width: number; height: number } | undefined;
  /** What can be corrected. */
  row?: PageRow;
}

/** All that was found on a page, with its place in shares of the page. */
export function listBoxes({ width, height, tables, parts, callouts }: PageOfManual): FoundBox[] {
  const toShare = (box: { x: number; y: number; width: number; height: number }): FoundBox["box"] =>
    width === null || height === null || box.width === 0
      ? undefined
      : { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height };
  return [
    ...tables.map((table): FoundBox => {
      const { index, rows } = table;
      const text = texts.manuals.table(index, rows.length, rows[0]?.length ?? 0);
      return { id: `table-${index}`, kind: "table", text, box: toShare(table) };
    }),
    ...parts.map((row): FoundBox => {
      const text = [row.part_number, row.description].filter(Boolean).join(" ");
      return { id: `part-${row.row}`, kind: "part", text, box: toShare(row.bbox), row };
    }),
    ...callouts.map(({ ref, partNumber, title, box }, index): FoundBox => {
      const text = [ref, partNumber, title].filter(Boolean).join(" · ");
      return { id: `callout-${index}`, kind: "callout", text, box };
    }),
  ];
}
