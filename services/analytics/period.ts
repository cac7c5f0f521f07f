import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import { invalidField } from "../../mixins/errors.ts";
import { MOST_DAYS, MOST_DAYS_BY_HOUR } from "./resources.ts";
import { dayAfter, shopDays } from "../../mixins/shop/shop-days.ts";
import { DAY_MS, endOfSlot, HOUR_MS, startOfHour, startOfSlot } from "./hours.ts";

const DEFAULT_DAYS = 30;

export type Interval = "hour" | "day";

/** From inclusive, to exclusive. */
export interface CountedPeriod {
  from: Date;
  to: Date;
}

/**
 * The hours that a period touches. By default it ends with the current hour, and begins 30 days of the shop before,
 * counting that of `to`. @throws VALIDATION_FAILED naming `from` (not before `to`, or too long before it) or `interval`
 */
export function countedPeriod(
  ends: { from?: string; to?: string },
  now: Date,
  interval: Interval = "day",
): CountedPeriod {
  const { start, end = now } = toPeriod(ends);
  const to = new Date(Math.min(endOfSlot(end).getTime(), LAST_MOMENT));
  const from = start ? startOfSlot(start) : daysBefore(to, DEFAULT_DAYS - 1);
  assertInOrder(from, to);
  assertInOrder(start, end);
  const { clockAt } = shopDays();
  const days = (clockAt(to) - clockAt(from)) / DAY_MS;
  if (days > MOST_DAYS) throw invalidField("from", `must be at most ${MOST_DAYS} days before 'to'`);
  if (interval === "hour" && days > MOST_DAYS_BY_HOUR)
    throw invalidField("interval", `can be hour for at most ${MOST_DAYS_BY_HOUR} days`);
  return { from, to };
}

function daysBefore(to: Date, count: number): Date {
  if (to.getTime() < FIRST_MOMENT + (count + 2) * DAY_MS) return new Date(FIRST_MOMENT);
  const { dayOf, startOf } = shopDays();
  return startOf(dayAfter(dayOf(new Date(to.getTime() - 1)), -count));
}

/** Takes rows one by one: there may be too many to hold. */
export interface Sum<Row> {
  add(hour: string, row: Row): void;
}

/** By hour or day of the shop. */
export function slotsOf<Row>(interval: Interval = "day", none: Row, added: (one: Row, other: Row) => Row) {
  const slots = new Map<string, Row>();
  const { dayOf, startOf, startOfHour: startOfShopHour } = shopDays();
  const nameOf = (at: Date): string => (interval === "hour" ? startOfShopHour(at).toISOString() : dayOf(at));
  const nextAfter = (at: Date): Date =>
    interval === "hour" ? new Date(startOfShopHour(at).getTime() + HOUR_MS) : startOf(dayAfter(dayOf(at), 1));
  return {
    add(hour: string, row: Row): void {
      const first = nameOf(startOfHour(hour));
      const known = slots.get(first);
      slots.set(first, known === undefined ? row : added(known, row));
    },
    total: (): Row => [...slots.values()].reduce((one, other) => added(one, other), none),
    /** One value for each hour or day of a period, whose first and last one may be partial. */
    series<Value>({ from, to }: CountedPeriod, valueOf: (sum: Row) => Value): ({ start: Date } & Value)[] {
      const starts: Date[] = [];
      for (let at = from; at < to; at = nextAfter(at)) starts.push(at);
      return starts.map((start) => ({ start, ...valueOf(slots.get(nameOf(start)) ?? none) }));
    },
  };
}
