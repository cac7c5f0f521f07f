import { sum } from "@partline/toolkit/pure";
import { ofType } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/** Every payment that the provider took is one order, and every order is such a payment. */
export const ordersOfPayments: Check = (operations, { orders, payments }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "orders", about, message });
  for (const name of ["orderId", "orderNumber", "sessionId"] as const) {
    const ordersWithName = orders.filter((order) => order[name] !== null);
    for (const [value, times] of repeated(ordersWithName, (order) => order[name]!))
      tell(value, `${times} orders have this ${name}`);
  }
  const ordersBySession = groupBy(orders, ({ sessionId }) => sessionId ?? "");
  const paid = payments.filter(({ received }) => received > 0);
  for (const { sessionId } of paid)
    if (sessionId !== null && !ordersBySession.has(sessionId)) tell(sessionId, "was paid and has no order");
  const paidSessions = new Set(paid.map(({ sessionId }) => sessionId));
  for (const { orderId, sessionId } of orders)
    if (!paidSessions.has(sessionId)) tell(orderId, "is an order that nobody paid");
  for (const { input, result } of ofType(operations, "pay")) {
    if (result === "ok" && !ordersBySession.has(input.sessionId))
      tell(input.sessionId, "the payment was acknowledged, and there is no order");
  }
  const orderIds = new Set(orders.map(({ orderId }) => orderId));
  for (const { result, output } of ofType(operations, "order.find")) {
    if (result === "ok" && output!.orderId !== null && !orderIds.has(output!.orderId))
      tell(output!.orderId, "was shown to its shopper, and is gone");
  }
  return violations;
};

/** One cart is one checkout: everybody who submitted it got the same session, and it was paid once. */
export const oneSessionACart: Check = (operations, { payments }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "checkout", about, message });
  const answered = ofType(operations, "checkout").filter(({ result }) => result === "ok");
  for (const [cartId, same] of groupBy(answered, ({ input }) => input.cartId)) {
    const sessions = new Set(same.map(({ output }) => output!.sessionId));
    if (sessions.size > 1) tell(cartId, `was given ${sessions.size} sessions`);
  }
  const paid = payments.filter(({ received, cartId }) => received > 0 && cartId !== null);
  for (const [cartId, times] of repeated(paid, ({ cartId }) => cartId!)) tell(cartId, `was paid ${times} times`);
  return violations;
};

const MONEY_IS_BACK = new Set(["pending", "succeeded"]);

/**
 * What was paid is what the orders say, what was refunded and what disputes have is what both sides say, and together
 * never more than was paid: the rest is what the statistics say is still the shop's.
 */
export const money: Check = (_operations, { orders, payments, revenue }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "money", about, message });
  const paymentsBySession = new Map(payments.map((payment) => [payment.sessionId, payment]));
  for (const { orderId, sessionId, total, refunded, disputed, refunds } of orders) {
    const payment = paymentsBySession.get(sessionId);
    if (!payment) continue;
    if (payment.received !== total)
      tell(orderId, `has a total of ${total}, and the provider received ${payment.received}`);
    if (payment.refunded !== refunded)
      tell(orderId, `says that ${refunded} were refunded, and the provider says ${payment.refunded}`);
    if (payment.disputed !== disputed)
      tell(orderId, `says that disputes have ${disputed}, and the provider says ${payment.disputed}`);
    const refundSum = refunds
      .filter(({ status }) => MONEY_IS_BACK.has(status))
      .reduce((sum, { amount }) => sum + amount, 0);
    if (refundSum !== refunded) tell(orderId, `says that ${refunded} were refunded, and lists refunds of ${refundSum}`);
    if (refunded + disputed > total)
      tell(orderId, `has ${refunded} of ${total} refunded, and disputes have ${disputed}`);
  }
  const received = sum(payments.map((payment) => payment.received));
  const totals = sum(orders.map(({ total }) => total));
  if (received !== totals) tell("all orders", `add up to ${totals}, and the provider received ${received}`);
  const takenAmount = sum(payments.map((payment) => payment.refunded + payment.disputed));
  if (revenue.gross !== received || revenue.net !== received - takenAmount)
    tell(
      "all orders",
      `are ${revenue.net} of ${revenue.gross}, and the provider says ${received - takenAmount} of ${received}`,
    );
  return violations;
};

/**
 * A refund that was acknowledged is there once; one that was refused is not there; a cancelled order is cancelled and
 * paid back, except what a dispute has.
 */
export const refunds: Check = (operations, { orders }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "refunds", about, message });
  const ordersById = new Map(orders.map((order) => [order.orderId, order]));
  for (const {
    type,
    input: { orderId, amount },
    result: answered,
  } of ofType(operations, "refund", "refund.disputed")) {
    const result = type === "refund.disputed" && answered === "ok" ? "refused" : answered;
    const refundSum =
      ordersById.get(orderId)?.refunds.filter((refund) => refund.amount === amount && MONEY_IS_BACK.has(refund.status))
        .length ?? 0;
    if (refundSum > 1) tell(orderId, `the refund of ${amount} was made ${refundSum} times`);
    if (refundSum === 0 && result === "ok") tell(orderId, `the refund of ${amount} was acknowledged, and is not there`);
    if (refundSum > 0 && result === "refused") tell(orderId, `the refund of ${amount} was refused, and was made`);
  }
  for (const {
    input: { orderId },
    result,
  } of ofType(operations, "cancel")) {
    const order = ordersById.get(orderId);
    if (result !== "ok" || !order) continue;
    if (order.status !== "cancelled") tell(orderId, `its cancellation was acknowledged, and it is ${order.status}`);
    else if (order.refunded !== order.total - order.disputed)
      tell(
        orderId,
        `is cancelled, ${order.refunded} of ${order.total} were paid back, and disputes have ${order.disputed}`,
      );
  }
  return violations;
};

const STEPS = ["pending", "processing", "shipped", "delivered"];

/** An order is where it was last moved to, or further. */
export const moves: Check = (operations, { orders }) => {
  const ordersById = new Map(orders.map((order) => [order.orderId, order]));
  return ofType(operations, "order.move").flatMap(({ input: { orderId, status }, result }) => {
    const now = ordersById.get(orderId)?.status;
    if (result !== "ok" || now === undefined || now === "cancelled" || STEPS.indexOf(now) >= STEPS.indexOf(status))
      return [];
    return [{ check: "moves", about: orderId, message: `its move to ${status} was acknowledged, and it is ${now}` }];
  });
};
