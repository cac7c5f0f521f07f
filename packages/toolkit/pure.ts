/** What pages in the browser use too. */
export { formatCsvLine } from "./src/csv.ts";
export { addDays, createZoneDays, findTimeZone, type ZoneDays } from "./src/zone-days.ts";
