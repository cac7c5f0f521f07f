/** Longest chain of successors that is followed. */
export const LONGEST_CHAIN = 50;

/** Upper case, letters and digits only: `16100-z0y-813` is `16100Z0Y813`. Full-width forms count as plain ones. */
export function normalizePartNumber(partNumber: string): string {
  return composeText(partNumber)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
}

/** Returns whether a letter or digit is not of A-Z and 0-9: normalised, the number can be another part's. */
export function hasForeignLetter(partNumber: string): boolean {
  return /(?![ -~])[\p{L}\p{N}]/u.test(composeText(partNumber));
}

/** Most are plain, and composing takes as long as all the rest. */
function composeText(partNumber: string): string {
  return /^[ -~]*$/.test(partNumber) ? partNumber : partNumber.normalize("NFKC");
}
