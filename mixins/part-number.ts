/** Upper case, letters and digits only: `16100-z0y-813` is `16100Z0Y813`. Full-width forms count as the plain ones. */
export function normalizePartNumber(partNumber: string): string {
  return partNumber.normalize("NFKC").toUpperCase().replace(/[^A-Z0-9]/g, "");
}
