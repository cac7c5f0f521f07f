/**
 * What goes wrong, and what its `value` means:
 * - `rate_limited`: 429; seconds of Retry-After, none sends no such header
 * - `error`: the status, 500 unless given
 * - `slow`: milliseconds to wait first
 * - `stall`: never an answer
 * - `not_json`: an answer cut off in the middle
 * - `malformed`: so many items of the page are broken, each in another way (1 unless given)
 * - `repeated`: so many items of the page before stand on this one too (1 unless given), and push its last ones off
 * - `total`: the total that is told
 * - `empty`: a page without items
 * - `same_page`: the items of this page (the first unless given), whatever page is asked for
 * - `discontinued`, `vanished`: so many items, from the first, are discontinued or not listed any more
 */
export const FAULT_KINDS = [
  "rate_limited",
  "error",
  "slow",
  "stall",
  "not_json",
  "malformed",
  "repeated",
  "total",
  "empty",
  "same_page",
  "discontinued",
  "vanished",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
