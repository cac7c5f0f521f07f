/**
 * Why a part could not be asked about now:
 * - `retired_vendor`: the code is no longer used (FER)
 * - `not_asked`: it is no code of a vendor whose prices come from the dealer inventory system
 * - `timed_out`, `unavailable`, `busy`: no answer in time, no connection or a fault of its
 * own, too many requests of ours
 * - `refused`: it turned the request down (a wrong key, say)
 * - `unreadable`: its answer, or what the answer says of this part, cannot be used
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
