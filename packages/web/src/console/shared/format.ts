import { shopDays } from "../../../../../mixins/shop/shop-days.ts";
import * as numbers from "../../shared/numbers.ts";
import { language } from "../texts.ts";

const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
const PERCENT = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });

export function moment(time: string | Date): string {
  return format(time, "short");
}

/** A day of the shop, `2026-12-08`. */
export function formatDay(date: string): string {
  return DAY.format(new Date(date));
}

/** To the second. */
export function exactMoment(time: string | Date): string {
  return format(time, "medium");
}

/** By the shop's clock, wherever the person is; its zone can change meanwhile. */
function format(time: string | Date, timeStyle: "short" | "medium"): string {
  const { timeZone } = shopDays();
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle, timeZone }).format(new Date(time));
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
