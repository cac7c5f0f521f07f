import { ofType } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/** An order has each of its disputes once, as the bank decided it, and none of the money that they hold is refunded. */
export const disputes: Check = (operations, { orders }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "disputes", about, message });
  const decided = new Map(ofType(operations, "dispute.close").map(({ input }) => [input.disputeId, input.status]));
  const opened = ofType(operations, "dispute.open").filter(({ result }) => result === "ok");
  const disputesByOrder = groupBy(opened, ({ input }) => input.orderId);
  for (const { orderId, total, refunded, disputes: knownDisputes } of orders) {
    for (const [disputeId, times] of repeated(knownDisputes, (dispute) => dispute.disputeId))
      tell(orderId, `has the dispute ${disputeId} ${times} times`);
    let heldAmount = 0;
    for (const { input, output } of disputesByOrder.get(orderId) ?? []) {
      const { disputeId } = output!;
      const dispute = knownDisputes.find((candidate) => candidate.disputeId === disputeId);
      const status = decided.get(disputeId) ?? "needs_response";
      if (!dispute) tell(orderId, `does not know the dispute ${disputeId}`);
      else if (dispute.amount !== input.amount || dispute.status !== status)
        tell(orderId, `has ${disputeId} as ${dispute.amount}, ${dispute.status}, and it is ${input.amount}, ${status}`);
      if (status !== "won") heldAmount += input.amount;
    }
    if (refunded + heldAmount > total)
      tell(orderId, `has ${refunded} of ${total} refunded, and a dispute has ${heldAmount}`);
  }
  return violations;
};
