export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC hour of a moment, `2026-11-21T10`: what rows are kept by. As text, hours are in the order of time. */
export function hourOf(moment: Date): string {
  return moment.toISOString().slice(0, 13);
}

/** The first hour of an hour's UTC day. */
export function dayOf(hour: string): string {
  return `${hour.slice(0, 10)}T00`;
}

/** The first moment of an hour. */
export function startOfHour(hour: string): Date {
  return new Date(`${hour}:00:00.000Z`);
}
