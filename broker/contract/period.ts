import { validationFailed } from "../../mixins/errors.ts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { type CustomCheck, string } from "@partline/api-contracts";

const ISO_MOMENT = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;
/** No store keeps moments beyond the years 1 to 9999, and an offset or the end of a day can lead out of them. */
export const FIRST_MOMENT = Date.parse("0001-01-01T00:00:00.000Z");
export const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");
const FIRST_DAY = "0001-01-01";
const LAST_DAY = "9999-12-31";

const checkMoment: CustomCheck<string> = (value, errors, _schema, path) => {
  if (typeof value === "string" && parseMoment(value) === undefined) {
    errors.push({ type: "isoMoment", message: `The '${path}' field must be an ISO 8601 date or time.` });
  }
  return value;
};

/** A date of the shop or a time (see `toPeriod`). */
export const isoMomentRule = string({ format: "moment", optional: true, custom: checkMoment, example: "2026-11-21" });

export interface Period {
  /** Inclusive. */
  start?: Date;
  /** Exclusive. */
  end?: Date;
}

/** @throws VALIDATION_FAILED naming `from` unless it is before `to` */
export function assertInOrder(from: Date | undefined, to: Date | undefined): void {
  if (from && to && from >= to)
    throw validationFailed({ field: "from", message: "The 'from' field must be before 'to'." });
}

/**
 * The moments from `from` (inclusive) to `to` (exclusive). A date is a day of the shop: from its start, or to its end.
 * Both passed `isoMomentRule`.
 * @throws VALIDATION_FAILED naming `from` unless it is before `to`
 */
export function toPeriod({ from, to }: { from?: string; to?: string }): Period {
  const start = from === undefined ? undefined : isDate(from) ? toStart(from) : parseMoment(from);
  const end = to === undefined ? undefined : isDate(to) ? toEnd(to) : parseMoment(to);
  assertInOrder(start, end);
  return { start, end };
}

const toStart = (day: string): Date =>
  day === FIRST_DAY ? new Date(FIRST_MOMENT) : new Date(Math.min(shopDays().findDayStart(day).getTime(), LAST_MOMENT));
const toEnd = (day: string): Date => (day === LAST_DAY ? new Date(LAST_MOMENT) : shopDays().findDayEnd(day));

/** The filter on createdAt; undefined without either end. */
export function buildCreatedFilter(ends: { from?: string; to?: string }): { $gte?: Date; $lt?: Date } | undefined {
  const { start, end } = toPeriod(ends);
  if (!start && !end) return undefined;
  return { ...(start ? { $gte: start } : {}), ...(end ? { $lt: end } : {}) };
}

/**
 * Parses ISO 8601 of the years 1 to 9999: a date, or a date with a time, in UTC without an offset. Undefined for
 * anything else, also for days like `2026-02-30`. The `+` of an offset may be a blank, as a query makes it.
 */
export function parseMoment(typed: string): Date | undefined {
  const text = typed.replace(/ (?=\d{2}:\d{2}$)/, "+");
  const match = ISO_MOMENT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, time, , , offset] = match;
  const moment = new Date(time && !offset ? `${text}Z` : text);
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const inRange = moment.getTime() >= FIRST_MOMENT && moment.getTime() <= LAST_MOMENT;
  return inRange && Number(day) <= lastOfMonth ? moment : undefined;
}

function isDate(value: string): boolean {
  return value.length === 10;
}
