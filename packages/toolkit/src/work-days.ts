import { addDays, type ZoneDays } from "./zone-days.ts";

/** When work is done, and how long it takes. Public holidays are not among it. */
export interface WorkPlan {
  /**
   * `Mon-Fri 08:00-17:00`, `Sat 09:00-12:00`; of two lines with a day the later end counts. Empty: no day is promised.
   */
  workHours: readonly string[];
  /** Working days until what begins today is ready. */
  handlingDays: number;
}

export interface Ready {
  /** The date on which it is ready: pieces leave that day, or can be picked up from then on. */
  readyOn: string;
  /** The end of that working day, if it is today: `17:00`. */
  readyUntil?: string;
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const LINE = /^(\w{3})(?:-(\w{3}))? \d\d:\d\d-(\d\d:\d\d)$/;

/** Returns the end of the working day of each weekday, from Sunday on; undefined for a day off. */
function readEnds(lines: readonly string[]): (string | undefined)[] {
  const ends: (string | undefined)[] = WEEKDAYS.map(() => undefined);
  for (const line of lines) {
    const [, first = "", last = first, end = ""] = LINE.exec(line) ?? [];
    const from = WEEKDAYS.indexOf(first.toLowerCase());
    const length = (WEEKDAYS.indexOf(last.toLowerCase()) - from + 7) % 7;
    for (let day = from; from >= 0 && day <= from + length; day += 1)
      if (end > (ends[day % 7] ?? "")) ends[day % 7] = end;
  }
  return ends;
}

const toWeekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/**
 * Finds the day on which pieces are ready: so many working days from now, today being one until its end, or the first
 * working day after so many days of the calendar. Undefined if nobody ever works.
 */
export function findReady(
  { workHours, handlingDays }: WorkPlan,
  days: Pick<ZoneDays, "findDay" | "readClock">,
  now: Date,
  wait: { workingDays?: number; calendarDays?: number } = {},
): Ready | undefined {
  const ends = readEnds(workHours);
  if (!ends.some(Boolean)) return undefined;
  const findEnd = (day: string): string | undefined => ends[toWeekday(day)];
  const today = days.findDay(now);
  const clock = new Date(days.readClock(now)).toISOString().slice(11, 16);
  const isOver = clock >= (findEnd(today) ?? "");
  let day = addDays(today, Math.max(wait.calendarDays ?? 0, isOver ? 1 : 0));
  let left = wait.calendarDays === undefined ? handlingDays + (wait.workingDays ?? 0) : 0;
  while (findEnd(day) === undefined || left > 0) {
    if (findEnd(day) !== undefined) left -= 1;
    day = addDays(day, 1);
  }
  const readyUntil = day === today ? findEnd(day) : undefined;
  return { readyOn: day, ...(readyUntil !== undefined && !isOver && { readyUntil }) };
}

/** The date on which a parcel arrives that leaves on a day: carriers need so many days, without weekends. */
export function findArrival(leavesOn: string, carrierDays: number): string {
  let day = leavesOn;
  for (let left = Math.ceil(carrierDays); left > 0; left -= 1) {
    do day = addDays(day, 1);
    while (toWeekday(day) % 6 === 0);
  }
  return day;
}
