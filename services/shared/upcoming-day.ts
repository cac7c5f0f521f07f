import { invalidField } from "../../mixins/errors.ts";
import { addDays, shopDays } from "../../mixins/shop/shop-days.ts";

/** @throws VALIDATION_FAILED for a day that the calendar does not have, is over in the shop, or too far ahead */
export function assertUpcoming(day: string | null | undefined, field: string, mostDays?: number): void {
  if (day == null) return;
  if (addDays(day, 0) !== day) throw invalidField(field, `names no day of the calendar: ${day}`);
  const today = shopDays().findDay(new Date());
  if (day < today) throw invalidField(field, `is in the past: today is ${today}`);
  if (mostDays && day > addDays(today, mostDays)) throw invalidField(field, `is more than ${mostDays} days ahead`);
}
