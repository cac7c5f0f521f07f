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
            [orderId, orderNumber, status, paymentStatus, total.toFixed(2), items.length, userId, createdAt].map(cell)),
          note: `${found.length} of ${pagination.total}`,
        };
      },
    },
    history: {
      takes: "<orderId>",
      run: async (broker, words) => {
        const { events } = await call(broker, "order.adminHistory", { orderId: onlyWord(words, "The order's id") }, AS_ADMIN);
        return {
          columns: ["version", "event", "when", "data"],
          rows: events.map(({ version, event_type, timestamp, data }) => [version, event_type, timestamp, data].map(cell)),
        };
      },
    },
    reconcile: {
      takes: "[since, ISO 8601]",
      run: async (broker, words) => {
        const since = words.length === 0 ? undefined : new Date(onlyWord(words, "The moment"));
        if (since && Number.isNaN(since.getTime())) throw new UsageError(`"${words[0]}" is not a moment`);
        const { checked, created, failed } = await call(broker, "order.reconcile", since ? { since } : {}, { ...AS_ADMIN, timeout: RECONCILE_MS });
        return {
          columns: ["outcome", "session or order"],
          rows: [...created.map((id) => ["created", id]), ...failed.map((id) => ["failed", id])],
          note: `${checked} sessions checked, ${created.length} orders made, ${failed.length} failed`,
        };
      },
    },
  },
};
