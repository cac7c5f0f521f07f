import { invalidField } from "../../mixins/errors.ts";
import { dayAfter, shopDays } from "../../mixins/shop/shop-days.ts";

/** @throws VALIDATION_FAILED for a day that the calendar does not have, or that is over in the shop */
export function assertUpcoming(day: string | null | undefined, field: string): void {
  if (day == null) return;
  if (dayAfter(day, 0) !== day) throw invalidField(field, `names no day of the calendar: ${day}`);
  const today = shopDays().dayOf(new Date());
  if (day < today) throw invalidField(field, `is in the past: today is ${today}`);
}
