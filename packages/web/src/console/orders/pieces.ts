import type { AdminOrder, DeliveryPromise, OrderReturn } from "@partline/client";
import { getCurrencyDigits } from "@partline/parts-language";
import { formatDay } from "../shared/format.ts";
import { texts } from "../texts.ts";

/** How many pieces of each product a request may name, and names. */

type Line = AdminOrder["items"][number];

export interface Choice {
  productId: string;
  partNumber: string;
  name: string;
  left: number;
  /** How many of those wait for stock. */
  backordered: number;
  /** The price of one piece, in the order's currency. */
  price: number;
}

type Progress = Pick<AdminOrder, "status" | "fulfilment">;

/** An order's status, in the word for it: what a buyer collects is never shipped. */
export function resolveStatus({ status, fulfilment }: Progress): string {
  return fulfilment === "pickup" && (status === "shipped" || status === "delivered") ? `pickup_${status}` : status;
}

/** The same for pieces of a line. */
export function resolveLineState(order: Progress, state: string): string {
  return state === "shipped" && order.fulfilment === "pickup"
    ? resolveStatus({ ...order, status: order.status === "delivered" ? "delivered" : "shipped" })
    : state;
}

export const inStock = ({ quantities }: Line): number => quantities.open;
export const countBackordered = ({ quantities }: Line): number => quantities.backordered;
export const toShip = ({ quantities }: Line): number => quantities.open + quantities.backordered;
export const wereShipped = ({ quantities }: Line): number => quantities.shipped;
export const notGone = ({ quantities }: Line): number => quantities.open + quantities.backordered + quantities.shipped;
export const countUnrefunded = (line: Line): number => Math.max(0, notGone(line) - (line.piecesRefunded ?? 0));

/** Returns what a dispute asks the shop to do, by what has left it; undefined if nothing has left or will. */
export function findDisputeStep({
  items,
  disputeState,
}: Pick<AdminOrder, "items" | "disputeState">): "beforeShipping" | "answer" | "settle" | undefined {
  if (items.some((line) => toShip(line) > 0)) return "beforeShipping";
  if (!items.some((line) => wereShipped(line) > 0)) return undefined;
  return disputeState === "lost" ? "settle" : "answer";
}

/** Lines of one product are one choice: requests name products. */
export function listChoices({ items }: Pick<AdminOrder, "items">, available: (line: Line) => number): Choice[] {
  const choices = new Map<string, Choice>();
  for (const line of items) {
    const { productId, partNumber, name, price } = line;
    const left = (choices.get(productId)?.left ?? 0) + available(line);
    const backordered = (choices.get(productId)?.backordered ?? 0) + line.quantities.backordered;
    if (left > 0) choices.set(productId, { productId, partNumber, name, left, backordered, price });
  }
  return [...choices.values()];
}

export type Chosen = Readonly<Record<string, number>>;

/** The same count of each choice, as far as it goes. */
export function chooseLines(order: Pick<AdminOrder, "items">, pieces: (line: Line) => number): Chosen {
  return Object.fromEntries(listChoices(order, pieces).map(({ productId, left }) => [productId, left]));
}

/** What no dispute has of what was paid and not refunded. */
export function leftToRefund({ total, refundedAmount, disputedAmount = 0, currency }: AdminOrder): number {
  return Number((total - refundedAmount - disputedAmount).toFixed(getCurrencyDigits(currency)));
}

/** The pieces that are awaited of a return. */
export function choicesAwaited(order: AdminOrder, { awaited }: OrderReturn): Choice[] {
  const left = new Map(awaited.map(({ productId, quantity }) => [productId, quantity]));
  return listChoices(order, wereShipped)
    .map((choice) => ({ ...choice, left: left.get(choice.productId) ?? 0, backordered: 0 }))
    .filter((choice) => choice.left > 0);
}

/** The fee that is kept from the pieces of a return that come now, unless staff set another: those that come first. */
export function feeOfReturn({ received, restockingFee }: OrderReturn): number {
  return received.length === 0 ? restockingFee : 0;
}

/**
 * The most that is refunded for pieces of a return, less the fee: nothing again for those that are refunded already.
 */
export function refundOfReturn(order: AdminOrder, fee: number, chosen: Chosen): number {
  const unrefunded = order.items.map(({ productId, ...line }) => {
    return [productId, Math.max(0, (chosen[productId] ?? 0) - (line.piecesRefunded ?? 0))] as const;
  });
  return Math.max(0, Math.min(leftToRefund(order), computeShare(order, Object.fromEntries(unrefunded)) - fee));
}

/** The most that is refunded for pieces: their share of what was paid without shipping, within what is left. */
export function computeWorth(order: AdminOrder, chosen: Chosen): number {
  const { paymentStatus } = order;
  if (paymentStatus !== "paid" && paymentStatus !== "partially_refunded") return 0;
  const left = leftToRefund(order);
  return isAll(listChoices(order, notGone), chosen) ? left : Math.min(left, computeShare(order, chosen));
}

/** What was paid for pieces: their share of the total without shipping. */
function computeShare(order: AdminOrder, chosen: Chosen): number {
  const { items, total, shipping } = order;
  const worth = items.reduce((sum, line) => sum + line.total, 0);
  const part = listChoices(order, notGone).reduce(
    (sum, { productId, price }) => sum + price * (chosen[productId] ?? 0),
    0,
  );
  return worth === 0 ? 0 : (part * Math.max(0, total - shipping)) / worth;
}

export function chosenLines(chosen: Chosen): { productId: string; quantity: number }[] {
  return Object.entries(chosen)
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId, quantity }));
}

export function isAll(choices: readonly Choice[], chosen: Chosen): boolean {
  return choices.every(({ productId, left }) => chosen[productId] === left);
}

/** Pieces that somebody must pack or order, by state. */
export function toDo({ items }: Pick<AdminOrder, "items">): ["open" | "backordered", number][] {
  return (["open", "backordered"] as const)
    .map((state): ["open" | "backordered", number] => [
      state,
      items.reduce((sum, { quantities }) => sum + quantities[state], 0),
    ])
    .filter(([, count]) => count > 0);
}

const { describeArrival, describeDispatch, describePickup } = texts.person;
const PROMISES = { arrives: describeArrival, ships: describeDispatch, ready: describePickup };

/** Says on which day the buyer expects pieces, as promised. */
export function describePromise({ kind, day, estimated }: DeliveryPromise): string {
  const text = PROMISES[kind](formatDay(day));
  return estimated ? texts.person.estimate(text) : text;
}

/** Lists the day on which pieces are expected, and the one that the buyer was shown if it no longer counts. */
export function listDays(line: Line): string[] {
  const { expectedAt, deliveryPromise, shownPromise } = line;
  const isAwaited = toShip(line) > 0;
  return [
    ...(isAwaited && expectedAt !== undefined ? [texts.person.describeExpected(formatDay(expectedAt))] : []),
    ...(deliveryPromise ? [describePromise(deliveryPromise)] : []),
    ...(isAwaited && !deliveryPromise && shownPromise
      ? [texts.person.describeReplaced(describePromise(shownPromise))]
      : []),
  ];
}
