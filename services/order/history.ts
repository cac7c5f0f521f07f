import type { Actions } from "../contracts.ts";
import type { Input, Result } from "../../broker/contract/define.ts";

type ReadStream = Actions["eventstore.readStream"];
type StoredEvent = Result<ReadStream>["events"][number];
type HistoryEvent = Omit<StoredEvent, "position" | "aggregate_id" | "aggregate_type" | "metadata">;

const BATCH = 1_000;

/** Reads all events of an order, sorted by version: channels do not promise the order of delivery. */
export async function historyOf(
  orderId: string,
  readStream: (params: Input<ReadStream>) => Promise<Result<ReadStream>>,
): Promise<HistoryEvent[]> {
  const stored: StoredEvent[] = [];
  for (;;) {
    const { events } = await readStream({
      aggregate_id: orderId,
      after_version: stored.at(-1)?.version ?? 0,
      limit: BATCH,
    });
    // A page of large events is shorter than `limit`.
    if (events.length === 0) break;
    stored.push(...events);
  }
  return stored
    .map(({ event_id, event_type, data, timestamp }) => ({
      event_id,
      event_type,
      version: orderVersion(data),
      timestamp,
      data,
    }))
    .sort((one, other) => one.version - other.version);
}

/** order.created has no version: it is the first. */
function orderVersion(data: Record<string, unknown>): number {
  return typeof data.version === "number" ? data.version : 1;
}
