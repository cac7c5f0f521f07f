import { isCharged } from "../shared/placed-order.ts";
import type { StoredEvent } from "../contracts.ts";
import { toOrderFact, type OrderFact, type OrderMade } from "./orders.ts";
import { countAt, HourlyChanges, type Counters } from "./counters.ts";
import { toHour } from "./hours.ts";
import { defineTable, type LoadRows, type Projection, type RowWrite } from "./rows.ts";

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

const LATE_PAYMENTS = defineTable<LatePayment>("order");
const JOURNEYS = defineTable<Journey>("journey");
/** `carts.{saved,checkedOut,paid}` of the carts saved in an hour, `checkouts.{started,paid}` of its checkouts. */
export const FUNNEL_HOURS = defineTable<Counters>("funnel");

export const conversionProjection: Projection = { name: "conversion", project };

type Step = { journey: string } & ({ kind: "saved" | "started"; hour: string } | { kind: "paid" });

async function project(events: readonly StoredEvent[], load: LoadRows): Promise<RowWrite[]> {
  const orderFacts = events.flatMap((event) => toOrderFact(event) ?? []).filter(mayConcernPayment);
  const orderIds = orderFacts.map(({ orderId }) => orderId);
  const late = await LATE_PAYMENTS.load(orderIds, load);
  const steps = [
    ...events.flatMap((event) => findCartOrCheckoutStep(event) ?? []),
    ...orderFacts.flatMap((fact) => findPaidStep(fact) ?? []),
  ];
  const journeyIds = steps.map(({ journey }) => journey);
  const journeys = await JOURNEYS.load(journeyIds, load);
  for (const step of steps) journeys.set(step.journey, applyStep(journeys.get(step.journey), step));

  const counts = new HourlyChanges();
  for (const { before: previous, after } of journeys.changes()) {
    count(counts, previous, -1);
    count(counts, after, 1);
  }
  const hours = await counts.writeTo(FUNNEL_HOURS, load);
  return [...late.listWrites(), ...journeys.listWrites(), ...hours];

  /** Order and payment come in either order: the second one leads to the journey. */
  function findPaidStep(fact: OrderFact): Step | undefined {
    const latePayment = late.get(fact.orderId);
    if (fact.kind === "changed") {
      if (!latePayment?.paid) late.set(fact.orderId, { ...latePayment, paid: true });
      return latePayment?.journey === undefined ? undefined : { journey: latePayment.journey, kind: "paid" };
    }
    const journey = findJourneyId(fact);
    if (journey === undefined) return undefined;
    if (isCharged(fact.paymentStatus) || latePayment?.paid) return { journey, kind: "paid" };
    late.set(fact.orderId, { journey });
    return undefined;
  }
}

function mayConcernPayment(fact: OrderFact): boolean {
  return fact.kind === "made" || (!isCharged(fact.cameFrom) && isCharged(fact.paymentStatus));
}

function findCartOrCheckoutStep({ aggregate_type, event_type, data, timestamp }: StoredEvent): Step | undefined {
  const hour = toHour(timestamp);
  if (aggregate_type === "cart" && event_type === "CART_SAVED")
    return { journey: toCartJourneyId(data.cartId), kind: "saved", hour };
  if (aggregate_type !== "checkout" || event_type !== "CHECKOUT_STARTED") return undefined;
  const { cartId, sessionId, paymentIntentId } = data;
  const journey = cartId === null ? toCheckoutJourneyId((sessionId ?? paymentIntentId)!) : toCartJourneyId(cartId);
  return { journey, kind: "started", hour };
}

/** Finds the journey of an order: a cart is followed across sessions, a checkout without one by its session. */
function findJourneyId({ cartId, sessionId }: OrderMade): string | undefined {
  if (cartId !== null) return toCartJourneyId(cartId);
  return sessionId === null ? undefined : toCheckoutJourneyId(sessionId);
}

const toCartJourneyId = (cartId: string): string => `cart:${cartId}`;
const toCheckoutJourneyId = (id: string): string => `checkout:${id}`;

function applyStep(journey: Journey | undefined, step: Step): Journey {
  const current = journey ?? {};
  if (step.kind === "paid") return current.paid ? current : { ...current, paid: true };
  const firstHour = current[step.kind];
  return firstHour !== undefined && firstHour <= step.hour ? current : { ...current, [step.kind]: step.hour };
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

export function toConversionSlot(sum: Counters) {
  const countCarts = (name: string): number => countAt(sum, "carts", name);
  const countCheckouts = (name: string): number => countAt(sum, "checkouts", name);
  return {
    carts: { saved: countCarts("saved"), checkedOut: countCarts("checkedOut"), paid: countCarts("paid") },
    checkouts: { started: countCheckouts("started"), paid: countCheckouts("paid") },
  };
}

export function toConversionFigures(sum: Counters) {
  const { carts, checkouts } = toConversionSlot(sum);
  return {
    carts,
    checkouts,
    rates: {
      cartToCheckout: computeShare(carts.checkedOut, carts.saved),
      checkoutToPaid: computeShare(checkouts.paid, checkouts.started),
      cartToPaid: computeShare(carts.paid, carts.saved),
    },
  };
}

/** Computes a share to four digits; null of nothing. */
function computeShare(part: number, total: number): number | null {
  return total === 0 ? null : Math.round((part / total) * 10_000) / 10_000;
}
