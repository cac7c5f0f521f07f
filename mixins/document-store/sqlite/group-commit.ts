import type { DatabaseSync } from "node:sqlite";
import { isBusy } from "../../sqlite-error.ts";
import { DocumentStoreError } from "../port.ts";
import type { CollectionDefinition } from "../port.ts";
import { compileShape } from "../model/shape.ts";
import type { Shape } from "../model/shape.ts";
import { hasEffect } from "../model/write.ts";
import type { Write, WriteResult } from "../model/write.ts";
import { isConstraint, isUnavailable, toWire } from "./errors.ts";
import type { Outcome, Reply, Request } from "./protocol.ts";
import { ensureCollection } from "./schema.ts";
import { StatementCache } from "./statements.ts";
import { WriteOperations } from "./write-operations.ts";

/**
 * Runs requests that are waiting at the same time in one transaction, each in a savepoint of its own, and commits once:
 * one wait for the disk serves them all.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #operations: WriteOperations;
  readonly #shapes = new Map<string, Shape>();

  /** `definitions`: collections whose tables exist. */
  constructor(database: DatabaseSync, definitions: readonly CollectionDefinition[] = []) {
    this.#database = database;
    this.#operations = new WriteOperations(database, new StatementCache(database));
    for (const definition of definitions) this.#shapes.set(definition.name, compileShape(definition));
  }

  /** One reply a request, in order. What is answered `ok` is on disk. */
  run(requests: readonly Request[]): Reply[] {
    try {
      return this.#transaction(requests);
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      // One request that does not fit on the disk must not take its neighbours with it; a lock would hold them all up again.
      if (requests.length > 1 && !isBusy(error)) return requests.flatMap((request) => this.run([request]));
      return requests.map(() => ({ ok: false, error: toWire(error) }));
    }
  }

  #transaction(requests: readonly Request[]): Reply[] {
    this.#database.exec("BEGIN IMMEDIATE");
    const replies = requests.map((request) => this.#attempt(() => this.#perform(request)));
    this.#database.exec("COMMIT");
    return replies;
  }

  /** @throws when the file cannot be used, which ends the transaction of all */
  #attempt<T>(work: () => T): Outcome<T> {
    try {
      return { ok: true, value: this.#operations.atomically(work) };
    } catch (error) {
      if (isUnavailable(error) || !this.#database.isTransaction) throw error;
      return { ok: false, error: toWire(error) };
    }
  }

  #perform(request: Request): WriteResult | Outcome<WriteResult>[] | WriteResult[] | number | null {
    switch (request.kind) {
      case "write":
        return this.#write(request.collection, request.write);
      case "bulk":
        return request.writes.map((write) => this.#attempt(() => this.#write(request.collection, write)));
      case "atomic":
        return request.writes.map((item, index) => this.#atomicWrite(item, index));
      case "ensure": {
        this.#ensure(compileShape(request.definition));
        return null;
      }
      case "sweep":
        return this.#operations.sweep(this.#shape(request.collection), request.limit);
      case "ping":
        this.#operations.statements.get("SELECT 1").get();
        return null;
    }
  }

  #ensure(shape: Shape): void {
    try {
      ensureCollection(this.#database, shape);
    } catch (error) {
      if (!isConstraint(error)) throw error;
      throw new DocumentStoreError("DUPLICATE_KEY", `${shape.name}: documents that are there already clash with a new unique index`, { cause: error });
    }
    this.#shapes.set(shape.name, shape);
  }

  #atomicWrite({ collection, write, require }: { collection: string; write: Write; require: boolean }, index: number): WriteResult {
    try {
      const result = this.#write(collection, write);
      if (require && !hasEffect(result)) throw new DocumentStoreError("CONDITION_FAILED", `${collection}: no document met the condition`);
      return result;
    } catch (error) {
      if (error instanceof DocumentStoreError) error.failedAt = index;
      throw error;
    }
  }

  #write(collection: string, write: Write): WriteResult {
    return this.#operations.run(this.#shape(collection), write);
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection);
    if (!shape) throw new Error(`Collection ${collection} was not prepared`);
    return shape;
  }
}
