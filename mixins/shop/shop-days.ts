import { createZoneDays, type ZoneDays } from "@partline/toolkit/pure";

export { addDays, createZoneDays, findTimeZone } from "@partline/toolkit/pure";
/** The days of the shop: its time zone says when one begins. */
export type ShopDays = ZoneDays;

let current = createZoneDays("UTC");

/** The days of this process's shop. */
export function shopDays(): ShopDays {
  return current;
}

/** Called once the settings are known. */
export function setShopTimeZone(timeZone: string): void {
  current = createZoneDays(timeZone);
}
