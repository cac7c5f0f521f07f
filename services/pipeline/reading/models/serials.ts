import type { SerialRange } from "../../../shared/manual-objects.ts";

const NUMBER = String.raw`([A-Z]{0,4}\d[\dA-Z]{2,19})`;
const LABEL = String.raw`\b(?:serial(?:\s+(?:numbers?|nos?\.?))?(?:\s+range)?|s\/n|sn)s?\s*[:.#]*\s*`;
const AND = String.raw`\s*(?:&|and)\s*`;

const BOTH = new RegExp(
  String.raw`${LABEL}(?:from\s+)?${NUMBER}\s*(?:-|–|to|thru|through)\s*${NUMBER}(?![\dA-Z])`,
  "gi",
);
const FROM = new RegExp(
  String.raw`${LABEL}(?:${NUMBER}${AND}(?:up|above|later|after|newer)\b|(?:after|from|starting (?:with|at))\s+${NUMBER}(?![\dA-Z]))`,
  "gi",
);
const UNTIL = new RegExp(
  String.raw`${LABEL}(?:${NUMBER}${AND}(?:below|before|earlier|prior|older)\b|(?:up to|through|until)\s+${NUMBER}(?![\dA-Z]))`,
  "gi",
);
/** Lines that head a page, and characters of a line and before its range: elsewhere it is of one row or sentence. */
const HEAD = 8;
const LONGEST_LINE = 100;
const MOST_BEFORE = 40;

/** Serial numbers that a page's heading says it is for: `S/N 100001 - 150000`, `For Serial No. 150001 and up`. */
export function serialsIn(text: string): SerialRange[] {
  const found = new Map<string, SerialRange>();
  const lines = text.split("\n", HEAD).filter(({ length }) => length <= LONGEST_LINE);
  const rangesBy = (pattern: RegExp, rangeOf: (one?: string, other?: string) => SerialRange): void => {
    for (const line of lines)
      for (const { index, 1: one, 2: other } of line.toUpperCase().matchAll(pattern)) {
        const range = rangeOf(one, other);
        if (index <= MOST_BEFORE) found.set(JSON.stringify(range), range);
      }
  };
  rangesBy(BOTH, (from, to) => ({ from, to }));
  rangesBy(FROM, (one, other) => ({ from: one ?? other }));
  rangesBy(UNTIL, (one, other) => ({ to: one ?? other }));
  return [...found.values()];
}
