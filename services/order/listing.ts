import { paginate } from "../../broker/contract/common.ts";
import type { Input, Params, Result } from "../../broker/contract/define.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import type { Collection, DocumentStore, Filter, SortSpec } from "../../mixins/document-store/port.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { Actions } from "../contracts.ts";
import { ORDERS, ORDER_PARTS, type OrderDocument, type OrderPartDocument } from "./collections.ts";
import type { orderContract } from "./contract.ts";

type AdminQuery = Params<(typeof orderContract)["actions"]["adminList"]>;
type StaffFilter = "refundDue" | "addressMissing";
type ListQuery = Omit<AdminQuery, StaffFilter> & Partial<Pick<AdminQuery, StaffFilter>>;

/** Newest orders of a part that a search reads, which bounds the cost of a part that many buy. */
const MOST_ORDERS_OF_A_PART = 10_000;

const SORTS: Record<ListQuery["sort"], SortSpec> = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  total_desc: { total: -1, _id: -1 },
  total_asc: { total: 1, _id: 1 },
};

interface OrderPage {
  orders: OrderDocument[];
  pagination: ReturnType<typeof paginate>;
}

export function createOrderListing(
  documents: DocumentStore,
): (query: ListQuery, userId?: string) => Promise<OrderPage> {
  const orders = documents.collection<OrderDocument>(ORDERS);
  const parts = documents.collection<OrderPartDocument>(ORDER_PARTS);
  return async (query, userId) => {
    const { page, pageSize, status, paymentStatus, refundDue, addressMissing, q, sort } = query;
    const filter: Filter = {
      userId,
      status,
      paymentStatus,
      refundDue: refundDue ? { $gt: 0 } : undefined,
      addressMissing: addressMissing || undefined,
      createdAt: createdWithin(query),
      ...(q === undefined ? {} : await matching(q.trim(), parts)),
    };
    const wanted = Object.fromEntries(
      Object.entries(filter).filter(([, condition]) => condition !== undefined),
    ) as Filter;
    const [total, found] = await Promise.all([
      orders.count(wanted),
      orders.find(wanted, { sort: SORTS[sort], skip: (page - 1) * pageSize, limit: pageSize }),
    ]);
    return { orders: found, pagination: paginate(total, page, pageSize) };
  };
}

async function matching(q: string, parts: Collection<OrderPartDocument>): Promise<Filter> {
  if (q.startsWith("ord_")) return { _id: q };
  const upper = q.toUpperCase();
  if (upper.startsWith("ORD-")) return { orderNumber: { $gte: upper, $lt: `${upper}\uffff` } };
  const rows = await parts.find(
    { pnNorm: normalizePartNumber(q) },
    { sort: { createdAt: -1 }, limit: MOST_ORDERS_OF_A_PART },
  );
  return { _id: { $in: rows.map(({ orderId }) => orderId) } };
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
