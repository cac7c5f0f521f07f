/** Serial numbers that something is for, the ends included; an open end is absent. */
export interface SerialRange {
  from?: string;
  to?: string;
}

/** Returns whether a range has a serial number; undefined if they cannot be compared, as letters differ. */
export function isInSerialRange({ from, to }: SerialRange, serial: string): boolean | undefined {
  const { letters, number } = splitSerial(serial);
  const [first, last] = [from, to].map((end) => (end === undefined ? undefined : splitSerial(end)));
  if ([first, last].some((end) => end !== undefined && end.letters !== letters)) return undefined;
  return (first === undefined || number >= first.number) && (last === undefined || number <= last.number);
}

/** Returns whether a machine may be meant: no range is known, or one has its serial number or cannot be compared. */
export function mayHave(ranges: readonly SerialRange[] = [], serial: string): boolean {
  return ranges.length === 0 || ranges.some((range) => isInSerialRange(range, serial) !== false);
}

/** `ABC-0012345D`: letters `ABCD`, number 12345. */
function splitSerial(serial: string): { letters: string; number: bigint } {
  const plain = serial.toUpperCase().replace(/[^A-Z\d]/g, "");
  return { letters: plain.replace(/\d/g, ""), number: BigInt(plain.replace(/\D/g, "") || 0) };
}
