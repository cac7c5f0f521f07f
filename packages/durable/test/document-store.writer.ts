import type { CollectionDefinition } from "../src/document-store/port.ts";
import { errors, type Request } from "../src/document-store/sqlite/protocol.ts";
import { WriterThread } from "../src/sqlite/writer-thread.ts";

/** A document store's way to the writer thread, without the store; the thread knows the collections. */
export function documentWriter(path: string, ...definitions: CollectionDefinition[]): WriterThread<Request> {
  return new WriterThread<Request>({
    path,
    busyTimeoutMs: 1_000,
    module: new URL("../src/document-store/sqlite/group-commit.ts", import.meta.url),
    getWriterOptions: () => ({ definitions }),
    errors,
  });
}
