import { assertInOrder, FIRST_MOMENT, LAST_MOMENT, periodOf } from "../../broker/contract/period.ts";
import { validationFailed } from "../../mixins/errors.ts";
import { ceilTo, floorTo } from "./accounts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./collections.ts";
import type { Level } from "./resources.ts";

/** Longest period of an interval; days are not limited. */
const LONGEST_MS: Readonly<Record<Level, number>> = { minute: DAY_MS, hour: 31 * DAY_MS, day: Infinity };

export type Asked = Parameters<typeof periodOf>[0];

export interface Span {
  from: Date;
  to: Date;
}

/**
 * The period in whole minutes, of the years 1 to 9999: by default the last 24 hours until `to`, which is now. @throws
 * VALIDATION_FAILED
 */
export function spanOf(asked: Asked, now: Date): Span {
  const { start, end = now } = periodOf(asked);
  const from = start ?? new Date(Math.max(end.getTime() - DAY_MS, FIRST_MOMENT));
  assertInOrder(from, end);
  const to = ceilTo(end, MINUTE_MS);
  return { from: floorTo(from, MINUTE_MS), to: to.getTime() > LAST_MOMENT ? new Date(LAST_MOMENT) : to };
}

/**
 * The interval of a history: by default a minute up to three hours, an hour up to four days, else a day. @throws
 * VALIDATION_FAILED
 */
export function intervalOf(asked: Level | undefined, { from, to }: Span): Level {
  const length = to.getTime() - from.getTime();
  if (asked === undefined) return length <= 3 * HOUR_MS ? "minute" : length <= 4 * DAY_MS ? "hour" : "day";
  if (length > LONGEST_MS[asked] + MINUTE_MS) {
    throw validationFailed({
      field: "interval",
      message: `The 'interval' field must be longer for so long a period: ${asked}s are given of at most ${LONGEST_MS[asked] / DAY_MS} days.`,
    });
  }
  return asked;
}
