import { paginate } from "../../broker/contract/common.ts";
import type { Params } from "../../broker/contract/define.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import type { Collection, DocumentStore, Filter, SortSpec } from "../../mixins/document-store/port.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { ORDER_PARTS, ORDERS, type OrderDocument, type OrderPartDocument } from "./collections.ts";
import type { orderContract } from "./contract.ts";

type AdminQuery = Params<(typeof orderContract)["actions"]["adminList"]>;
export type ListQuery = Omit<AdminQuery, "refundDue"> & Partial<Pick<AdminQuery, "refundDue">>;

/** Newest orders of a part that a search reads, which bounds the cost of a part that many buy. */
const MOST_ORDERS_OF_A_PART = 10_000;

const SORTS: Record<ListQuery["sort"], SortSpec> = {
  newest: { createdAt: -1, _id: -1 },
  oldest: { createdAt: 1, _id: 1 },
  total_desc: { total: -1, _id: -1 },
  total_asc: { total: 1, _id: 1 },
};

export interface OrderPage {
  orders: OrderDocument[];
  pagination: ReturnType<typeof paginate>;
}

export function createOrderListing(
  documents: DocumentStore,
): (query: ListQuery, userId?: string) => Promise<OrderPage> {
  const orders = documents.collection<OrderDocument>(ORDERS);
  const parts = documents.collection<OrderPartDocument>(ORDER_PARTS);
  return async (query, userId) => {
    const { page, pageSize, status, paymentStatus, refundDue, q, sort } = query;
    const filter: Filter = {
      userId,
      status,
      paymentStatus,
      refundDue: refundDue ? { $gt: 0 } : undefined,
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
