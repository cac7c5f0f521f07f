import { setImmediate as turn } from "node:timers/promises";
import type { SQLInputValue } from "node:sqlite";
import type { EmbeddedFile } from "../../sqlite/embedded-file.ts";
import type { CountedGroup, FieldType, Scalar } from "../port.ts";
import { compareByKeys, type SortKey } from "../model/order.ts";
import type { Shape } from "../model/shape.ts";
import { isPlainObject, getValueAt } from "../model/paths.ts";
import { listConjuncts, findPinnedId, type Predicate } from "../model/filter.ts";
import type { Selection, StoredDocument } from "../model/write.ts";
import { countStatement, toFieldSql, isSelective, isIndexLead, planUnexpired, selectStatement } from "./planner.ts";

/** Rows that one turn of the event loop reads at most when no index helps: a few milliseconds. */
const WINDOW = 500;

/** Matches that an iteration remembers by id; of more, it walks the table in the order of ids instead. */
const REMEMBERED_IDS = 5_000;

/** SQLite compares a blob as greater than any number or text. */
const BEYOND_ALL = new Uint8Array(1);

const BY_ID: SortKey[] = [{ path: "_id", direction: 1 }];

/** Reads in one go what an index narrows down; anything else in windows, between which the event loop runs. */
export class Reader {
  readonly #file: Pick<EmbeddedFile<never>, "read">;

  constructor(file: Pick<EmbeddedFile<never>, "read">) {
    this.#file = file;
  }

