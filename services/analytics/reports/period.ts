import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, periodOf } from "../../../broker/contract/period.ts";
import { validationFailed } from "../../../mixins/errors.ts";
import { DAY_MS, HOUR_MS, hourOf, startOfHour } from "../hours.ts";
import { MOST_DAYS, MOST_DAYS_BY_HOUR } from "../limits.ts";

const DEFAULT_DAYS = 30;

export type Interval = "hour" | "day";

export interface CountedPeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
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
  if (days > MOST_DAYS)
    throw validationFailed({
      field: "from",
      message: `The 'from' field must be at most ${MOST_DAYS} days before 'to'.`,
    });
  const tooFine = `The 'interval' field can be hour for at most ${MOST_DAYS_BY_HOUR} days.`;
  if (interval === "hour" && days > MOST_DAYS_BY_HOUR) throw validationFailed({ field: "interval", message: tooFine });
  return { from, to };
}

export function startOfDay(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}
