import { openForWriting } from "../../sqlite/connection.ts";
import { GroupCommit } from "./group-commit.ts";
import type { WriterOptions } from "./protocol.ts";

/** What the writer thread runs for a document store. */
export function openWriter({ path, busyTimeoutMs, definitions }: WriterOptions): GroupCommit {
  return new GroupCommit(openForWriting(path, { busyTimeoutMs }), definitions);
}
