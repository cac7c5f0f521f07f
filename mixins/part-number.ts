/** Longest chain of successors of a part that is followed. */
export const LONGEST_CHAIN = 50;

/** Upper case, letters and digits only: `16100-z0y-813` is `16100Z0Y813`. Full-width forms count as the plain ones. */
export function normalizePartNumber(partNumber: string): string {
  // Most are plain, and to compose them takes as long as all the rest.
  const composed = /^[ -~]*$/.test(partNumber) ? partNumber : partNumber.normalize("NFKC");
  return composed.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
