import { invalidField } from "../../mixins/errors.ts";
import { addDays, shopDays } from "../../mixins/shop/shop-days.ts";

/** @throws VALIDATION_FAILED for a day that the calendar does not have, or that is over in the shop */
export function assertUpcoming(day: string | null | undefined, field: string): void {
  if (day == null) return;
  if (addDays(day, 0) !== day) throw invalidField(field, `names no day of the calendar: ${day}`);
  const today = shopDays().findDay(new Date());
  if (day < today) throw invalidField(field, `is in the past: today is ${today}`);
}
