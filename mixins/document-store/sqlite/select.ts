import { documentComparator } from "../model/order.ts";
import { compileMatcher } from "../model/match.ts";
import { pinnedId } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import type { Selection, StoredDocument } from "../model/write.ts";
import { conjunction, planCondition, planOrder, unexpired } from "./planner.ts";
import type { StatementCache } from "../../sqlite/statements.ts";

/**
 * The matching documents as they are stored, in one go. SQL sorts and cuts when it can decide the whole filter; else it
 * gives candidates, and the matcher decides.
 */
export function selectDocuments(
  statements: StatementCache,
  shape: Shape,
  selection: Selection,
  now: number,
): StoredDocument[] {
  const { predicate, sort, skip = 0, limit = Infinity } = selection;
  if (limit <= 0) return [];
  const condition = conjunction([planCondition(shape, predicate), unexpired(shape, now)]);
  const order = planOrder(shape, sort);
  const where = condition.sql === undefined ? "" : ` WHERE ${condition.sql}`;
  if (condition.exact && order !== undefined) {
    const sql = `SELECT doc FROM "${shape.name}"${where}${order && ` ORDER BY ${order}`} LIMIT ? OFFSET ?`;
    return parseRows(statements.get(sql).all(...condition.params, Number.isFinite(limit) ? limit : -1, skip));
  }
  const matches = compileMatcher(predicate);
  const found: StoredDocument[] = [];
  const enough = sort.length === 0 ? skip + limit : Infinity;
  for (const row of statements.get(`SELECT doc FROM "${shape.name}"${where}`).iterate(...condition.params)) {
    const document = parseRow(row);
    if (matches(document) && found.push(document) >= enough) break;
  }
  if (sort.length > 0) found.sort(documentComparator(sort));
  return found.slice(skip, skip + limit);
}

/** As `selectDocuments` for one document, by a look-up of the id where the filter pins it. */
export function selectOne(
  statements: StatementCache,
  shape: Shape,
  selection: Selection,
  now: number,
): StoredDocument | undefined {
  const id = pinnedId(selection.predicate);
  if (id === undefined) return selectDocuments(statements, shape, { ...selection, limit: 1 }, now)[0];
  const condition = unexpired(shape, now);
  const sql = `SELECT doc FROM "${shape.name}" WHERE id = ?${condition.sql === undefined ? "" : ` AND ${condition.sql}`}`;
  const row = statements.get(sql).get(id, ...condition.params);
  if (row === undefined) return undefined;
  const document = parseRow(row);
  return compileMatcher(selection.predicate)(document) ? document : undefined;
}

export function parseRows(rows: unknown[]): StoredDocument[] {
  return rows.map(parseRow);
}

function parseRow(row: unknown): StoredDocument {
  return JSON.parse((row as [string])[0]) as StoredDocument;
}
