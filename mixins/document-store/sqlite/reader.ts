import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { OpenedFile } from "../../opened-file.ts";
import { openForReading } from "../../sqlite/connection.ts";
import { withLockRetry } from "../../sqlite/lock-retry.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import { compileMatcher } from "../model/match.ts";
import { compareSortValues, documentComparator, sortValues } from "../model/order.ts";
import type { SortKey } from "../model/order.ts";
import { pinnedId } from "../model/predicate.ts";
import type { Predicate } from "../model/predicate.ts";
import type { Shape } from "../model/shape.ts";
import type { Selection, StoredDocument } from "../model/write.ts";
import { toStoreError, unavailable } from "./errors.ts";
import { conjunction, isOrderedByIndex, isSelective, planCondition, unexpired } from "./planner.ts";
import { parseRows, selectDocuments, selectOne } from "./select.ts";

/** Rows that one turn of the event loop reads at most when no index helps: a few milliseconds. */
const WINDOW = 500;

/** Matches that an iteration remembers by id; more than that, and it walks the table in the order of ids instead. */
const REMEMBERED_IDS = 5_000;

/**
 * Reads, in the calling thread, on a connection that cannot write. What an index narrows down is read in one go;
 * anything else is read in windows, between which the event loop runs.
 */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #statements: StatementCache;
  readonly #file: OpenedFile;
  readonly #timeoutMs: number;

  constructor(path: string, file: OpenedFile, timeoutMs: number) {
    this.#file = file;
    this.#database = openForReading(path, { cacheKiB: 32_000 });
    this.#statements = new StatementCache(this.#database);
    this.#timeoutMs = timeoutMs;
  }

  /** The text of a document, expired or not: the fast path. */
  text(shape: Shape, id: string): Promise<string | undefined> | string | undefined {
    const sql = `SELECT doc FROM "${shape.name}" WHERE id = ?`;
    try {
      this.#file.assertThere();
      const row = this.#statements.get(sql).get(id) as [string] | undefined;
      return row?.[0];
    } catch {
      // Closed, locked or gone: the patient way says which, or waits.
      return this.#read(() => (this.#statements.get(sql).get(id) as [string] | undefined)?.[0]);
    }
  }

  async find(shape: Shape, selection: Selection): Promise<StoredDocument[]> {
    const { predicate, sort, skip = 0, limit = Infinity } = selection;
    if (pinnedId(predicate) !== undefined && skip === 0) {
      const document = await this.#read(() => selectOne(this.#statements, shape, selection, Date.now()));
      return document && limit > 0 ? [document] : [];
    }
    const condition = planCondition(shape, predicate);
    const isCut = Number.isFinite(limit) && condition.exact && isOrderedByIndex(shape, sort);
    if (isCut || isSelective(shape, predicate) || (await this.#isSmall(shape))) {
      return this.#read(() => selectDocuments(this.#statements, shape, selection, Date.now()));
    }
    const kept: StoredDocument[] = [];
    const wanted = skip + limit;
    const compare = sort.length > 0 ? documentComparator(sort) : undefined;
    for await (const documents of this.#scan(shape, predicate)) {
      kept.push(...documents);
      if (!compare && kept.length >= wanted) break;
      if (compare && kept.length > 2 * wanted + WINDOW) kept.sort(compare).splice(wanted);
    }
    if (compare) kept.sort(compare);
    return kept.slice(skip, wanted);
  }

  async count(shape: Shape, predicate: Predicate): Promise<number> {
    const condition = conjunction([planCondition(shape, predicate), unexpired(shape, Date.now())]);
    const { sql, params, exact } = condition;
    if (exact && (sql === undefined || isSelective(shape, predicate) || (await this.#isSmall(shape)))) {
      const statement = `SELECT count(*) FROM "${shape.name}"${sql === undefined ? "" : ` WHERE ${sql}`}`;
      return this.#read(() => (this.#statements.get(statement).get(...params) as unknown as [number])[0]);
    }
    let count = 0;
    for await (const documents of this.#scan(shape, predicate)) count += documents.length;
    return count;
  }

  /**
   * Matches in order of id, or of `sort`, in batches. A document that changes meanwhile is seen as it was or as it is.
   */
  async *iterate(shape: Shape, predicate: Predicate, sort: readonly SortKey[]): AsyncGenerator<StoredDocument[]> {
    const ids = sort.length > 0 ? await this.#sortedIds(shape, predicate, sort) : await this.#fewIds(shape, predicate);
    if (!ids) {
      yield* this.#scan(shape, predicate, "id");
      return;
    }
    const matches = compileMatcher(predicate);
    const { sql, params } = unexpired(shape, Date.now());
    const statement = `SELECT doc FROM "${shape.name}" WHERE id IN (SELECT value FROM json_each(?))${sql === undefined ? "" : ` AND ${sql}`}`;
    for (let start = 0; start < ids.length; start += WINDOW) {
      const batch = ids.slice(start, start + WINDOW);
      const rows = await this.#read(() => this.#statements.get(statement).all(JSON.stringify(batch), ...params));
      const byId = new Map(parseRows(rows).map((document) => [document._id, document]));
      yield batch.flatMap((id) => byId.get(id) ?? []).filter(matches);
      await turn();
    }
  }

  close(): void {
    this.#database.close();
  }

  /** Walks the whole table by row number or by id, a window at a time. */
  async *#scan(shape: Shape, predicate: Predicate, key: "rowid" | "id" = "rowid"): AsyncGenerator<StoredDocument[]> {
    const { sql, params } = conjunction([planCondition(shape, predicate), unexpired(shape, Date.now())]);
    const rest = sql === undefined ? "" : ` AND ${sql}`;
    const hint = key === "rowid" ? " NOT INDEXED" : "";
    const matches = compileMatcher(predicate);
    const edge = `SELECT ${key} FROM "${shape.name}" WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${WINDOW - 1}`;
    const page = `SELECT doc FROM "${shape.name}"${hint} WHERE ${key} > ? AND ${key} <= ?${rest} ORDER BY ${key}`;
    const lastPage = `SELECT doc FROM "${shape.name}"${hint} WHERE ${key} > ?${rest} ORDER BY ${key}`;
    let from: string | number | undefined = key === "rowid" ? -1 : "";
    while (from !== undefined) {
      const start: string | number = from;
      const window: { rows: unknown[]; end?: string | number } = await this.#read(() => {
        const end = (this.#statements.get(edge).get(start) as [string | number] | undefined)?.[0];
        if (end === undefined) return { rows: this.#statements.get(lastPage).all(start, ...params) };
        return { rows: this.#statements.get(page).all(start, end, ...params), end };
      });
      const documents = parseRows(window.rows).filter(matches);
      if (documents.length > 0) yield documents;
      from = window.end;
      if (from !== undefined) await turn();
    }
  }

  /** The ids of the matches in order, or undefined when they are many or not found by an index. */
  async #fewIds(shape: Shape, predicate: Predicate): Promise<string[] | undefined> {
    if (!isSelective(shape, predicate)) return undefined;
    const { sql, params } = conjunction([planCondition(shape, predicate), unexpired(shape, Date.now())]);
    const statement = `SELECT id FROM "${shape.name}" WHERE ${sql} LIMIT ${REMEMBERED_IDS + 1}`;
    const rows = await this.#read(() => this.#statements.get(statement).all(...params) as unknown as [string][]);
    if (rows.length > REMEMBERED_IDS) return undefined;
    return rows.map(([id]) => id).sort((a, b) => compareSortValues([a], [b], ID_ASCENDING));
  }

  /** Keeps the sort values and the ids only, not the documents. */
  async #sortedIds(shape: Shape, predicate: Predicate, sort: readonly SortKey[]): Promise<string[]> {
    const entries: { id: string; values: unknown[] }[] = [];
    for await (const documents of this.#scan(shape, predicate)) {
      for (const document of documents) entries.push({ id: document._id, values: sortValues(document, sort) });
    }
    return entries.sort((a, b) => compareSortValues(a.values, b.values, sort)).map(({ id }) => id);
  }

  async #isSmall(shape: Shape): Promise<boolean> {
    const statement = `SELECT max(rowid) - min(rowid) FROM "${shape.name}"`;
    const [spread] = await this.#read(() => this.#statements.get(statement).get() as unknown as [number | null]);
    return (spread ?? 0) < 2 * WINDOW;
  }

  #read<T>(read: () => T): Promise<T> {
    if (!this.#database.isOpen) return Promise.reject(unavailable("it is closed"));
    const readFile = (): T => {
      this.#file.assertThere();
      return read();
    };
    return withLockRetry(readFile, { timeoutMs: this.#timeoutMs, toError: toStoreError });
  }
}

const ID_ASCENDING: SortKey[] = [{ path: "_id", segments: ["_id"], direction: 1 }];
