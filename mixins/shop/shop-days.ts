import { daysIn, type ZoneDays } from "@partline/toolkit/pure";

export { dayAfter, daysIn, findTimeZone } from "@partline/toolkit/pure";
/** The days of the shop: its time zone says when one begins. */
export type ShopDays = ZoneDays;

let current = daysIn("UTC");

/** The days of this process's shop. */
export function shopDays(): ShopDays {
  return current;
}

/** Called once the settings are known. */
export function setShopTimeZone(timeZone: string): void {
  current = daysIn(timeZone);
}
