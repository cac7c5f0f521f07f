import { SERVER_FAULTS, type Fault } from "../faults/switches.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import type { Listing } from "./server.ts";

/**
 * What goes wrong, besides SERVER_FAULTS, and what its `value` means:
 * - `not_json`: an answer cut off in the middle
 * - `malformed`: number of broken items on the page, each broken in another way (1 by default)
 * - `repeated`: number of items of the page before that are on this one too (1 by default), in place of its last ones
 * - `total`: the total in the answer
 * - `empty`: a page without items
 * - `same_page`: the page that every request gets (the first by default)
 * - `discontinued`, `vanished`: number of items, from the first, that are discontinued or not listed any more
 */
export const FAULT_KINDS = [
  ...SERVER_FAULTS,
  "not_json",
  "malformed",
  "repeated",
  "total",
  "empty",
  "same_page",
  "discontinued",
  "vanished",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Returns a page of the listing as the faults that it meets make it. */
export function listPage<Item>(
  { items: all, breaks, discontinued: discontinue, answer }: Listing<Item>,
  { page, pageSize }: { page: number; pageSize: number },
  faults: readonly Fault<FaultKind>[],
): Reply {
  const fault = (kind: FaultKind): Fault<FaultKind> | undefined => faults.find((candidate) => candidate.kind === kind);
  /** How many a fault strikes, one by default. */
  const struck = (kind: FaultKind): number => (fault(kind) ? (fault(kind)?.value ?? 1) : 0);
  const discontinued = fault("discontinued")?.value ?? 0;
  const listed = all
    .map((item, index) => (index < discontinued ? discontinue(item) : item))
    .slice(fault("vanished")?.value ?? 0);
  const start = ((struck("same_page") || page) - 1) * pageSize;
  const from = start - Math.min(struck("repeated"), start);
  const items = fault("empty") ? [] : listed.slice(from, from + pageSize);
  const broken = items.map((item, index) =>
    index < struck("malformed") ? breaks[index % breaks.length]!(item) : item,
  );
  const total = fault("total")?.value ?? listed.length;
  const reply = jsonReply(200, answer({ page, pageSize, total, items: broken }));
  return fault("not_json") ? { ...reply, body: reply.body.slice(0, -40) } : reply;
}
