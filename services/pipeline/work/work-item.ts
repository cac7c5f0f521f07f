import type { AtomicWrite } from "../../../mixins/document-store/port.ts";
import { outbox, type Events } from "../../contracts.ts";

/**
 * A piece of work, as it waits in the durable channel `pipeline.work` for a slot, or, of the last kind, in
 * `pipeline.removal`, so that it waits behind none of the others:
 * - `take`: a file of the object store is copied under its hash
 * - `open`: a file's pages are counted, and its first ranges queued
 * - `range`: ten pages are read
 * - `assemble`: a manual is put together from its ranges
 * - `remove`: what was kept of a manual that is removed goes
 */
export type WorkItem =
  | { kind: "take"; batch: string; file: string }
  | { kind: "open"; reading: string }
  | { kind: "range"; reading: string; range: number }
  | { kind: "assemble"; reading: string }
  | { kind: "remove"; reading: string };

/**
 * Its event, to be written together with what makes it due: once, however often that is repeated, unless `again` says
 * otherwise.
 */
export function workOf(item: WorkItem, again?: string): AtomicWrite {
  const id = [subjectOf(item), workKey(item), ...(again === undefined ? [] : [again])].join("-");
  return item.kind === "remove" ? outbox("pipeline.removal", item, id) : outbox("pipeline.work", item, id);
}

export function workItemOf(payload: Events["pipeline.work"] | Events["pipeline.removal"]): WorkItem {
  return payload as WorkItem;
}

/** Its name among the pieces of the same reading or batch. */
export function workKey(item: WorkItem): string {
  switch (item.kind) {
    case "take":
      return item.file;
    case "range":
      return `r${item.range}`;
    case "open":
    case "assemble":
    case "remove":
      return item.kind;
  }
}

function subjectOf(item: WorkItem): string {
  return item.kind === "take" ? item.batch : item.reading;
}
