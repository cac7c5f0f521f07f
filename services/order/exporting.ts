import type { ExportPage } from "../../broker/contract/export-page.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { exportPage, placeAfter, rowsAfter, type ExportRow, type Place } from "../shared/export-rows.ts";
import type { exportParams } from "../shared/export-rules.ts";
import { ORDERS, type OrderDocument } from "./collections.ts";
import { adminOrderRule, orderLineFields } from "./resources.ts";
import { adminView } from "./views.ts";

type Asked = InferRules<typeof exportParams>;

/** Orders that a page is made of, at most. */
const ORDERS_READ = 200;

/** Exports orders and their lines in the order in which the orders were made. */
export function createOrderExport(documents: DocumentStore) {
  const orders = documents.collection<OrderDocument>(ORDERS);

  async function read(asked: Asked, after: Place | undefined, including: boolean) {
    const options = { sort: { createdAt: 1 }, limit: ORDERS_READ } as const;
    const found = await orders.find(rowsAfter("createdAt", asked, after, including), options);
    return { found, ends: found.length < ORDERS_READ };
  }

  return {
    async orders(asked: Asked): Promise<ExportPage> {
      const { found, ends } = await read(asked, placeAfter(asked, "time"), false);
      const rows = found.map((order): ExportRow => ({ place: placeOf(order), values: adminView(order) }));
      return exportPage("orders", adminOrderRule.props, asked, { rows, ends });
    },

    async lines(asked: Asked): Promise<ExportPage> {
      const after = placeAfter(asked, "time");
      const { found, ends } = await read(asked, after, true);
      const rows = found.flatMap(linesOf).filter(({ place: [at, id, index] }) => {
        const isOfLast = after !== undefined && at === after[0] && id === after[1];
        return !isOfLast || index! > (after[2] ?? -1);
      });
      return exportPage("order-lines", orderLineFields, asked, { rows, ends });
    },
  };
}

const placeOf = ({ createdAt, _id }: OrderDocument): Place => [createdAt.getTime(), _id];

function linesOf(order: OrderDocument): ExportRow[] {
  const { orderId, orderNumber, createdAt, status, paymentStatus, currency, items } = adminView(order);
  return items.map((item, index) => ({
    place: [...placeOf(order), index] as unknown as Place,
    values: { orderId, orderNumber, createdAt, status, paymentStatus, currency, ...item },
  }));
}
