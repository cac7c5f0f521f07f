import { WriterThread as Thread } from "../../sqlite/writer-thread.ts";
import type { CollectionDefinition, StoreLogger } from "../port.ts";
import { fromWire, unavailable } from "./errors.ts";
import type { Request, WireError, WriterOptions } from "./protocol.ts";

/** The document store's writer thread. One that is started again knows the collections that were prepared. */
export class WriterThread extends Thread<Request, WireError> {
  constructor(options: WriterOptions, logger?: StoreLogger) {
    const prepared = new Map<string, CollectionDefinition>();
    super({
      entry: new URL("./writer.ts", import.meta.url),
      name: "document-store-writer",
      workerData: () => ({ ...options, definitions: JSON.stringify([...prepared.values()]) }),
      fromWire,
      unavailable,
      done: (request) => request.kind === "ensure" && prepared.set(request.definition.name, request.definition),
      lost: (reason, unanswered) => logger?.error(`Document store: ${reason}; ${unanswered} writes are unanswered`),
    });
  }
}
