/** Longest chain of successors that is followed. */
export const LONGEST_CHAIN = 50;

/** Upper case, letters and digits only: `16100-z0y-813` is `16100Z0Y813`. Full-width forms count as plain ones. */
export function normalizePartNumber(partNumber: string): string {
  // Most are plain, and composing takes as long as all the rest.
  const composed = /^[ -~]*$/.test(partNumber) ? partNumber : partNumber.normalize("NFKC");
  return composed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
