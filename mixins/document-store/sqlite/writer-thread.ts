import { WriterThread as Thread } from "../../sqlite/writer-thread.ts";
import type { CollectionDefinition, StoreLogger } from "../port.ts";
import { errors, type Request, type WriterOptions } from "./protocol.ts";

/** The document store's way to the writer thread. One that is started again is told the collections that are made. */
export class WriterThread extends Thread<Request> {
  constructor(options: Omit<WriterOptions, "definitions">, logger?: StoreLogger) {
    const made = new Map<string, CollectionDefinition>();
    super({
      path: options.path,
      module: new URL("./group-commit.ts", import.meta.url),
      options: () => ({ ...options, definitions: [...made.values()] }) satisfies WriterOptions,
      errors,
      logger,
      done: (request) => request.kind === "ensure" && made.set(request.definition.name, request.definition),
    });
  }
}
