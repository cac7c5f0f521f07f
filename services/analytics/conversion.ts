import { isCharged } from "../shared/placed-order.ts";
import type { StoredEvent } from "../contracts.ts";
import { orderFactOf, type OrderFact, type OrderMade } from "./orders.ts";
import { countAt, HourlyChanges, type Counters } from "./counters.ts";
import { hourOf } from "./hours.ts";
import { tableOf, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

/** Progress of a shopper with a cart or, without a saved one, a checkout; the first hour of each kind. */
interface Journey {
  saved?: string;
  started?: string;
  paid?: true;
}

/** An order that was not paid when it was made: its later events do not name its cart. */
interface LatePayment {
  journey?: string;
  paid?: true;
}

const LATE_PAYMENTS = tableOf<LatePayment>("order");
const JOURNEYS = tableOf<Journey>("journey");
/** `carts.{saved,checkedOut,paid}` of the carts saved in an hour, `checkouts.{started,paid}` of its checkouts. */
export const FUNNEL_HOURS = tableOf<Counters>("funnel");

export const conversionProjection: Projection = { name: "conversion", project };

type Step = { journey: string } & ({ kind: "saved" | "started"; hour: string } | { kind: "paid" });

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const orderFacts = events.flatMap((event) => orderFactOf(event) ?? []).filter(mayTellOfPayment);
  const orderIds = orderFacts.map(({ orderId }) => orderId);
  const late = await LATE_PAYMENTS.load(orderIds, load);
  const steps = [
    ...events.flatMap((event) => cartOrCheckoutStep(event) ?? []),
    ...orderFacts.flatMap((fact) => paidStep(fact) ?? []),
  ];
  const journeyIds = steps.map(({ journey }) => journey);
  const journeys = await JOURNEYS.load(journeyIds, load);
  for (const step of steps) journeys.set(step.journey, journeyAfter(journeys.get(step.journey), step));

  const counts = new HourlyChanges();
  for (const { before, after } of journeys.changes()) {
    count(counts, before, -1);
    count(counts, after, 1);
  }
  const hours = await counts.writtenTo(FUNNEL_HOURS, load);
  return [...late.writes(), ...journeys.writes(), ...hours];

  /** Order and payment come in either order: the second one leads to the journey. */
  function paidStep(fact: OrderFact): Step | undefined {
    const known = late.get(fact.orderId);
    if (fact.kind === "changed") {
      if (!known?.paid) late.set(fact.orderId, { ...known, paid: true });
      return known?.journey === undefined ? undefined : { journey: known.journey, kind: "paid" };
    }
    const journey = journeyOf(fact);
    if (journey === undefined) return undefined;
    if (isCharged(fact.paymentStatus) || known?.paid) return { journey, kind: "paid" };
    late.set(fact.orderId, { journey });
    return undefined;
  }
}

function mayTellOfPayment(fact: OrderFact): boolean {
  return fact.kind === "made" || (!isCharged(fact.cameFrom) && isCharged(fact.paymentStatus));
}

function cartOrCheckoutStep({ aggregate_type, event_type, data, timestamp }: StoredEvent): Step | undefined {
  const hour = hourOf(timestamp);
  if (aggregate_type === "cart" && event_type === "CART_SAVED")
    return { journey: ofCart(data.cartId), kind: "saved", hour };
  if (aggregate_type !== "checkout" || event_type !== "CHECKOUT_STARTED") return undefined;
  const { cartId, sessionId, paymentIntentId } = data;
  const journey = cartId === null ? ofCheckout((sessionId ?? paymentIntentId)!) : ofCart(cartId);
  return { journey, kind: "started", hour };
}

/** A cart is followed across sessions; a checkout without one by its session. */
function journeyOf({ cartId, sessionId }: OrderMade): string | undefined {
  if (cartId !== null) return ofCart(cartId);
  return sessionId === null ? undefined : ofCheckout(sessionId);
}

const ofCart = (cartId: string): string => `cart:${cartId}`;
const ofCheckout = (id: string): string => `checkout:${id}`;

function journeyAfter(journey: Journey | undefined, step: Step): Journey {
  const before = journey ?? {};
  if (step.kind === "paid") return before.paid ? before : { ...before, paid: true };
  const known = before[step.kind];
  return known !== undefined && known <= step.hour ? before : { ...before, [step.kind]: step.hour };
}

function count(counts: HourlyChanges, journey: Journey | undefined, factor: 1 | -1): void {
  if (!journey) return;
  const { saved, started, paid } = journey;
  const wasPaid = paid ? 1 : 0;
  // A paid cart was checked out, even if that event is still on its way.
  const checkedOut = started !== undefined || paid ? 1 : 0;
  if (saved !== undefined) counts.add(saved, { carts: { saved: 1, checkedOut, paid: wasPaid } }, factor);
  if (started !== undefined) counts.add(started, { checkouts: { started: 1, paid: wasPaid } }, factor);
}

export function conversionSlot(sum: Counters) {
  const carts = (name: string): number => countAt(sum, "carts", name);
  const checkouts = (name: string): number => countAt(sum, "checkouts", name);
  return {
    carts: { saved: carts("saved"), checkedOut: carts("checkedOut"), paid: carts("paid") },
    checkouts: { started: checkouts("started"), paid: checkouts("paid") },
  };
}

export function conversionFigures(sum: Counters) {
  const { carts, checkouts } = conversionSlot(sum);
  return {
    carts,
    checkouts,
    rates: {
      cartToCheckout: share(carts.checkedOut, carts.saved),
      checkoutToPaid: share(checkouts.paid, checkouts.started),
      cartToPaid: share(carts.paid, carts.saved),
    },
  };
}

/** To four digits; null of nothing. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