  byId(shape: Shape, id: string): Promise<StoredDocument | null> {
    const statement = `SELECT doc FROM "${shape.name}" WHERE id = ?`;
    return this.#file.read((statements) => {
      const row = statements.get(statement).get(id);
      if (!row) return null;
      const document = toDocument(row);
      // Cheaper here than in SQL, which would parse the document for it.
      const expiry = shape.expires === undefined ? undefined : getValueAt(document, shape.expires);
      return typeof expiry === "number" && expiry <= Date.now() ? null : reviveDates(shape, document);
    });
  }

  async find(shape: Shape, selection: Selection): Promise<StoredDocument[]> {
    const { predicate, sort, skip = 0, limit = Infinity } = selection;
    const isCut = Number.isFinite(limit) && sort[0] !== undefined && isIndexLead(shape, sort[0].path);
    const isOfAll = isCut && listConjuncts(predicate).length === 0;
    if (isOfAll || findPinnedId(predicate) !== undefined || (await this.#isQuick(shape, predicate)))
      return toDocuments(shape, await this.#select(shape, selection));
    const most = skip + limit;
    if (isCut && most <= 2 * WINDOW) {
      // What matches often is met soon, in the order of the index.
      const soon = await this.#select(shape, selection, { among: most + WINDOW });
      if (soon.length === limit) return toDocuments(shape, soon);
    }
    if (sort.length > 0) {
      const ids = await this.#readSortedIds(shape, predicate, sort, most);
      return this.#readDocuments(shape, predicate, ids.slice(skip));
    }
    const matches: StoredDocument[] = [];
    for await (const rows of this.#walkWindows(shape, predicate, "doc")) {
      matches.push(...toDocuments(shape, rows));
      if (matches.length >= most) break;
    }
    return matches.slice(skip, most);
  }

  async count(shape: Shape, predicate: Predicate): Promise<number> {
    if (listConjuncts(predicate).length === 0 || (await this.#isQuick(shape, predicate))) {
      const { sql, params } = countStatement(shape, predicate);
      return Number((await this.#queryAll(sql, params))[0]![0]);
    }
    let count = 0;
    for await (const rows of this.#walkWindows(shape, predicate, "1")) count += rows.length;
    return count;
  }

  async countBy(
    shape: Shape,
    predicate: Predicate,
    fields: readonly string[],
    dated: string | undefined,
  ): Promise<CountedGroup[]> {
    const { sql, params } = planUnexpired(shape, predicate);
    const keys = fields.map((field) => toFieldSql(shape, field));
    const earliest = dated === undefined ? "NULL" : `min(${toFieldSql(shape, dated)})`;
    const columns = ["count(*)", earliest, ...keys].join(", ");
    const group = keys.length === 0 ? " HAVING count(*) > 0" : ` GROUP BY ${keys.join(", ")}`;
    const rows = await this.#queryAll(
      `SELECT ${columns} FROM "${shape.name}"${sql && ` WHERE ${sql}`}${group}`,
      params,
    );
    return rows.map(([count, earliest, ...values]) => ({
      values: values.map((value, index) => toScalar(value, shape.fields.get(fields[index]!))),
      count: Number(count),
      ...(typeof earliest === "number" ? { earliest: new Date(earliest) } : {}),
    }));
  }

  /**
   * Matches in order of id, or of `sort`, in batches. A document that changes meanwhile is seen as it was or as it is.
   */
  async *iterate(shape: Shape, predicate: Predicate, sort: readonly SortKey[]): AsyncGenerator<StoredDocument[]> {
    let ids: string[] | undefined;
    if (isSelective(shape, predicate)) {
      // Asked for the order of ids, SQLite would read the whole table in it rather than what the filter leaves.
      const rows = await this.#select(shape, { predicate, sort, limit: REMEMBERED_IDS + 1 }, { columns: "id" });
      if (rows.length <= REMEMBERED_IDS)
        ids = (sort.length > 0 ? rows : rows.sort((a, b) => compareByKeys(a, b, BY_ID))).map(([id]) => id as string);
    }
    if (!ids && sort.length === 0) {
      for await (const rows of this.#walkWindows(shape, predicate, "doc", "id")) yield toDocuments(shape, rows);
      return;
    }
    ids ??= await this.#readSortedIds(shape, predicate, sort);
    for (let start = 0; start < ids.length; start += WINDOW)
      yield await this.#readDocuments(shape, predicate, ids.slice(start, start + WINDOW));
  }

  /** Returns those documents that match still, in the order of the ids. */
  async #readDocuments(shape: Shape, predicate: Predicate, ids: readonly string[]): Promise<StoredDocument[]> {
    const { sql, params } = planUnexpired(shape, predicate);
    const statement = `SELECT doc FROM "${shape.name}" WHERE id IN (SELECT value FROM json_each(?))${sql && ` AND ${sql}`}`;
    const documents = new Map<string, StoredDocument>();
    for (let start = 0; start < ids.length; start += WINDOW) {
      const batch = JSON.stringify(ids.slice(start, start + WINDOW));
      for (const document of toDocuments(shape, await this.#queryAll(statement, [batch, ...params])))
        documents.set(document._id, document);
      await turn();
    }
    return ids.flatMap((id) => documents.get(id) ?? []);
  }

  /** Holds the sort values and the ids only, not the documents; of more than are wanted, the first. */
  async #readSortedIds(
    shape: Shape,
    predicate: Predicate,
    sort: readonly SortKey[],
    most = Infinity,
  ): Promise<string[]> {
    const columns = sort.map(({ path }) => toFieldSql(shape, path)).join(", ");
    const compare = (first: unknown[], second: unknown[]): number => compareByKeys(first, second, sort);
    const entries: unknown[][] = [];
    for await (const rows of this.#walkWindows(shape, predicate, `${columns}, id`)) {
      entries.push(...rows);
      if (entries.length > 2 * most + WINDOW) entries.sort(compare).splice(most);
    }
    return entries
      .sort(compare)
      .slice(0, most)
      .map((row) => row.at(-1) as string);
  }

  /** Walks the whole table by row number or by id, and gives the columns of the matches. */
  async *#walkWindows(
    shape: Shape,
    predicate: Predicate,
    columns: string,
    key: "rowid" | "id" = "rowid",
  ): AsyncGenerator<unknown[][]> {
    const { sql, params } = planUnexpired(shape, predicate);
    const table = `"${shape.name}"${key === "rowid" ? " NOT INDEXED" : ""}`;
    const edge = `SELECT ${key} FROM "${shape.name}" WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${WINDOW - 1}`;
    const page = `SELECT ${columns} FROM ${table} WHERE ${key} > ? AND ${key} <= ?${sql && ` AND ${sql}`} ORDER BY ${key}`;
    let start: SQLInputValue = key === "rowid" ? -1 : "";
    for (;;) {
      const after: SQLInputValue = start;
      const { rows, end }: { rows: unknown[][]; end: SQLInputValue } = await this.#file.read((statements) => {
        const [end = BEYOND_ALL] = (statements.get(edge).get(after) ?? []) as unknown as SQLInputValue[];
        return { rows: statements.get(page).all(after, end, ...params) as unknown as unknown[][], end };
      });
      if (rows.length > 0) yield rows;
      if (end === BEYOND_ALL) return;
      start = end;
      await turn();
    }
  }

  /** Returns whether an index narrows a filter down, or the table is too small to need one. */
  async #isQuick(shape: Shape, predicate: Predicate): Promise<boolean> {
    if (isSelective(shape, predicate)) return true;
    // In one SELECT the two would read the whole table.
    const end = (extreme: "max" | "min"): string => `(SELECT ${extreme}(rowid) FROM "${shape.name}")`;
    const [row] = await this.#queryAll(`SELECT ${end("max")} - ${end("min")}`, []);
    return Number(row![0] ?? 0) < 2 * WINDOW;
  }

  #select(shape: Shape, selection: Selection, columns?: Parameters<typeof selectStatement>[2]): Promise<unknown[][]> {
    const { sql, params } = selectStatement(shape, selection, columns);
    return this.#queryAll(sql, params);
  }

  #queryAll(sql: string, params: readonly SQLInputValue[]): Promise<unknown[][]> {
    return this.#file.read((statements) => statements.get(sql).all(...params) as unknown as unknown[][]);
  }
}

/** Turns the declared dates of a stored document back into Date objects, in place. */
export function reviveDates(shape: Shape, document: StoredDocument): StoredDocument {
  for (const path of shape.dates) {
    const segments = path.split(".");
    const key = segments.pop()!;
    const holder = segments.length === 0 ? document : getValueAt(document, segments.join("."));
    if (isPlainObject(holder) && typeof holder[key] === "number") holder[key] = new Date(holder[key]);
  }
  return document;
}

function toScalar(value: unknown, type: FieldType | undefined): Scalar {
  if (typeof value === "number") return type === "date" ? new Date(value) : type === "boolean" ? value === 1 : value;
  return typeof value === "string" ? value : null;
}

function toDocuments(shape: Shape, rows: readonly unknown[]): StoredDocument[] {
  return rows.map((row) => reviveDates(shape, toDocument(row)));
}

export function toDocument(row: unknown): StoredDocument {
  return JSON.parse((row as [string])[0]) as StoredDocument;
}
