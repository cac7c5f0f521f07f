import type { ServiceBroker } from "moleculer";
import { formatAmount } from "../../mixins/money.ts";
import { call } from "../../services/contracts.ts";
import { AS_ADMIN, cell, onlyWord, UsageError, type Command } from "./command.ts";

const RECONCILE_MS = 300_000;

export const orders: Command = {
  name: "orders",
  summary: "Find orders, read their history, make those whose webhook was lost",
  verbs: {
    find: {
      takes: "<order number, order id or part number>",
      run: async (broker, words) => {
        const q = onlyWord(words, "What to find");
        const { orders: found, pagination } = await call(broker, "order.adminList", { q, pageSize: 20 }, AS_ADMIN);
        return {
          columns: ["order", "number", "status", "payment", "total", "items", "user", "created"],
          rows: found.map(({ orderId, orderNumber, status, paymentStatus, total, items, userId, createdAt }) =>
            [orderId, orderNumber, status, paymentStatus, total.toFixed(2), items.length, userId, createdAt].map(cell),
          ),
          note: `${found.length} of ${pagination.total}`,
        };
      },
    },
    history: {
      takes: "<order number or order id>",
      run: async (broker, words) => {
        const orderId = await orderIdOf(broker, onlyWord(words, "The order's number or id"));
        const { events } = await call(broker, "order.adminHistory", { orderId }, AS_ADMIN);
        const currency =
          textOf(fieldsOf(events.find(({ event_type }) => event_type === "ORDER_CREATED")?.data)["currency"]) || "usd";
        return {
          columns: ["version", "event", "when", "actor", "from", "to", "amount", "data"],
          rows: events.map(({ version, event_type, timestamp, data }) => {
            const { orderId: _, version: _version, actor, from, to, amount, ...more } = fieldsOf(data);
            return [
              version,
              event_type,
              timestamp,
              actor,
              statesOf(from),
              statesOf(to),
              typeof amount === "number" ? formatAmount(amount, currency) : "",
              more,
            ].map(cell);
          }),
        };
      },
    },
    reconcile: {
      takes: "[since, ISO 8601]",
      run: async (broker, words) => {
        const since = words.length === 0 ? undefined : new Date(onlyWord(words, "The moment"));
        if (since && Number.isNaN(since.getTime())) throw new UsageError(`"${words[0]}" is not a moment`);
        const { checked, created, failed } = await call(broker, "order.reconcile", since ? { since } : {}, {
          ...AS_ADMIN,
          timeout: RECONCILE_MS,
        });
        return {
          columns: ["outcome", "order, session or event"],
          rows: [...created.map((id) => ["created", id]), ...failed.map((id) => ["failed", id])],
          note: `${checked} sessions and events checked, ${created.length} orders made, ${failed.length} failed`,
        };
      },
    },
  },
};

/** @throws UsageError for a number that no order has */
async function orderIdOf(broker: Pick<ServiceBroker, "call">, word: string): Promise<string> {
  const number = word.toUpperCase();
  if (!number.startsWith("ORD-")) return word;
  const { orders: found } = await call(broker, "order.adminList", { q: number, pageSize: 20 }, AS_ADMIN);
  const order = found.find(({ orderNumber }) => orderNumber === number);
  if (!order) throw new UsageError(`No order has the number ${number}`);
  return order.orderId;
}

/** `pending, paid`: of the order and of its payment. */
function statesOf(states: unknown): string {
  return Object.values(fieldsOf(states)).map(textOf).join(", ");
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
