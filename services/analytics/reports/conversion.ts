import { countAt, type Counters } from "../projections/counters.ts";

export function conversionSlot(sum: Counters) {
  return {
    carts: {
      saved: countAt(sum, "carts", "saved"),
      checkedOut: countAt(sum, "carts", "checkedOut"),
      paid: countAt(sum, "carts", "paid"),
    },
    checkouts: { started: countAt(sum, "checkouts", "started"), paid: countAt(sum, "checkouts", "paid") },
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
