import * as numbers from "../../shared/numbers.ts";
import { days } from "../shop-days.ts";
import { language } from "../texts.ts";

const { timeZone } = days;
const MOMENT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone });
const EXACT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone });
const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const PERCENT = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

export function moment(time: string | Date): string {
  return MOMENT.format(new Date(time));
}

/** A day of the shop, `2026-12-08`. */
export function formatDay(date: string): string {
  return DAY.format(new Date(date));
}

/** To the second. */
export function exactMoment(time: string | Date): string {
  return EXACT.format(new Date(time));
}

export function money(amount: number, currency: string): string {
  return numbers.money(amount, currency, language);
}

export function count(value: number): string {
  return numbers.count(value, language);
}

/** A share of one; a dash for none. */
export function share(value: number | null): string {
  return value === null ? "–" : PERCENT.format(value);
}
