/** The sequence that an order made at this moment takes its number from: one for each UTC day. */
export function numberSequence(at: Date): string {
  return `order-number:${at.toISOString().slice(0, 10)}`;
}

/** `ORD-YYYYMMDD-NNNNNN`. Source: "The completion webhook" of the design. */
export function orderNumber(sequence: string, number: number): string {
  const day = sequence.slice(sequence.indexOf(":") + 1).replaceAll("-", "");
  return `ORD-${day}-${String(number).padStart(6, "0")}`;
}
