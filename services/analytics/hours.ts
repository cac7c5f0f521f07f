import { shopDays } from "../../mixins/shop/shop-days.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

/**
 * Returns the key of what counts together: the UTC hour of a moment, `2026-11-21T10`, or its quarter, `2026-11-21T10:15`, while the shop's
 * hours do not begin with those of UTC. Days of any shop consist of them. As texts they sort by time.
 */
export function toHour(moment: Date): string {
  const text = startOfSlot(moment).toISOString();
  return text.slice(14, 16) === "00" ? text.slice(0, 13) : text.slice(0, 16);
}

export function startOfSlot(moment: Date): Date {
  const length = getSlotLength(moment);
  return new Date(Math.floor(moment.getTime() / length) * length);
}

export function endOfSlot(moment: Date): Date {
  const start = startOfSlot(moment);
  return start.getTime() === moment.getTime() ? start : new Date(start.getTime() + getSlotLength(moment));
}

export function startOfHour(hour: string): Date {
  return new Date(hour.length > "2026-11-21T10".length ? `${hour}:00.000Z` : `${hour}:00:00.000Z`);
}

function getSlotLength(moment: Date): number {
  return shopDays().findHourStart(moment).getTime() % HOUR_MS === 0 ? HOUR_MS : QUARTER_MS;
}
