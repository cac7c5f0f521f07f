import type { Input, Result } from "@partline/api-contracts";
import { formatAmount, toMinorUnits } from "@partline/parts-language";
import type { Actions } from "../../services/contracts.ts";
import {
  ask,
  formatCell,
  readFilter,
  toListing,
  assertNoWord,
  readOnlyWord,
  UsageError,
  createVerb,
  type Answer,
  type Caller,
  type Command,
} from "./command.ts";
import { renderTable } from "./table.ts";

const RECONCILING = { timeout: 300_000 };
const PAYING = { timeout: 30_000 };
const ORDER = "The order number or id";

const PAID_BACK = {
  succeeded: "refunded",
  pending: "being refunded",
  failed: "not refunded",
} as const;

export const orders: Command = {
  name: "orders",
  summary: "Find and show orders, read their history, refund or cancel them, or create those whose webhook was lost",
  verbs: {
    find: createVerb("<order number, order id, part number or email address>", "What to find", async (broker, q) => {
      const { orders: matches, note } = await findOrders(broker, q);
      return toListing(
        matches.map(({ orderId, orderNumber, status, paymentStatus, total, currency, items, createdAt }) => ({
          order: orderId,
          number: orderNumber,
          status: `${status}, ${paymentStatus}`,
          total: formatSum(total, currency),
          items: items.length,
          created: createdAt,
        })),
        note,
      );
    }),
    show: createVerb("<order number or order id>", ORDER, async (broker, order) =>
      presentOrder(await ask(broker, "order.adminGet", { orderId: await findOrderId(broker, order) })),
    ),
    history: createVerb("<order number or order id>", ORDER, async (broker, order) => {
      const orderId = await findOrderId(broker, order);
      const { events } = await ask(broker, "order.adminHistory", { orderId });
      const currency =
        toText(toFields(events.find(({ event_type }) => event_type === "ORDER_CREATED")?.data)["currency"]) || "usd";
      return toListing(
        events.map(({ version, event_type: event, timestamp: when, data }) => {
          const { orderId: _, version: _version, actor, from, to, amount, toShip: _toShip, ...more } = toFields(data);
          return {
            version,
            event,
            when,
            actor,
            from: formatStates(from),
            to: formatStates(to),
            amount: typeof amount === "number" ? formatAmount(amount, currency) : "",
            data: more,
          };
        }),
      );
    }),
    refund: {
      takes: "<order number or order id> [amount; all that is left without it] [reason=…]",
      run: async (broker, words) => {
        const { orderId, amount, reason } = await readRefund(broker, words);
        const order = await ask(broker, "order.adminRefund", { orderId, amount, reason }, PAYING);
        const { refund, refundedAmount, total, currency } = order;
        const inAll = `${formatSum(refundedAmount, currency)} of ${formatSum(total, currency)} in all`;
        return refundRow(order, `${formatSum(refund.amount, currency)} ${PAID_BACK[refund.status]}; ${inAll}`);
      },
    },
    cancel: {
      takes: "<order number or order id> [reason=…] [force, even if the payment provider refuses the refund]",
      run: async (broker, words) => {
        const rest = words.filter((word) => word !== "force");
        const { orderId, amount, reason } = await readRefund(broker, rest);
        if (amount !== undefined) throw new UsageError("A cancellation takes no amount: it refunds all that is left");
        const forceCancel = rest.length < words.length;
        const order = await ask(broker, "order.cancel", { orderId, reason, forceCancel }, PAYING);
        const { refund, refundDue, currency } = order;
        const paid = refund ? `${formatSum(refund.amount, currency)} ${PAID_BACK[refund.status]}` : "Nothing to refund";
        const dueNote = refundDue && `; ${formatSum(refundDue, currency)} is due and retried until it is refunded`;
        return refundRow(order, `${paid}${dueNote ?? ""}`);
      },
    },
    reconcile: {
      takes: "[since, ISO 8601]",
      run: async (broker, words) => {
        const since = words.length === 0 ? undefined : new Date(readOnlyWord(words, "The time"));
        if (since && Number.isNaN(since.getTime())) throw new UsageError(`"${words[0]}" is not an ISO 8601 time`);
        const { checked, created, unclaimed, failed } = await ask(broker, "payment.reconcile", { since }, RECONCILING);
        const toRows = (outcome: string, ids: readonly string[]) =>
          ids.map((id) => ({ outcome, "order, session or event": id }));
        return toListing(
          [...toRows("created", created), ...toRows("unclaimed", unclaimed), ...toRows("failed", failed)],
          `${checked} sessions and events checked, ${created.length} orders created, ${unclaimed.length} unclaimed, ${failed.length} failed`,
        );
      },
    },
  },
};

