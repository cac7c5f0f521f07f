/** What pages in the browser use too. */
export { formatCsvLine } from "./src/csv.ts";
export { dayAfter, daysIn, findTimeZone, type ZoneDays } from "./src/zone-days.ts";
