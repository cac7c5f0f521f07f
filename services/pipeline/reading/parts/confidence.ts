/** Log odds that a text is a part number, added to those of its family. */
const EVIDENCE = {
  partLabel: 4,
  partColumn: 5,
  partColumnByContent: 2.5,
  partRow: 2,
  replacement: 4,
  numberSign: 1.5,
  afterPartNoun: 1.4,
  besideParts: 0.3,
  lettersAndDigits: 0.5,
  makerOfManual: 0.8,
  allZeros: -6,
  otherLabel: -6,
  measureLabel: -3,
  otherColumn: -5,
  unitAfter: -6,
  otherKind: -6,
} as const;

export type Evidence = keyof typeof EVIDENCE;

export const LEAST_CONFIDENCE = 0.5;

/** 0 to 1. */
export function confidenceOf(base: number, evidence: Iterable<Evidence>): number {
  let odds = Math.log(base / (1 - base));
  for (const each of new Set(evidence)) odds += EVIDENCE[each];
  return Math.round(1000 / (1 + Math.exp(-odds))) / 1000;
}
