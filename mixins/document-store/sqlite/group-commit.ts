import type { DatabaseSync } from "node:sqlite";
import { isConstraint } from "../../sqlite-error.ts";
import { openForWriting } from "../../sqlite/connection.ts";
import { GroupCommit as Group } from "../../sqlite/group-commit.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import { DocumentStoreError, type CollectionDefinition } from "../port.ts";
import { compileShape, type Shape } from "../model/shape.ts";
import { asItem, assertEffect, type Write, type WriteResult } from "../model/write.ts";
import { defineMatches } from "./planner.ts";
import { errors, type Answer, type Request, type WriterOptions } from "./protocol.ts";
import { ensureCollection } from "./schema.ts";
import { WriteOperations } from "./write-operations.ts";

/** What the writer thread runs for a document store. */
export function openWriter({ path, busyTimeoutMs, definitions }: WriterOptions): GroupCommit {
  return new GroupCommit(openForWriting(path, { busyTimeoutMs }), definitions);
}

/** The writes of the document store on its file, grouped. */
export class GroupCommit extends Group<Request, Answer> {
  readonly #operations: WriteOperations;
  readonly #shapes = new Map<string, Shape>();

  /** `definitions`: collections whose tables exist. */
  constructor(database: DatabaseSync, definitions: readonly CollectionDefinition[] = []) {
    super(database, errors);
    defineMatches(database);
    this.#operations = new WriteOperations(new StatementCache(database));
    for (const definition of definitions) this.#shapes.set(definition.name, compileShape(definition));
  }

  protected override perform(request: Request): Answer {
    switch (request.kind) {
      case "write":
        return this.#write(request.collection, request.write);
      case "atomic":
        return request.writes.map((item, index) =>
          asItem(index, () => {
            const result = this.#write(item.collection, item.write);
            assertEffect(item, result);
            return result;
          }),
        );
      case "ensure":
        this.#ensure(compileShape(request.definition));
        return null;
      case "sweep":
        return this.#operations.sweep(this.#shape(request.collection), request.limit);
      case "ping":
        this.#operations.statements.get("SELECT 1").get();
        return null;
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

  #write(collection: string, write: Write): WriteResult {
    return this.#operations.run(this.#shape(collection), write);
  }

  #shape(collection: string): Shape {
    const shape = this.#shapes.get(collection);
    if (!shape) throw new Error(`Collection ${collection} was not prepared`);
    return shape;
  }
}
