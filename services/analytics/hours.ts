export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC hour of a moment, `2026-11-21T10`: as texts, hours sort by time. */
export function hourOf(moment: Date): string {
  return moment.toISOString().slice(0, 13);
}

export function dayOf(hour: string): string {
  return `${hour.slice(0, 10)}T00`;
}

export function startOfHour(hour: string): Date {
  return new Date(`${hour}:00:00.000Z`);
}
