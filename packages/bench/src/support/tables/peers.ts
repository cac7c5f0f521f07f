import { findLayout } from "../../../../manual-reader/src/parts/layout.ts";
import { readRows } from "../../../../manual-reader/src/parts/rows.ts";
import type { ReadRow } from "../manuals/score-real.ts";

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

/** Parts of the tables of a page that another library found: it finds tables, and our rules say what is a part. */
export function readPeerTables(tables: readonly (readonly string[][])[]): ReadRow[] {
  return tables.flatMap((cells, n) => {
    const width = Math.max(0, ...cells.map((row) => row.length));
    const rows = cells.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ""));
    const table = { ...NOWHERE, index: n + 1, rows, headerRows: 0, boxes: rows.map((row) => row.map(() => null)) };
    return findLayout(table).columns.length > 0 ? readRows(table, 1, { models: new Set() }).parts : [];
  });
}
