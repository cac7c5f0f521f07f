import { openForWriting } from "../../sqlite/connection.ts";
import { AppendGroup } from "./append-group.ts";
import type { WriterOptions } from "./protocol.ts";

/** What the writer thread runs for an event log. */
export function openWriter({ path, busyTimeoutMs }: WriterOptions): AppendGroup {
  return new AppendGroup(openForWriting(path, { busyTimeoutMs, cacheKiB: 8_000 }));
}
