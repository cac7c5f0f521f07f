interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** A filter's days, both included, as moments: days of the person's own clock, as lists show times. */
export function ownDays<F extends Days>({ from, to, ...rest }: F): Omit<F, keyof Days> & Days {
  return { ...rest, ...(from ? { from: midnight(from, 0) } : {}), ...(to ? { to: midnight(to, 24) } : {}) };
}

/** @param hours by the clock: 24 is the next midnight, also of a day that lasts 23 or 25 */
function midnight(day: string, hours: 0 | 24): string {
  const at = new Date(`${day}T00:00`);
  at.setHours(hours, 0, 0, 0);
  return at.toISOString();
}
