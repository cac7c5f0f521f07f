import { cursorAt, placeOf } from "../../broker/contract/cursor.ts";
import type { Input, Params, Result } from "../../broker/contract/define.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import type { DocumentStore, Filter } from "../../mixins/document-store/port.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { Actions } from "../contracts.ts";
import { asked, pageOf } from "../shared/paging.ts";
import { ORDERS, ORDER_PARTS, type OrderDocument, type OrderPartDocument } from "./collections.ts";
import type { orderContract } from "./contract.ts";
import { contactKey } from "./derived.ts";
import { beyond, type Sort, SORTS } from "./keyset.ts";
import { MOST_ORDERS_OF_A_PART, ordersOfPart } from "./orders-of-part.ts";

type AdminQuery = Params<(typeof orderContract)["actions"]["adminSearch"]>;
type Filters = Partial<Omit<AdminQuery, "sort">> & { sort: Sort };

export function createOrderListing(documents: DocumentStore) {
  const orders = documents.collection<OrderDocument>(ORDERS);
  const parts = documents.collection<OrderPartDocument>(ORDER_PARTS);

  function filterOf(query: Filters, userId?: string): Filter {
    const { status, paymentStatus, refundDue, addressMissing, lineState, email } = query;
    const q = query.q?.trim();
    const number = q?.toUpperCase();
    return asked({
      userId,
      status,
      paymentStatus,
      refundDue: refundDue ? { $gt: 0 } : undefined,
      addressMissing: addressMissing || undefined,
      ...(lineState === undefined ? {} : { [`lineStates.${lineState}`]: true }),
      contactKey: contactKey(email),
      createdAt: createdWithin(query),
      ...(q?.startsWith("ord_") ? { _id: q } : {}),
      ...(number?.startsWith("ORD-") ? { orderNumber: { $gte: number, $lt: `${number}\uffff` } } : {}),
    });
  }

  /** As one filter: what is counted, or sorted by something else than time, needs all of them. */
  async function withPart(filter: Filter, pnNorm: string | undefined): Promise<Filter> {
    if (pnNorm === undefined) return filter;
    const rows = await parts.find({ pnNorm }, { sort: { createdAt: -1 }, limit: MOST_ORDERS_OF_A_PART });
    return { ...filter, _id: { $in: rows.map(({ orderId }) => orderId) } };
  }

  const sorted = (sort: Sort) => ({ [SORTS[sort].field]: SORTS[sort].direction });

  return {
    /** A page, and how many there are. */
    async pages(query: Filters & { page: number; pageSize: number }, userId?: string) {
      const filter = await withPart(filterOf(query, userId), partIn(query.q));
      return pageOf(orders, filter, sorted(query.sort), query);
    },
    /** What follows a cursor. @throws VALIDATION_FAILED */
    async from(query: Filters & { cursor?: string; pageSize: number }) {
      const { cursor, pageSize, sort } = query;
      const place = cursor === undefined ? undefined : placeOf(cursor, sort);
      const filter = filterOf(query);
      const pnNorm = partIn(query.q);
      const limit = pageSize + 1;
      let found: OrderDocument[];
      if (pnNorm !== undefined && (sort === "newest" || sort === "oldest"))
        found = await ordersOfPart(orders, parts, { pnNorm, filter, sort, place, limit });
      else {
        const all = await withPart(filter, pnNorm);
        found = await orders.find(place ? beyond(place, sort, all) : all, { sort: sorted(sort), limit });
      }
      const shown = found.slice(0, pageSize);
      const last = found.length > pageSize ? shown.at(-1) : undefined;
      const next = last && cursorAt({ sort, value: Number(last[SORTS[sort].field]), id: last._id });
      return { orders: shown, nextCursor: next };
    },
  };
}

/** Returns the part number that a search is for; undefined for an order's id or number. */
function partIn(q: string | undefined): string | undefined {
  const text = q?.trim();
  if (text === undefined || text.startsWith("ord_") || text.toUpperCase().startsWith("ORD-")) return undefined;
  return normalizePartNumber(text);
}

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
