import { ofType } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/** An order has each of its disputes once, as the bank decided it, and none of the money that they hold is refunded. */
export const disputes: Check = (operations, { orders }) => {
  const found: Violation[] = [];
  const tell = (about: string, message: string) => found.push({ check: "disputes", about, message });
  const decided = new Map(ofType(operations, "dispute.close").map(({ input }) => [input.disputeId, input.status]));
  const opened = ofType(operations, "dispute.open").filter(({ result }) => result === "ok");
  const byOrder = groupBy(opened, ({ input }) => input.orderId);
  for (const { orderId, total, refunded, disputes: known } of orders) {
    for (const [disputeId, times] of repeated(known, (dispute) => dispute.disputeId))
      tell(orderId, `has the dispute ${disputeId} ${times} times`);
    let held = 0;
    for (const { input, output } of byOrder.get(orderId) ?? []) {
      const { disputeId } = output!;
      const dispute = known.find((one) => one.disputeId === disputeId);
      const status = decided.get(disputeId) ?? "needs_response";
      if (!dispute) tell(orderId, `does not know the dispute ${disputeId}`);
      else if (dispute.amount !== input.amount || dispute.status !== status)
        tell(orderId, `has ${disputeId} as ${dispute.amount}, ${dispute.status}, and it is ${input.amount}, ${status}`);
      if (status !== "won") held += input.amount;
    }
    if (refunded + held > total) tell(orderId, `has ${refunded} of ${total} refunded, and a dispute has ${held}`);
  }
  return found;
};
