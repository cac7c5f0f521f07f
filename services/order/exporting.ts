import type { ExportPage } from "../../broker/contract/export-page.ts";
import type { InferRules } from "@partline/api-contracts";
import type { DocumentStore, Filter } from "@partline/durable";
import { exportByCreation, exportPage, parsePlace, createFilterAfter, type ExportRow } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import { adminOrderRule, orderLineFields } from "./resources.ts";
import { adminView } from "./views.ts";

type ExportQuery = InferRules<typeof exportParams> & { orderIds?: string };

/** Orders that a page is made of, at most. */
const ORDERS_READ = 200;

/** Exports orders and their lines in the order in which the orders were made. */
export function createOrderExport(documents: DocumentStore) {
  const orders = documents.collection<OrderDocument>(ORDERS);

  return {
    exportOrders: (query: ExportQuery): Promise<ExportPage> =>
      exportByCreation(orders, query, {
        name: "orders",
        columns: adminOrderRule.props,
        limit: ORDERS_READ,
        view: adminView,
        filter: createChoice(query),
      }),

    async exportLines(query: ExportQuery): Promise<ExportPage> {
      const after = parsePlace(query, "time");
      const filter = { ...createFilterAfter("createdAt", query, after, true), ...createChoice(query) };
      const matches = await orders.find(filter, { sort: { createdAt: 1 }, limit: ORDERS_READ });
      const rows = matches.flatMap(toLineRows).filter(({ place: [createdAt, id, index] }) => {
        const isOfLast = after !== undefined && createdAt === after[0] && id === after[1];
        return !isOfLast || index! > (after[2] ?? -1);
      });
      return exportPage("order-lines", orderLineFields, query, { rows, ends: matches.length < ORDERS_READ });
    },
  };
}

const createChoice = ({ orderIds }: ExportQuery): Filter => (orderIds ? { _id: { $in: orderIds.split(",") } } : {});

function toLineRows(order: OrderDocument): ExportRow[] {
  const { orderId, orderNumber, createdAt, status, paymentStatus, currency, items } = adminView(order);
  return items.map((item, index) => ({
    place: [createdAt.getTime(), orderId, index],
    values: { orderId, orderNumber, createdAt, status, paymentStatus, currency, ...item },
  }));
}
