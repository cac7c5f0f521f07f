/** What pages in the browser use too. */
export { formatCsvLine } from "./src/csv.ts";
export { mergePatch, omitUndefined } from "./src/merge-patch.ts";
export { NEED_STATE, type State, STATES } from "./src/postal-states.ts";
export { assignStock, sumByKey } from "./src/sum-by-key.ts";
export { findArrival, findReady, type WorkPlan } from "./src/work-days.ts";
export { addDays, createZoneDays, findTimeZone, type ZoneDays } from "./src/zone-days.ts";
