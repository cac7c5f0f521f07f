import type { DatabaseSync } from "node:sqlite";
import { indexKeys, indexName } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";
import { toKeysSql } from "./planner.ts";

/** Makes the table and its indexes, and drops indexes that the definition no longer has. Call it in a transaction. */
export function ensureCollection(database: DatabaseSync, shape: Shape): void {
  database.exec(`CREATE TABLE IF NOT EXISTS "${shape.name}" (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)`);
  const declaredIndexes = new Map(indexStatements(shape));
  const existing = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all(shape.name);
  for (const { name, sql } of existing as { name: string; sql: string }[]) {
    if (declaredIndexes.get(name) === sql) declaredIndexes.delete(name);
    else database.exec(`DROP INDEX "${name}"`);
  }
  for (const sql of declaredIndexes.values()) database.exec(sql);
}

/**
 * A unique index of SQLite keeps rows with a NULL apart, as the port asks. The id at the end of a plain index gives
 * sorted pages, and ids without their documents, from the index.
 */
function indexStatements(shape: Shape): [name: string, sql: string][] {
  const definitions = [...shape.indexes];
  if (shape.expires !== undefined) definitions.push({ keys: { [shape.expires]: 1 } });
  return definitions.map((index) => {
    const name = `${shape.name}__${indexName(index)}`;
    const columns = toKeysSql(shape, indexKeys(shape, index));
    return [name, `CREATE ${index.unique ? "UNIQUE " : ""}INDEX "${name}" ON "${shape.name}" (${columns})`];
  });
}
