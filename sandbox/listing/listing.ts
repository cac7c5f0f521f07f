import type { Fault } from "../faults/switches.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import type { FaultKind } from "./faults.ts";
import type { Listing } from "./server.ts";

/** A page of the listing as the faults that it meets make it. */
export function listPage<Item>(
  { items: all, breaks, discontinued: discontinue, answer }: Listing<Item>,
  { page, pageSize }: { page: number; pageSize: number },
  faults: readonly Fault<FaultKind>[],
): Reply {
  const fault = (kind: FaultKind): Fault<FaultKind> | undefined => faults.find((candidate) => candidate.kind === kind);
  /** How many a fault strikes, one unless it says so. */
  const struck = (kind: FaultKind): number => (fault(kind) ? (fault(kind)?.value ?? 1) : 0);
  const refused = fault("rate_limited");
  if (refused)
    return jsonReply(
      429,
      { error: "Too many requests" },
      refused.value === null ? {} : { "retry-after": String(refused.value) },
    );
  const failed = fault("error");
  if (failed) return jsonReply(failed.value ?? 500, { error: "Something went wrong" });

  const discontinued = fault("discontinued")?.value ?? 0;
  const listed = all
    .map((item, index) => (index < discontinued ? discontinue(item) : item))
    .slice(fault("vanished")?.value ?? 0);
  const start = ((struck("same_page") || page) - 1) * pageSize;
  const repeated = Math.min(struck("repeated"), start);
  const items = fault("empty") ? [] : listed.slice(start - repeated, start - repeated + pageSize);
  const total = fault("total")?.value ?? listed.length;
  const told = items.map((item, index) => (index < struck("malformed") ? breaks[index % breaks.length]!(item) : item));
  const reply = jsonReply(200, answer({ page, pageSize, total, items: told }));
  return fault("not_json") ? { ...reply, body: reply.body.slice(0, -40) } : reply;
}
