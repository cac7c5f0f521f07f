import type { DatabaseSync } from "node:sqlite";
import type { SortSpec } from "../port.ts";
import type { Shape } from "../model/shape.ts";
import { fieldSql } from "./planner.ts";

/** Makes the table and its indexes, and drops indexes that the definition no longer has. Call it in a transaction. */
export function ensureCollection(database: DatabaseSync, shape: Shape): void {
  database.exec(`CREATE TABLE IF NOT EXISTS "${shape.name}" (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
  const wanted = new Map(indexStatements(shape));
  const existing = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all(shape.name);
  for (const { name, sql } of existing as { name: string; sql: string }[]) {
    if (wanted.get(name) === sql) wanted.delete(name);
    else database.exec(`DROP INDEX "${name}"`);
  }
  for (const sql of wanted.values()) database.exec(sql);
}

function indexStatements(shape: Shape): [name: string, sql: string][] {
  const definitions = [...shape.indexes];
  if (shape.expires !== undefined) definitions.push({ keys: { [shape.expires]: 1 } });
  return definitions.map(({ keys, unique = false }) => {
    const name = [
      shape.name,
      ...Object.entries(keys).map(([path, direction]) => `${path}_${direction}`),
      unique ? "unique" : "plain",
    ].join("__");
    return [
      name,
      `CREATE ${unique ? "UNIQUE " : ""}INDEX "${name}" ON "${shape.name}" (${columns(shape, keys, unique)})`,
    ];
  });
}

/**
 * A unique index of SQLite keeps rows with a NULL apart, as the port asks. The id at the end of a plain index gives
 * sorted pages, and ids without their documents, from the index.
 */
function columns(shape: Shape, keys: SortSpec, unique: boolean): string {
  const entries = Object.entries(keys);
  if (!unique && !("_id" in keys)) entries.push(["_id", entries.at(-1)![1]]);
  return entries.map(([path, direction]) => `${fieldSql(shape, path)}${direction === -1 ? " DESC" : ""}`).join(", ");
}
