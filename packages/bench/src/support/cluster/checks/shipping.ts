import { ofType } from "../history.ts";
import { groupBy, type Check, type Violation } from "./check.ts";

const TO_BE_SHIPPED = new Set(["pending", "processing"]);

/**
 * Where shipping costs more to the address that was typed than was paid, the order says so from the beginning, and the
 * shop is notified once. A later address that costs more is refused with the difference.
 */
export const shippingPaid: Check = (operations, { orders, events, mails }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "shipping", about, message });
  const paid = new Map(ofType(operations, "pay").map(({ input }) => [input.sessionId, input]));
  const eventsByOrder = groupBy(events, ({ aggregateId }) => aggregateId);
  for (const { orderId, sessionId, status, underpaid } of orders) {
    const { difference = null } = paid.get(sessionId ?? "") ?? {};
    const differences = (eventsByOrder.get(orderId) ?? []).flatMap((event) => event.underpaid ?? []);
    if (differences.join() !== (difference === null ? "" : String(difference)))
      tell(orderId, `has events that say ${differences.join(", ") || "nothing"} of a difference of ${difference}`);
    // Of what is shipped or cancelled it is of no use any more.
    const expected = TO_BE_SHIPPED.has(status) ? difference : null;
    if (underpaid !== expected) tell(orderId, `says that ${underpaid} are missing, and it is ${expected}`);
    const mailCount = mails[orderId]?.filter(({ kind }) => kind === "shipping-underpaid").length ?? 0;
    if (mailCount !== (difference === null ? 0 : 1))
      tell(orderId, `has ${mailCount} mails of a difference of ${difference}`);
  }
  const shipsTo = new Map(orders.map((order) => [order.orderId, order.shipsTo]));
  for (const { input, result, output } of ofType(operations, "order.readdress")) {
    const { orderId, difference } = input;
    if (result === "ok" && output!.difference !== difference)
      tell(orderId, `was refused for ${output!.difference}, where it is ${difference}`);
    if (shipsTo.get(orderId) === input.state) tell(orderId, `is shipped to ${input.state}, which was not paid for`);
  }
  return violations;
};
