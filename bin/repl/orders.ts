import type { CallingOptions, ServiceBroker } from "moleculer";
import type { Input, Result } from "../../broker/contract/define.ts";
import { formatAmount, toMinorUnits } from "../../mixins/money.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { AS_ADMIN, cell, filterOf, noWord, onlyWord, UsageError, type Answer, type Command } from "./command.ts";
import { table } from "./table.ts";

const RECONCILE_MS = 300_000;
/** The payment provider is asked: the REPL waits as long as the gateway. */
const AS_PAYER: CallingOptions = { ...AS_ADMIN, timeout: 30_000 };
const ORDER = "The order's number or id";

const PAID_BACK = {
  succeeded: "is paid back",
  pending: "is on its way back",
  failed: "is not paid back",
} as const;

export const orders: Command = {
  name: "orders",
  summary: "Find and show orders, read their history, refund or cancel them, make those whose webhook was lost",
  verbs: {
    find: {
      takes: "<order number, order id or part number>",
      run: async (broker, words) => {
        const q = onlyWord(words, "What to find");
        const { orders: found, pagination } = await call(broker, "order.adminList", { q, pageSize: 20 }, AS_ADMIN);
        return {
          columns: ["order", "number", "status", "total", "items", "created"],
          rows: found.map(({ orderId, orderNumber, status, paymentStatus, total, currency, items, createdAt }) =>
            [orderId, orderNumber, `${status}, ${paymentStatus}`, told(total, currency), items.length, createdAt].map(
              cell,
            ),
          ),
          note: `${found.length} of ${pagination.total}`,
        };
      },
    },
    show: {
      takes: "<order number or order id>",
      run: async (broker, words) => {
        const orderId = await orderIdOf(broker, onlyWord(words, ORDER));
        return shown(await call(broker, "order.adminGet", { orderId }, AS_ADMIN));
      },
    },
    history: {
      takes: "<order number or order id>",
      run: async (broker, words) => {
        const orderId = await orderIdOf(broker, onlyWord(words, ORDER));
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
    refund: {
      takes: "<order number or order id> [amount; all that is left without it] [reason=…]",
      run: async (broker, words) => {
        const { orderId, amount, reason } = await refundOf(broker, words);
        const refunded = await call(broker, "order.adminRefund", { orderId, amount, reason }, AS_PAYER);
        const { orderNumber, refund, refundedAmount, total, currency, status, paymentStatus } = refunded;
        const inAll = `${told(refundedAmount, currency)} of ${told(total, currency)} in all`;
        return {
          columns: ["order", "number", "status", "refund"],
          rows: [[orderId, orderNumber, `${status}, ${paymentStatus}`, refund.refundId].map(cell)],
          note: `${told(refund.amount, currency)} ${PAID_BACK[refund.status]}; ${inAll}`,
        };
      },
    },
    cancel: {
      takes: "<order number or order id> [reason=…] [force, also where the payment provider refuses the refund]",
      run: async (broker, words) => {
        const rest = words.filter((word) => word !== "force");
        const { orderId, amount, reason } = await refundOf(broker, rest);
        if (amount !== undefined) throw new UsageError("A cancellation takes no amount: all that is left is paid back");
        const forceCancel = rest.length < words.length;
        const cancelled = await call(broker, "order.cancel", { orderId, reason, forceCancel }, AS_PAYER);
        const { orderNumber, refund, refundDue, status, paymentStatus, currency } = cancelled;
        const paid = refund
          ? `${told(refund.amount, currency)} ${PAID_BACK[refund.status]}`
          : "Nothing had to be paid back";
        const due = refundDue && `; ${told(refundDue, currency)} is due and tried again until it is paid back`;
        return {
          columns: ["order", "number", "status", "refund"],
          rows: [[orderId, orderNumber, `${status}, ${paymentStatus}`, refund?.refundId].map(cell)],
          note: `${paid}${due ?? ""}`,
        };
      },
    },
    reconcile: {
      takes: "[since, ISO 8601]",
      run: async (broker, words) => {
        const since = words.length === 0 ? undefined : new Date(onlyWord(words, "The moment"));
        if (since && Number.isNaN(since.getTime())) throw new UsageError(`"${words[0]}" is not a moment`);
        const { checked, created, failed } = await call(broker, "payment.reconcile", since ? { since } : {}, {
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

function shown(order: Result<Actions["order.adminGet"]>): Answer {
  const { items, refunds, disputes, shippingAddress, currency, ...fields } = order;
  const AMOUNTS = ["subtotal", "tax", "shipping", "discount", "total", "refundedAmount", "refundDue"];
  const shipTo = shippingAddress && Object.values(shippingAddress).join(", ");
  const values = Object.entries({ ...fields, shippingAddress: shipTo }).map(([name, value]): [string, string] => [
    name,
    cell(AMOUNTS.includes(name) && typeof value === "number" ? told(value, currency) : value),
  ]);
  const parts = items.map(({ partNumber, name, quantity, price, total }) =>
    [partNumber, name, quantity, told(price, currency), told(total, currency)].map(cell),
  );
  const refundLines = refunds.map(
    ({ refundId, amount, status, reason, actor, createdAt }) =>
      `Refund ${refundId} of ${told(amount, currency)}: ${[status, reason, actor, cell(createdAt)].filter(Boolean).join(", ")}`,
  );
  const disputeLines = disputes.map(({ disputeId, status }) => `Dispute ${disputeId}: ${status}`);
  return {
    columns: values.map(([name]) => name),
    rows: [values.map(([, value]) => value)],
    note: ["", table(["part", "name", "quantity", "price", "total"], parts), ...refundLines, ...disputeLines].join(
      "\n",
    ),
  };
}

type Refund = Input<Actions["order.adminRefund"]>;

/** Reads an order, and perhaps an amount and a reason. @throws UsageError */
async function refundOf(
  broker: Pick<ServiceBroker, "call">,
  words: readonly string[],
): Promise<Pick<Refund, "orderId" | "amount" | "reason">> {
  const isReason = (word: string): boolean => word.includes("=");
  const [order, amount, ...more] = words.filter((word) => !isReason(word));
  noWord(more);
  if (amount !== undefined && !/^\d+(\.\d+)?$/.test(amount)) throw new UsageError(`"${amount}" is not an amount`);
  const { reason } = filterOf(words.filter(isReason), ["reason"]);
  const orderId = await orderIdOf(broker, onlyWord(order === undefined ? [] : [order], ORDER));
  return {
    orderId,
    ...(amount === undefined ? {} : { amount: Number(amount) }),
    // The service knows its reasons, and refuses others by VALIDATION_FAILED.
    ...(reason === undefined ? {} : { reason: reason as Refund["reason"] }),
  };
}

/** As the API has it, in units of the currency. */
function told(amount: number, currency: string): string {
  return `${formatAmount(toMinorUnits(amount, currency), currency)} ${currency.toUpperCase()}`;
}

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