/** Finds orders by an e-mail address too, which the API counts no orders of. */
async function findOrders(broker: Caller, q: string) {
  if (q.includes("@")) {
    const { orders: matches, nextCursor } = await ask(broker, "order.adminSearch", { email: q, pageSize: 20 });
    return { orders: matches, note: `${matches.length}${nextCursor ? ", and more" : ""}` };
  }
  const { orders: matches, pagination } = await ask(broker, "order.adminList", { q, pageSize: 20 });
  return { orders: matches, note: `${matches.length} of ${pagination.total}` };
}

function presentOrder(order: Result<Actions["order.adminGet"]>): Answer {
  const { items, refunds, disputes, shippingAddress, currency, ...fields } = order;
  const AMOUNTS = ["subtotal", "tax", "shipping", "discount", "total", "refundedAmount", "refundDue", "disputedAmount"];
  const shipTo = shippingAddress && Object.values(shippingAddress).join(", ");
  const values = Object.entries({ ...fields, shippingAddress: shipTo }).map(([name, value]): [string, unknown] => [
    name,
    AMOUNTS.includes(name) && typeof value === "number" ? formatSum(value, currency) : value,
  ]);
  const parts = items.map(({ partNumber: part, name, quantity, price, total }) => ({
    part,
    name,
    quantity,
    price: formatSum(price, currency),
    total: formatSum(total, currency),
  }));
  const refundLines = refunds.map(
    ({ refundId, amount, status, reason, actor, createdAt }) =>
      `Refund ${refundId} of ${formatSum(amount, currency)}: ${[status, reason, actor, formatCell(createdAt)].filter(Boolean).join(", ")}`,
  );
  const disputeLines = disputes.map(({ disputeId, status, amount, reason, dueBy }) => {
    const what = [status, reason, dueBy && `evidence due ${formatCell(dueBy)}`].filter(Boolean).join(", ");
    return `Dispute ${disputeId}${amount === undefined ? "" : ` of ${formatSum(amount, currency)}`}: ${what}`;
  });
  const { columns, rows } = toListing(parts);
  return toListing(
    [Object.fromEntries(values)],
    ["", renderTable(columns, rows), ...refundLines, ...disputeLines].join("\n"),
  );
}

type RefundedOrder = Pick<Result<Actions["order.cancel"]>, "orderId" | "orderNumber" | "status" | "paymentStatus"> & {
  refund?: { refundId: string } | null | undefined;
};

function refundRow({ orderId, orderNumber, status, paymentStatus, refund }: RefundedOrder, note: string): Answer {
  return toListing(
    [{ order: orderId, number: orderNumber, status: `${status}, ${paymentStatus}`, refund: refund?.refundId }],
    note,
  );
}

type Refund = Input<Actions["order.adminRefund"]>;

async function readRefund(
  broker: Caller,
  words: readonly string[],
): Promise<Pick<Refund, "orderId" | "amount" | "reason">> {
  const isReason = (word: string): boolean => word.includes("=");
  const [order, amount, ...more] = words.filter((word) => !isReason(word));
  assertNoWord(more);
  if (amount !== undefined && !/^\d+(\.\d+)?$/.test(amount)) throw new UsageError(`"${amount}" is not an amount`);
  const { reason } = readFilter(words.filter(isReason), ["reason"]);
  const orderId = await findOrderId(broker, readOnlyWord(order === undefined ? [] : [order], ORDER));
  return {
    orderId,
    amount: amount === undefined ? undefined : Number(amount),
    // The service refuses other reasons.
    reason: reason as Refund["reason"],
  };
}

/** Formats an amount of the API, in currency units. */
function formatSum(amount: number, currency: string): string {
  return `${formatAmount(toMinorUnits(amount, currency), currency)} ${currency.toUpperCase()}`;
}

async function findOrderId(broker: Caller, word: string): Promise<string> {
  const number = word.toUpperCase();
  if (!number.startsWith("ORD-")) return word;
  const { orders: matches } = await ask(broker, "order.adminList", { q: number, pageSize: 20 });
  const order = matches.find(({ orderNumber }) => orderNumber === number);
  if (!order) throw new UsageError(`No order has the number ${number}`);
  return order.orderId;
}

/** `pending, paid`: states of the order and of its payment. */
function formatStates(states: unknown): string {
  return Object.values(toFields(states)).map(toText).join(", ");
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
