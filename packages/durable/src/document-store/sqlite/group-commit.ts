import type { DatabaseSync } from "node:sqlite";
import { isConstraint } from "@partline/toolkit";
import { openForWriting, StatementCache } from "../../sqlite/connection.ts";
import { GroupCommit as Group } from "../../sqlite/group-commit.ts";
import { MAX_DOCUMENT_BYTES } from "../model/document.ts";
import { createBadDocument, isSame, getValueAt, type JsonObject } from "../model/paths.ts";
import type { Predicate } from "../model/filter.ts";
import { compileShape, type Shape } from "../model/shape.ts";
import { applyUpdate } from "../model/update.ts";
import {
  asItem,
  assertEffect,
  createUpserted,
  type Write,
  type WriteResult,
  type StoredDocument,
  type UpdateWrite,
} from "../model/write.ts";
import { DocumentStoreError, type CollectionDefinition, type Scalar } from "../port.ts";
import { defineMatches, toFieldSql, planUnexpired, selectStatement, toSql } from "./planner.ts";
import { ensureCollection } from "./schema.ts";
import { encodeDate, errors, type Answer, type Request, type WriterOptions } from "./protocol.ts";
import { toDocument } from "./reader.ts";

export function openWriter({ path, busyTimeoutMs, definitions }: WriterOptions): GroupCommit {
  return new GroupCommit(openForWriting(path, { busyTimeoutMs }), definitions);
}

export class GroupCommit extends Group<Request, Answer> {
  readonly #statements: StatementCache;
  readonly #shapes = new Map<string, Shape>();

  /** @param definitions collections whose tables exist */
  constructor(database: DatabaseSync, definitions: readonly CollectionDefinition[] = []) {
    super(database, errors);
    defineMatches(database);
    this.#statements = new StatementCache(database);
    for (const definition of definitions) this.#shapes.set(definition.name, compileShape(definition, encodeDate));
  }

  protected override perform(request: Request): Answer {
    switch (request.kind) {
      case "write":
        return this.#write(request.collection, request.write);
      case "atomic":
        for (const [index, item] of request.writes.entries())
          asItem(index, () => assertEffect(item, this.#write(item.collection, item.write)));
        return null;
      case "ensure":
        this.#ensure(compileShape(request.definition, encodeDate));
        return null;
      case "ping":
        return null;
      case "sweep":
        return this.#sweep(this.#shape(request.collection), request.limit);
    }
  }

  #ensure(shape: Shape): void {
    try {
      ensureCollection(this.database, shape);
    } catch (error) {
      if (!isConstraint(error)) throw error;
      throw new DocumentStoreError(
        "DUPLICATE_KEY",
        `${shape.name}: documents that are there already clash with a new unique index`,
        { cause: error },
      );
    }
    this.#shapes.set(shape.name, shape);
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection);
    if (!shape) throw new Error(`Collection ${collection} was not prepared`);
    return shape;
  }

