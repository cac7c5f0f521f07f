import { ofType } from "../history.ts";
import { groupBy, repeated, type Check, type Violation } from "./check.ts";

/** A shipment that was acknowledged is there once, one that was refused is not, and no piece leaves twice. */
export const shipments: Check = (operations, { orders }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "shipments", about, message });
  const ordersById = new Map(orders.map((order) => [order.orderId, order]));
  for (const { orderId, quantity, shipments: shipmentList } of orders) {
    const shippedPieces = shipmentList.reduce((sum, shipment) => sum + shipment.quantity, 0);
    if (shippedPieces > quantity) tell(orderId, `has ${shippedPieces} of ${quantity} pieces shipped`);
    for (const [tracking, times] of repeated(shipmentList, (shipment) => shipment.tracking))
      tell(orderId, `the shipment ${tracking} is there ${times} times`);
  }
  for (const { input, result } of ofType(operations, "ship")) {
    const isThere =
      ordersById.get(input.orderId)?.shipments.some(({ tracking }) => tracking === input.tracking) ?? false;
    if (result === "ok" && !isThere)
      tell(input.orderId, `the shipment ${input.tracking} was acknowledged, and is gone`);
    if (result === "refused" && isThere)
      tell(input.orderId, `the shipment ${input.tracking} was refused, and was made`);
  }
  return violations;
};

/**
 * A return that was acknowledged is there; its received, awaited and called-off pieces add up. A receipt that
 * was acknowledged has come once, and is refunded once: what the pieces are worth, except what a dispute has.
 */
export const returns: Check = (operations, { orders }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "returns", about, message });
  const ordersById = new Map(orders.map((order) => [order.orderId, order]));
  const findReturn = ({ orderId, returnId }: { orderId: string; returnId: string }) =>
    ordersById.get(orderId)?.returns.find((candidate) => candidate.returnId === returnId);
  for (const { input, output, result } of ofType(operations, "return")) {
    if (result !== "ok") continue;
    const orderReturn = findReturn({ ...input, ...output! });
    if (orderReturn?.announced !== input.pieces)
      tell(
        input.orderId,
        `the return ${output!.returnId} of ${input.pieces} is of ${orderReturn?.announced ?? "none"}`,
      );
  }
  for (const { input, result } of ofType(operations, "return.cancel")) {
    const isCalledOff = findReturn(input)?.isCalledOff ?? false;
    if (result !== "unknown" && isCalledOff !== (result === "ok"))
      tell(
        input.orderId,
        `calling off the return ${input.returnId} was ${result}, and it is called off: ${isCalledOff}`,
      );
  }
  const receipts = groupBy(ofType(operations, "return.receive"), ({ input }) => input.returnId);
  for (const {
    orderId,
    quantity,
    returns: returnList,
    returned,
    refunds,
    refunded,
    total,
    shipping,
    disputed,
  } of orders) {
    for (const { returnId, announced, received, awaited, isCalledOff } of returnList) {
      const isWhole = isCalledOff ? awaited === 0 && received <= announced : received + awaited === announced;
      if (!isWhole) tell(orderId, `has ${received} received and ${awaited} awaited of ${announced} announced`);
      const orderReceipts = receipts.get(returnId) ?? [];
      const possible = orderReceipts.filter(({ result }) => result !== "refused");
      const certain = orderReceipts.filter(({ result }) => result === "ok");
      const pieces = (receiptList: typeof orderReceipts) =>
        receiptList.reduce((sum, { input }) => sum + input.pieces, 0);
      if (received < pieces(certain) || received > pieces(possible))
        tell(
          orderId,
          `has ${received} received, and ${pieces(certain)} to ${pieces(possible)} were acknowledged or sent`,
        );
      const refundedShare = refunds.filter(
        (refund) => refund.returnId === returnId && refund.status !== "failed",
      ).length;
      if (refundedShare > possible.length) tell(orderId, `has ${refundedShare} refunds of ${possible.length} receipts`);
    }
    const came = returnList.reduce((sum, { received }) => sum + received, 0);
    if (returned !== came) tell(orderId, `has ${returned} pieces returned, and ${came} received`);
    // Of orders with returns nothing else is refunded; all have one product.
    const amountDue = Math.min(Math.round(((total - shipping) * returned) / quantity), total - disputed);
    if (returnList.length > 0 && refunded !== amountDue)
      tell(orderId, `has ${returned} of ${quantity} returned, ${refunded} refunded, and ${amountDue} are due`);
  }
  return violations;
};

/** To the shop: they are not sent once there is nothing to do any more. */
const TO_THE_SHOP = new Set(["refund-failed", "shipping-underpaid"]);

/**
 * Each order has one confirmation, and one mail for each shipment. All of them are sent, but a confirmation of what is
 * cancelled or paid back meanwhile, and the instructions of a return whose pieces have come.
 */
export const mails: Check = (_operations, { orders, mails: mailsByOrder }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "mails", about, message });
  for (const { orderId, status, paymentStatus, shipments: shipmentList, returns: returnList } of orders) {
    const isNeedless: Partial<Record<string, boolean>> = {
      confirmation: status === "cancelled" || paymentStatus === "refunded",
      "return-approved": returnList.some(({ received }) => received > 0),
    };
    const orderMails = mailsByOrder[orderId] ?? [];
    const count = (kind: string): number => orderMails.filter((mail) => mail.kind === kind).length;
    if (count("confirmation") !== 1) tell(orderId, `has ${count("confirmation")} confirmations`);
    if (count("shipped") !== shipmentList.length)
      tell(orderId, `has ${count("shipped")} mails of ${shipmentList.length} shipments`);
    for (const { kind, state } of orderMails)
      if (state !== "sent" && !(state === "skipped" && (TO_THE_SHOP.has(kind) || isNeedless[kind])))
        tell(orderId, `its mail ${kind} is ${state}`);
  }
  return violations;
};
