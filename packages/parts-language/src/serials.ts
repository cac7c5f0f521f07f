/** Serial numbers that something is for, the ends included; an open end is absent. */
export interface SerialRange {
  from?: string;
  to?: string;
}

/**
 * Returns whether a machine may be meant: a range has its serial number or cannot be compared, as letters differ; or
 * there are no ranges.
 */
export function mayHave(ranges: readonly SerialRange[] | undefined, serial: string): boolean {
  if (!ranges || ranges.length === 0) return true;
  const own = partsOf(serial);
  return ranges.some(({ from, to }) => {
    const ends = [from, to].flatMap((end) => (end === undefined ? [] : [partsOf(end)]));
    if (ends.some(({ letters }) => letters !== own.letters)) return true;
    return (
      (from === undefined || own.number >= partsOf(from).number) &&
      (to === undefined || own.number <= partsOf(to).number)
    );
  });
}

/** `ABC-0012345D`: letters `ABCD`, number 12345. */
function partsOf(serial: string): { letters: string; number: bigint } {
  const plain = serial.toUpperCase().replace(/[^A-Z\d]/g, "");
  return { letters: plain.replace(/\d/g, ""), number: BigInt(plain.replace(/\D/g, "") || 0) };
}
