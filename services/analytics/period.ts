import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import { invalidField } from "../../mixins/errors.ts";
import { MOST_DAYS, MOST_DAYS_BY_HOUR } from "./resources.ts";
import { addDays, shopDays } from "../../mixins/shop/shop-days.ts";
import { DAY_MS, endOfSlot, HOUR_MS, startOfHour, startOfSlot } from "./hours.ts";

const DEFAULT_DAYS = 30;

export type Interval = "hour" | "day";

/** Period: `from` inclusive, `to` exclusive. */
export interface CountedPeriod {
  from: Date;
  to: Date;
}

/**
 * Resolves the hours that a period touches. By default it ends with the current hour, and begins 30 days of the shop
 * before, counting that of `to`.
 * @throws VALIDATION_FAILED naming `from` (not before `to`, or too long before it) or `interval`
 */
export function resolvePeriod(
  ends: { from?: string; to?: string },
  now: Date,
  interval: Interval = "day",
): CountedPeriod {
  const { start, end = now } = toPeriod(ends);
  const to = new Date(Math.min(endOfSlot(end).getTime(), LAST_MOMENT));
  const from = start ? startOfSlot(start) : subtractDays(to, DEFAULT_DAYS - 1);
  assertInOrder(from, to);
  assertInOrder(start, end);
  const { readClock } = shopDays();
  const days = (readClock(to) - readClock(from)) / DAY_MS;
  if (days > MOST_DAYS) throw invalidField("from", `must be at most ${MOST_DAYS} days before 'to'`);
  if (interval === "hour" && days > MOST_DAYS_BY_HOUR)
    throw invalidField("interval", `can be hour for at most ${MOST_DAYS_BY_HOUR} days`);
  return { from, to };
}

function subtractDays(to: Date, count: number): Date {
  if (to.getTime() < FIRST_MOMENT + (count + 2) * DAY_MS) return new Date(FIRST_MOMENT);
  const { findDay, findDayStart } = shopDays();
  return findDayStart(addDays(findDay(new Date(to.getTime() - 1)), -count));
}

/** Takes rows one by one: there may be too many to hold. */
export interface Sum<Row> {
  add(hour: string, row: Row): void;
}

/** Creates sums by hour or day of the shop. */
export function createSlots<Row>(interval: Interval = "day", zero: Row, add: (a: Row, b: Row) => Row) {
  const slots = new Map<string, Row>();
  const { findDay, findDayStart, findHourStart } = shopDays();
  const toSlotName = (moment: Date): string =>
    interval === "hour" ? findHourStart(moment).toISOString() : findDay(moment);
  const getNextSlot = (moment: Date): Date =>
    interval === "hour"
      ? new Date(findHourStart(moment).getTime() + HOUR_MS)
      : findDayStart(addDays(findDay(moment), 1));
  return {
    add(hour: string, row: Row): void {
      const first = toSlotName(startOfHour(hour));
      const current = slots.get(first);
      slots.set(first, current === undefined ? row : add(current, row));
    },
    getTotal: (): Row => [...slots.values()].reduce((a, b) => add(a, b), zero),
    /** Lists one value for each hour or day of a period, whose first and last one may be partial. */
    listSeries<Value>({ from, to }: CountedPeriod, toValue: (sum: Row) => Value): ({ start: Date } & Value)[] {
      const starts: Date[] = [];
      for (let slot = from; slot < to; slot = getNextSlot(slot)) starts.push(slot);
      return starts.map((start) => ({ start, ...toValue(slots.get(toSlotName(start)) ?? zero) }));
    },
  };
}
