import { WriterThread as Thread } from "../../sqlite/writer-thread.ts";
import type { CollectionDefinition, StoreLogger } from "../port.ts";
import { fromWire, outcomeUnknown, unavailable } from "./errors.ts";
import type { Request, WireError, WriterOptions } from "./protocol.ts";

/**
 * The document store's way to the writer thread. One that is started again is told the collections that were prepared.
 */
export class WriterThread extends Thread<Request, WireError> {
  constructor(options: Omit<WriterOptions, "definitions">, logger?: StoreLogger) {
    const prepared = new Map<string, CollectionDefinition>();
    super({
      path: options.path,
      module: new URL("./writer.ts", import.meta.url),
      options: () => ({ ...options, definitions: [...prepared.values()] }) satisfies WriterOptions,
      fromWire,
      unavailable,
      outcomeUnknown,
      done: (request) => request.kind === "ensure" && prepared.set(request.definition.name, request.definition),
      lost: (reason, unanswered) => logger?.error(`Document store: ${reason}; ${unanswered} writes are unanswered`),
      moved: (reason) => logger?.error(`Document store: ${reason}`),
    });
  }
}
