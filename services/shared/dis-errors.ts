/**
 * Why a part could not be asked about now:
 * - `retired_vendor`: the code is no longer used (FER)
 * - `not_asked`: not a vendor of the dealer inventory system, or the shop has none (DIS_URL=off)
 * - `timed_out`, `unavailable`, `busy`: no answer in time, no connection or a fault of its own, too many requests of
 *   ours
 * - `refused`: it refused the request (a wrong key, for example)
 * - `unreadable`: its answer, or its word on this part, cannot be used
 * - `circuit_open`: it is left alone for a moment, as the last requests all failed
 */
export const DIS_ERRORS = [
  "retired_vendor",
  "not_asked",
  "timed_out",
  "unavailable",
  "busy",
  "refused",
  "unreadable",
  "circuit_open",
] as const;
export type DisError = (typeof DIS_ERRORS)[number];

/** Reasons for the catalog's own values; any other is trouble with the dealer. */
export const HARMLESS_REASONS: readonly string[] = ["not_listed", "not_asked", "retired_vendor"];
