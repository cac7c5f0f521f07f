import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, periodOf } from "../../broker/contract/period.ts";
import { invalidField } from "../../mixins/errors.ts";
import { MOST_DAYS, MOST_DAYS_BY_HOUR } from "./resources.ts";
import { DAY_MS, dayOf, HOUR_MS, hourOf, startOfHour } from "./hours.ts";

const DEFAULT_DAYS = 30;

export type Interval = "hour" | "day";

/** From inclusive, to exclusive. */
export interface CountedPeriod {
  from: Date;
  to: Date;
}

/**
 * The hours that a period touches. By default it ends with the current hour, and begins 30 UTC days before, counting
 * that of `to`. @throws VALIDATION_FAILED naming `from` (not before `to`, or too long before it) or `interval`
 */
export function countedPeriod(
  ends: { from?: string; to?: string },
  now: Date,
  interval: Interval = "day",
): CountedPeriod {
  const { start, end = now } = periodOf(ends);
  const to = new Date(Math.min(Math.ceil(end.getTime() / HOUR_MS) * HOUR_MS, LAST_MOMENT));
  const from = start
    ? startOfHour(hourOf(start))
    : new Date(Math.max(FIRST_MOMENT, startOfDay(new Date(to.getTime() - 1)).getTime() - (DEFAULT_DAYS - 1) * DAY_MS));
  assertInOrder(from, to);
  assertInOrder(start, end);
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days > MOST_DAYS) throw invalidField("from", `must be at most ${MOST_DAYS} days before 'to'`);
  if (interval === "hour" && days > MOST_DAYS_BY_HOUR)
    throw invalidField("interval", `can be hour for at most ${MOST_DAYS_BY_HOUR} days`);
  return { from, to };
}

function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}

/** Takes rows one by one: there may be too many to hold. */
export interface Sum<Row> {
  add(hour: string, row: Row): void;
}

/** By hour or UTC day. */
export function slotsOf<Row>(interval: Interval = "day", none: Row, added: (one: Row, other: Row) => Row) {
  const slots = new Map<string, Row>();
  return {
    add(hour: string, row: Row): void {
      const first = interval === "hour" ? hour : dayOf(hour);
      const known = slots.get(first);
      slots.set(first, known === undefined ? row : added(known, row));
    },
    total: (): Row => [...slots.values()].reduce((one, other) => added(one, other), none),
    /** One value for each hour or UTC day of a period, whose first and last day may be partial. */
    series<Value>({ from, to }: CountedPeriod, valueOf: (sum: Row) => Value): ({ start: Date } & Value)[] {
      const [length, origin] = interval === "hour" ? [HOUR_MS, from] : [DAY_MS, startOfDay(from)];
      return Array.from({ length: Math.ceil((to.getTime() - origin.getTime()) / length) }, (_, index) => {
        const start = new Date(origin.getTime() + index * length);
        return { start: index === 0 ? from : start, ...valueOf(slots.get(hourOf(start)) ?? none) };
      });
    },
  };
}
