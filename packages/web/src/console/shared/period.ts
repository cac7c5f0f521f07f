import { addDays, shopDays } from "../../../../../mixins/shop/shop-days.ts";
import { language } from "../texts.ts";

/** Days up to now, or two dates of the shop, both included. */
export type Period = { days: number } | { from: string; to: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A longer period is shown by the day. */
const MOST_DAYS_BY_HOUR = 2;

/** Reads the period from a page's address. */
export function readPeriod(search: URLSearchParams, defaultDays: number): Period {
  const [from, to, days] = ["from", "to", "days"].map((name) => search.get(name));
  if (from && to) return { from, to };
  return { days: days && /^[1-9]\d{0,3}$/.test(days) ? Number(days) : defaultDays };
}

export function computeBounds(period: Period, now: number): { from: string; to?: string; interval: "hour" | "day" } {
  if ("from" in period) {
    const days = (Date.parse(period.to) - Date.parse(period.from)) / DAY_MS + 1;
    return { ...period, interval: days <= MOST_DAYS_BY_HOUR ? "hour" : "day" };
  }
  const { days } = period;
  // The last hour or day is the one that has begun.
  return days <= MOST_DAYS_BY_HOUR
    ? { from: new Date(now - days * DAY_MS + HOUR_MS).toISOString(), interval: "hour" }
    : { from: addDays(shopDays().findDay(new Date(now)), 1 - days), interval: "day" };
}

/** The two dates of a period, for who wants to change one of them. */
export function computeDates(period: Period, now: number): { from: string; to: string } {
  if ("from" in period) return period;
  const today = shopDays().findDay(new Date(now));
  return { from: addDays(today, 1 - period.days), to: today };
}

/** Returns the two dates of as many days right before a period. */
export function findPrecedingPeriod(period: Period, now: number): { from: string; to: string } {
  const { from, to } = computeDates(period, now);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from: addDays(from, -days), to: addDays(from, -1) };
}

const DAY = { month: "numeric", day: "numeric" } as const;
const HOUR = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The beginning of an hour or day as a plot names it. */
export function slotLabel(start: string | Date, interval: "minute" | "hour" | "day"): string {
  const { timeZone } = shopDays();
  return new Intl.DateTimeFormat(language, { ...(interval === "day" ? DAY : HOUR), timeZone }).format(new Date(start));
}
