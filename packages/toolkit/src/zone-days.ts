/** The days of a time zone, which says when one begins. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface ZoneDays {
  timeZone: string;
  /** Returns the local time at a moment, as milliseconds of that time in UTC. */
  readClock(moment: Date): number;
  /** Returns the date of a moment, `2026-11-21`. */
  findDay(moment: Date): string;
  /** Returns the beginning of a date: its first moment, which need not be midnight. */
  findDayStart(day: string): Date;
  /** Returns the beginning of the next date: days have 23 to 25 hours. */
  findDayEnd(day: string): Date;
  /** Returns the beginning of a moment's hour. */
  findHourStart(moment: Date): Date;
}

/** Finds a time zone by its IANA name in any case, or by an older name of it; returns the name that Intl uses. */
export function findTimeZone(name: string): string | undefined {
  // Newer versions of Node.js take offsets too.
  if (/^[+-]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Creates the days of a zone. @throws RangeError if Intl knows no such zone */
export function createZoneDays(timeZone: string): ZoneDays {
  const readClockAt = createClock(timeZone);
  const findDayStart = (day: string): Date => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const guess = midnight - (readClockAt(midnight) - midnight);
    if (readClockAt(guess) === midnight && readClockAt(guess - 1_000) < midnight) return new Date(guess);
    // The clock jumps near here.
    let [earlier, later] = [midnight - 16 * HOUR_MS, midnight + 16 * HOUR_MS];
    while (later - earlier > 1_000) {
      const middle = earlier + Math.floor((later - earlier) / 2_000) * 1_000;
      if (readClockAt(middle) < midnight) earlier = middle;
      else later = middle;
    }
    return new Date(later);
  };
  return {
    timeZone,
    readClock: (moment) => readClockAt(moment.getTime()),
    findDay: (moment) => new Date(readClockAt(moment.getTime())).toISOString().slice(0, 10),
    findDayStart,
    findDayEnd: (day) => findDayStart(addDays(day, 1)),
    findHourStart: (moment) => {
      const since = ((readClockAt(moment.getTime()) % HOUR_MS) + HOUR_MS) % HOUR_MS;
      return new Date(Math.floor(moment.getTime() / 1_000) * 1_000 - since);
    },
  };
}

/** Returns the date so many days later; earlier, if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Zones change their clocks at quarters of an hour since then; earlier, at any second. */
const QUARTER_MS = 900_000;
const QUARTERS_SINCE_MS = 0;
/** Maximum number of quarters in the cache, which take 0.2 MB. */
const MOST_QUARTERS = 20_000;

/** Returns what the clocks of a zone show, to the second, as if it were UTC. */
function createClock(timeZone: string): (time: number) => number {
  if (timeZone === "UTC") return (ms) => Math.floor(ms / 1_000) * 1_000;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  const readClock = (ms: number): number => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const { year = "", month, day, hour, minute, second } = parts;
    return Date.parse(`${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}Z`);
  };
  // Intl takes 20 microseconds, and reports ask for thousands of moments.
  const offsets = new Map<number, number>();
  return (ms) => {
    if (ms < QUARTERS_SINCE_MS) return readClock(ms);
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = readClock(quarter * QUARTER_MS) - quarter * QUARTER_MS;
      if (offsets.size >= MOST_QUARTERS) offsets.clear();
      offsets.set(quarter, offset);
    }
    return Math.floor(ms / 1_000) * 1_000 + offset;
  };
}
