import { toCursor, readCursor, type Place } from "../../broker/contract/cursor.ts";
import type { Input, Params, Result } from "@partline/api-contracts";
import { limitToMessage } from "../../broker/contract/message.ts";
import { buildCreatedFilter } from "../../broker/contract/period.ts";
import type { Condition, DocumentStore, Filter } from "@partline/durable";
import { normalizePartNumber } from "@partline/parts-language";
import type { Actions, StoredEvent } from "../contracts.ts";
import { normalizeOrderNumber } from "../../mixins/shop/order-number.ts";
import { toFilter, readPage } from "../shared/paging.ts";
import { ORDERS, ORDER_PARTS, type OrderDocument, type OrderPartDocument } from "./collections.ts";
import { findText, toContactKey } from "./derived.ts";
import { ORDER_QUEUES } from "./shape.ts";

/** Orders of the same value follow by id. */
const SORTS = {
  newest: { field: "createdAt", direction: -1 },
  oldest: { field: "createdAt", direction: 1 },
  total_desc: { field: "total", direction: -1 },
  total_asc: { field: "total", direction: 1 },
} as const;

type Sort = keyof typeof SORTS;

type AdminQuery = Params<Actions["order.adminSearch"]>;
type Filters = Partial<Omit<AdminQuery, "sort">> & { sort: Sort };

/** Newest orders of a part that a search reads, which bounds the cost of a part that many buy. */
const MOST_ORDERS_OF_A_PART = 10_000;

/** Lists orders by pages that are counted, or from a cursor on. */
export function createOrderListing(documents: DocumentStore) {
  const orders = documents.collection<OrderDocument>(ORDERS);
  const parts = documents.collection<OrderPartDocument>(ORDER_PARTS);

  function buildFilter(query: Filters, userId?: string): Filter {
    const q = query.q?.trim();
    const number = q?.toUpperCase();
    const { lineState, queue, orderIds } = query;
    return toFilter({
      userId,
      status: query.status,
      paymentStatus: query.paymentStatus,
      refundDue: query.refundDue ? { $gt: 0 } : undefined,
      addressMissing: query.addressMissing || undefined,
      pickupPlace: query.pickupPlace,
      disputeState: query.disputeState,
      "shippingUnderpaid.goesTo": query.shippingUnderpaid ? { $gt: "" } : undefined,
      ...(lineState === undefined ? {} : { [`lineStates.${lineState}`]: true }),
      ...(queue === undefined ? {} : { [`queues.${queue}`]: true }),
      contactKey: toContactKey(query.email),
      createdAt: buildCreatedFilter(query),
      ...(orderIds ? { _id: { $in: orderIds } } : {}),
      ...(q?.startsWith("ord_") ? { _id: q } : {}),
      ...(number?.startsWith("ORD-") ? { orderNumber: { $gte: number, $lt: `${number}\uffff` } } : {}),
    });
  }

  /** Adds a part to a filter. */
  async function withPart(filter: Filter, pnNorm: string | undefined): Promise<Filter> {
    if (pnNorm === undefined) return filter;
    const rows = await parts.find({ pnNorm }, { sort: { createdAt: -1 }, limit: MOST_ORDERS_OF_A_PART });
    return { ...filter, _id: { $in: rows.map(({ orderId }) => orderId) } };
  }

  const toSort = (sort: Sort) => ({ [SORTS[sort].field]: SORTS[sort].direction });

  return {
    /** A page, and how many there are. */
    async findPage(query: Filters & { page: number; pageSize: number }, userId?: string) {
      const filter = await withPart(buildFilter(query, userId), findPartNumber(query.q));
      return readPage(orders, filter, toSort(query.sort), query);
    },
    countQueues: () =>
      Promise.all(
        ORDER_QUEUES.map(async (queue) => ({ queue, count: await orders.count({ [`queues.${queue}`]: true }) })),
      ),
    /** Lists orders after a cursor, as many as fit into a message. @throws VALIDATION_FAILED */
    async from<T>(query: Filters & { cursor?: string; pageSize: number }, view: (order: OrderDocument) => T) {
      const { cursor, pageSize, sort } = query;
      const place = cursor === undefined ? undefined : readCursor(cursor, sort);
      const { q, ...filters } = query;
      const filter = toFilter({ ...buildFilter(filters), ...(q === undefined ? {} : filterText(q)) });
      const matches = await orders.find(place ? filterBeyond(place, sort, filter) : filter, {
        sort: toSort(sort),
        limit: pageSize + 1,
      });
      const shownOrders = limitToMessage(matches.slice(0, pageSize).map(view));
      const last = matches.length > shownOrders.length ? matches[shownOrders.length - 1] : undefined;
      const nextCursor = last && toCursor({ sort, value: Number(last[SORTS[sort].field]), id: last._id });
      return { orders: shownOrders, nextCursor };
    },
  };
}

/** Filters orders by any part of their texts. A whole number has an index. */
function filterText(q: string): Filter {
  const number = normalizeOrderNumber(q);
  return /^ORD-\d{8}-\d{6,}$/.test(number) ? { orderNumber: number } : { searchText: findText(q) };
}

/** Returns the part number in a search; undefined for an order's id or number. */
function findPartNumber(q: string | undefined): string | undefined {
  const text = q?.trim();
  if (text === undefined || text.startsWith("ord_") || text.toUpperCase().startsWith("ORD-")) return undefined;
  return normalizePartNumber(text);
}

/** Filters what follows a place. The first condition leads the index there. */
function filterBeyond({ value, id }: Omit<Place, "sort">, sort: Sort, filter: Filter): Filter {
  const { field, direction } = SORTS[sort];
  const bound = field === "createdAt" ? new Date(value) : value;
  const { $gte: least, ...within } = (filter[field] ?? {}) as Condition;
  const [upTo, after] = direction === -1 ? (["$lte", "$lt"] as const) : (["$gte", "$gt"] as const);
  const bounds =
    direction === -1 ? { ...(least ? { $gte: least } : {}), [upTo]: bound } : { [upTo]: pickLater(least, bound) };
  return {
    ...filter,
    [field]: { ...within, ...bounds },
    $or: [{ [field]: { [after]: bound } }, { [field]: bound, _id: { [after]: id } }],
  };
}

function pickLater(least: Condition["$gte"], moment: Date | number): Condition["$gte"] {
  return least instanceof Date && least.getTime() > Number(moment) ? least : moment;
}

type ReadStream = Actions["eventstore.readStream"];
type StoredOrderEvent = StoredEvent & { aggregate_type: "order" };

/** Reads all events of an order, by version: channels do not promise the order of delivery. */
export async function readHistory(
  orderId: string,
  readStream: (params: Input<ReadStream>) => Promise<Result<ReadStream>>,
) {
  const stored: StoredOrderEvent[] = [];
  for (;;) {
    const after_version = stored.at(-1)?.version ?? 0;
    const { events } = await readStream({ aggregate_id: orderId, after_version, limit: 1_000 });
    // A page of large events is shorter than `limit`.
    if (events.length === 0) break;
    stored.push(...(events as StoredOrderEvent[]));
  }
  return stored
    .map(({ event_id, event_type, data, timestamp }) => {
      // order.created has no version: it is the first.
      const version = "version" in data ? data.version : 1;
      return { event_id, event_type, version, timestamp, data };
    })
    .sort((first, second) => first.version - second.version);
}
