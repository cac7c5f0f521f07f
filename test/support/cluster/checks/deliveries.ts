import { ofType } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/** A shipment that was acknowledged is there once, one that was refused is not, and no piece leaves twice. */
export const shipments: Check = (operations, { orders }) => {
  const found: Violation[] = [];
  const tell = (about: string, message: string) => found.push({ check: "shipments", about, message });
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  for (const { orderId, quantity, shipments: made } of orders) {
    const sent = made.reduce((sum, shipment) => sum + shipment.quantity, 0);
    if (sent > quantity) tell(orderId, `has ${sent} of ${quantity} pieces shipped`);
    for (const [tracking, times] of repeated(made, (shipment) => shipment.tracking))
      tell(orderId, `the shipment ${tracking} is there ${times} times`);
  }
  for (const { input, result } of ofType(operations, "ship")) {
    const isThere = byId.get(input.orderId)?.shipments.some(({ tracking }) => tracking === input.tracking) ?? false;
    if (result === "ok" && !isThere)
      tell(input.orderId, `the shipment ${input.tracking} was acknowledged, and is gone`);
    if (result === "refused" && isThere)
      tell(input.orderId, `the shipment ${input.tracking} was refused, and was made`);
  }
  return found;
};

/** A return that was acknowledged is there; one whose receipt was acknowledged has come, and is refunded once. */
export const returns: Check = (operations, { orders }) => {
  const found: Violation[] = [];
  const tell = (about: string, message: string) => found.push({ check: "returns", about, message });
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  for (const { input, output, result } of ofType(operations, "return")) {
    if (result === "ok" && !byId.get(input.orderId)?.returns.includes(output!.returnId))
      tell(input.orderId, `the return ${output!.returnId} was acknowledged, and is gone`);
  }
  // Each return is of one piece.
  const receipts = groupBy(ofType(operations, "return.receive"), ({ input }) => input.orderId);
  for (const [orderId, own] of receipts) {
    const { returned = 0, refunds = [] } = byId.get(orderId) ?? {};
    const refunded = refunds.filter(({ status }) => status !== "failed").length;
    const least = own.filter(({ result }) => result === "ok").length;
    if (returned < least) tell(orderId, `${least} receipts were acknowledged, and ${returned} pieces are returned`);
    if (returned > own.filter(({ result }) => result !== "refused").length)
      tell(orderId, `${returned} pieces are returned, and ${own.length} receipts were sent`);
    const others = ofType(operations, "refund").filter(
      ({ input, result }) => input.orderId === orderId && result !== "refused",
    );
    if (refunded < returned || refunded > returned + others.length)
      tell(orderId, `has ${returned} pieces returned, and ${refunded} refunds`);
  }
  return found;
};

/** Each order has one confirmation, and one mail for each shipment; all of them are sent. */
export const mails: Check = (_operations, { orders, mails: sent }) => {
  const found: Violation[] = [];
  const tell = (about: string, message: string) => found.push({ check: "mails", about, message });
  for (const { orderId, shipments: made } of orders) {
    const own = sent[orderId] ?? [];
    const count = (kind: string): number => own.filter((mail) => mail.kind === kind).length;
    if (count("confirmation") !== 1) tell(orderId, `has ${count("confirmation")} confirmations`);
    if (count("shipped") !== made.length) tell(orderId, `has ${count("shipped")} mails of ${made.length} shipments`);
    for (const { kind, state } of own) if (state !== "sent") tell(orderId, `its mail ${kind} is ${state}`);
  }
  return found;
};
