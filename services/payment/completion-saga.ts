import type { Cents } from "../../mixins/money.ts";
import type { ShippingAddress } from "../../broker/contract/common.ts";
import type { Result } from "../../broker/contract/define.ts";
import type { Actions } from "../contracts.ts";
import type { Line, Purchase } from "./purchase.ts";
import type { CompleteCommand } from "./event-commands.ts";

/** An order as its event tells of it. */
export type PlacedOrder = Result<Actions["order.createFromPayment"]>["order"];

/** What is durable of a completion. It is kept with the webhook event that asked for it. */
export interface CompletionProgress {
  /** Number of steps that are done. */
  steps: number;
  order?: PlacedOrder;
  /** Whether this event's saga made the order, or found it. */
  created?: boolean;
}

/** A completion on its way: the event that asked for it, and how far it is. */
export interface Completion {
  eventId: string;
  command: CompleteCommand;
  progress: CompletionProgress;
}

/**
 * What the steps do. Each resolves when its effect is durable, and may be repeated, also at the same moment elsewhere:
 * the effect is one. What takes a Completion keeps its progress, in the same write where the effect is in our store.
 */
export interface CompletionPorts {
  /** What was bought, as we kept it. */
  purchase(paymentKey: string): Promise<Purchase | null>;
  /** As the provider tells it; null when it is none of our business. */
  purchaseAtProvider(command: CompleteCommand): Promise<Purchase | null>;
  /** The order that there is of a payment. */
  findOrder(paymentKey: string): Promise<PlacedOrder | null>;
  placeOrder(request: OrderRequest): Promise<{ created: boolean; order: PlacedOrder }>;
  keepProgress(completion: Completion): Promise<void>;
  recordPayment(completion: Completion, order: PlacedOrder): Promise<void>;
  publish(completion: Completion, order: PlacedOrder): Promise<void>;
  clearCart(cartId: string, paymentKey: string): Promise<void>;
  settleOrder(command: CompleteCommand, kind: "paid" | "failed"): Promise<void>;
  /** Whatever else was open for the cart when it was paid can be paid no more. */
  closeOthers(cartId: string, paymentKey: string): Promise<void>;
}

export interface OrderRequest {
  paymentKey: string;
  sessionId: string | null;
  paymentIntentId: string | null;
  cartId: string | null;
  userId: string;
  items: Line[];
  subtotal: Cents;
  tax: Cents;
  shipping: Cents;
  discount?: Cents;
  total: Cents;
  currency: string;
  paymentStatus: "paid" | "pending";
  shippingAddress?: ShippingAddress;
}

type Step = (completion: Completion, order: PlacedOrder, ports: CompletionPorts) => Promise<void>;

/** After the order, in this order. Source: spec, sections 3 and 6; design, The completion webhook. */
const STEPS_AFTER_ORDER: readonly Step[] = [
  function payment(completion, order, ports) {
    return ports.recordPayment(completion, order);
  },
  function event(completion, order, ports) {
    return ports.publish(completion, order);
  },
  async function cart(completion, order, ports) {
    if (order.cartId !== null) await ports.clearCart(order.cartId, completion.command.paymentKey);
    await ports.keepProgress(completion);
  },
  async function settlement(completion, _order, ports) {
    const { command, progress } = completion;
    // An order that was found may have been made when the money was still on its way.
    if (command.payment === "failed" || (command.payment === "paid" && !progress.created))
      await ports.settleOrder(command, command.payment);
    await ports.keepProgress(completion);
  },
  async function others(completion, order, ports) {
    const { paymentKey, payment } = completion.command;
    // A cart whose money did not come may be paid anew.
    if (order.cartId !== null && payment !== "failed") await ports.closeOthers(order.cartId, paymentKey);
    await ports.keepProgress(completion);
  },
];

/**
 * Completes a payment: order, payment record, event, cart, state of the payment, other checkouts of the cart. Goes on where the event's progress ends, so
 * it may be run again after a crash between any two steps, and at the same moment by several workers.
 * @returns the order, or null when the provider's session is none of our business
 */
export async function runCompletion(completion: Completion, ports: CompletionPorts): Promise<PlacedOrder | null> {
  let { progress } = completion;
  if (!progress.order) {
    const placed = await place(completion.command, ports);
    if (!placed) return null;
    const { created, order } = placed;
    progress = { steps: 1, order, created };
    await ports.keepProgress({ ...completion, progress });
  }
  const order = progress.order!;
  for (let done = progress.steps; done <= STEPS_AFTER_ORDER.length; done++) {
    progress = { ...progress, steps: done + 1 };
    await STEPS_AFTER_ORDER[done - 1]!({ ...completion, progress }, order, ports);
  }
  return order;
}

/** The order of a payment, made unless it is there. What it is made of may be known nowhere any more where it is. */
async function place(
  command: CompleteCommand,
  ports: CompletionPorts,
): Promise<{ created: boolean; order: PlacedOrder } | null> {
  const { paymentKey, sessionId, cartId } = command;
  const kept = await ports.purchase(paymentKey);
  if (kept) return ports.placeOrder(orderRequest(command, kept));
  // An intent that names no cart is a session's, whose own event makes the order, or of something else.
  if (sessionId === null && cartId === undefined) return null;
  const order = await ports.findOrder(paymentKey);
  if (order) return { created: false, order };
  const purchase = await ports.purchaseAtProvider(command);
  return purchase && ports.placeOrder(orderRequest(command, purchase));
}

/**
 * The order of a purchase at the provider's figures. Of a payment intent the provider knows a total alone; what it
 * exceeds the subtotal by was added by the store's page for the way.
 */
export function orderRequest(command: CompleteCommand, purchase: Purchase): OrderRequest {
  const { paymentKey, sessionId, paymentIntentId, tax, discount, total, currency, payment } = command;
  const subtotal = command.subtotal ?? purchase.subtotal;
  return {
    paymentKey,
    sessionId,
    paymentIntentId,
    cartId: purchase.cartId,
    userId: purchase.userId,
    items: purchase.items,
    subtotal,
    tax,
    shipping: command.shipping ?? Math.max(0, total - subtotal - tax),
    ...(discount ? { discount } : {}),
    total,
    currency,
    paymentStatus: payment === "paid" ? "paid" : "pending",
    ...(purchase.shippingAddress ? { shippingAddress: purchase.shippingAddress } : {}),
  };
}