  #write(collection: string, write: Write): WriteResult {
    const shape = this.#shape(collection);
    switch (write.kind) {
      case "insert":
        this.#insert(shape, write.document);
        return { matched: 1 };
      case "update":
        return this.#update(shape, write);
      case "replace":
        return this.#replace(shape, write);
      case "delete":
        return this.#delete(shape, write.filter, write.many);
    }
  }

  #sweep(shape: Shape, limit: number): number {
    if (shape.expires === undefined) return 0;
    const expired = `SELECT id FROM "${shape.name}" WHERE ${toFieldSql(shape, shape.expires)} <= ? LIMIT ?`;
    const sql = `DELETE FROM "${shape.name}" WHERE id IN (${expired})`;
    return Number(this.#statements.get(sql).run(Date.now(), limit).changes);
  }

  #update(shape: Shape, write: UpdateWrite): WriteResult {
    const documents = this.#matches(shape, write.filter, write.many);
    if (documents.length === 0 && write.upsert) {
      const document = createUpserted(write);
      this.#insert(shape, document);
      return { matched: 0, upsertedId: document._id, document: write.answerDocument ? document : undefined };
    }
    for (const document of documents) if (applyUpdate(document, write.steps)) this.#store(shape, document);
    return { matched: documents.length, document: write.answerDocument ? documents[0] : undefined };
  }

  #replace(shape: Shape, { filter, document, upsert }: Extract<Write, { kind: "replace" }>): WriteResult {
    const [current] = this.#matches(shape, filter);
    if (!current) {
      if (!upsert) return { matched: 0 };
      this.#insert(shape, document);
      return { matched: 0, upsertedId: document._id };
    }
    if (current._id !== document._id) throw createBadDocument("_id cannot be changed");
    if (!isSame(current, document)) this.#store(shape, document);
    return { matched: 1 };
  }

  #matches(shape: Shape, predicate: Predicate, many = false): StoredDocument[] {
    const { sql, params } = selectStatement(shape, { predicate, sort: [], limit: many ? undefined : 1 });
    const rows = this.#statements.get(sql).all(...params);
    return rows.map(toDocument);
  }

  #delete(shape: Shape, filter: Predicate, many = false): WriteResult {
    const { sql, params } = planUnexpired(shape, filter);
    const where = sql && ` WHERE ${sql}`;
    const which = many ? where : ` WHERE id IN (SELECT id FROM "${shape.name}"${where} LIMIT 1)`;
    return { matched: Number(this.#statements.get(`DELETE FROM "${shape.name}"${which}`).run(...params).changes) };
  }

  #insert(shape: Shape, document: StoredDocument): void {
    const insert = this.#statements.get(`INSERT INTO "${shape.name}" (id, doc) VALUES (?, ?)`);
    this.#runUnique(shape, document, (text) => insert.run(document._id, text));
  }

  #store(shape: Shape, document: StoredDocument): void {
    const update = this.#statements.get(`UPDATE "${shape.name}" SET doc = ? WHERE id = ?`);
    this.#runUnique(shape, document, (text) => update.run(text, document._id));
  }

  /** Runs a statement; when it meets an expired document, that one makes room. */
  #runUnique(shape: Shape, document: StoredDocument, run: (text: string) => unknown): void {
    const text = toText(document);
    for (;;) {
      try {
        run(text);
        return;
      } catch (error) {
        if (!isConstraint(error)) throw error;
        if (this.#freeExpired(shape, document) === 0) throw createDuplicateKey(shape, error);
      }
    }
  }

  #freeExpired(shape: Shape, document: StoredDocument): number {
    if (shape.expires === undefined) return 0;
    const uniqueKeys = shape.indexes.filter(({ unique }) => unique).map(({ keys }) => Object.keys(keys));
    let freed = 0;
    for (const paths of [["_id"], ...uniqueKeys]) {
      const values = paths.map((path) => (getValueAt(document, path) ?? null) as Scalar);
      if (values.includes(null)) continue;
      const where = [
        `+${toFieldSql(shape, shape.expires)} <= ?`,
        ...paths.map((path) => `${toFieldSql(shape, path)} = ?`),
      ];
      const remove = this.#statements.get(`DELETE FROM "${shape.name}" WHERE ${where.join(" AND ")}`);
      freed += Number(remove.run(Date.now(), ...values.map(toSql)).changes);
    }
    return freed;
  }
}

/** @throws BAD_DOCUMENT when it is too large */
function toText(document: JsonObject): string {
  const text = JSON.stringify(document);
  // A UTF-16 unit takes three bytes at most, so short texts need no count.
  if (text.length * 3 > MAX_DOCUMENT_BYTES && Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
    throw createBadDocument("The document is larger than 16 MiB");
  return text;
}

/** Names the fields and not their values, which may be personal data. */
function createDuplicateKey(shape: Shape, cause: unknown): DocumentStoreError {
  const index = /index '([^']+)'/.exec(cause instanceof Error ? cause.message : "")?.[1];
  const parts = index?.split("__").slice(1, -1);
  const fields = parts?.map((part) => part.replace(/_-?1$/, "")) ?? ["_id"];
  return new DocumentStoreError("DUPLICATE_KEY", `${shape.name}: another document has the same ${fields.join(", ")}`, {
    cause,
  });
}
