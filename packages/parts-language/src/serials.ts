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
  const serialParts = splitSerial(serial);
  return ranges.some(({ from, to }) => {
    const ends = [from, to].flatMap((end) => (end === undefined ? [] : [splitSerial(end)]));
    if (ends.some(({ letters }) => letters !== serialParts.letters)) return true;
    return (
      (from === undefined || serialParts.number >= splitSerial(from).number) &&
      (to === undefined || serialParts.number <= splitSerial(to).number)
    );
  });
}

/** `ABC-0012345D`: letters `ABCD`, number 12345. */
function splitSerial(serial: string): { letters: string; number: bigint } {
  const plain = serial.toUpperCase().replace(/[^A-Z\d]/g, "");
  return { letters: plain.replace(/\d/g, ""), number: BigInt(plain.replace(/\D/g, "") || 0) };
}
