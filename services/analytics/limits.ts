export const PROJECTION_NAMES = ["orders", "conversion", "searches"] as const;
export type ProjectionName = (typeof PROJECTION_NAMES)[number];

/** Longest period of a report, days. */
export const MOST_DAYS = 1_096;
/** Longest period of a report by the hour, days. */
export const MOST_DAYS_BY_HOUR = 31;
/** Different texts kept of an hour. */
export const MOST_TEXTS_AN_HOUR = 200;
export const LONGEST_TEXT = 100;
/** Different texts held while a period is added up: some 30 MB. */
export const MOST_TEXTS_A_PERIOD = 100_000;
