/** What pages in the browser use too. */
export { findTrackingLink, nameCarrier } from "./src/carriers.ts";
export { formatCsvLine } from "./src/csv.ts";
export { mergePatch, omitUndefined } from "./src/merge-patch.ts";
export { nameMethod } from "./src/method-names.ts";
export {
  listAddressLines,
  toCountryCode,
  listMissingFields,
  type Place,
  type PostalAddress,
  resolveKnownPlace,
  resolvePlace,
} from "./src/postal-address.ts";
export { NEED_STATE, type State, STATES } from "./src/postal-states.ts";
export { assignStock, sum, sumByKey } from "./src/sum-by-key.ts";
export { findArrival, findReady, type WorkPlan } from "./src/work-days.ts";
export { addDays, createZoneDays, findTimeZone, type ZoneDays } from "./src/zone-days.ts";
