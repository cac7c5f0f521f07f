import type { SerialRange } from "@partline/parts-language";

const NUMBER = String.raw`(?=[A-Z-]*\d[\dA-Z-]*\d)([\dA-Z]{1,20}(?:-[\dA-Z]{1,12}){0,3})(?![\dA-Z-])`;
/** On both sides of a dash alone, which may be a serial number's own. */
const PLAIN = String.raw`([A-Z]{0,4}\d{3,20}[A-Z]{0,2})`;
const LABEL = String.raw`\b(?:SERIAL(?:\s+(?:NUMBERS?|NOS?\.?))?(?:\s+RANGE)?|S\/N|SN)S?\s*[:.#]*\s*`;
const AND = String.raw`\s*(?:&|AND)\s*`;

const toRange = (from?: string, to?: string): SerialRange => ({ from, to });
const RANGES: readonly (readonly [RegExp, typeof toRange])[] = [
  [
    new RegExp(String.raw`${LABEL}(?:FROM\s+)?${NUMBER}(?:\s+[-–]\s+|\s*–\s*|\s+(?:TO|THRU|THROUGH)\s+)${NUMBER}`, "g"),
    toRange,
  ],
  [new RegExp(String.raw`${LABEL}(?:FROM\s+)?${PLAIN}-${PLAIN}(?![\dA-Z-])`, "g"), toRange],
  [
    new RegExp(
      String.raw`${LABEL}(?:${NUMBER}${AND}(?:UP|ABOVE|LATER|AFTER|NEWER)\b|(?:AFTER|FROM|STARTING (?:WITH|AT))\s+${NUMBER}(?!\s*(?:[-–]|TO\b|THRU)))`,
      "g",
    ),
    (first, second) => ({ from: first ?? second }),
  ],
  [
    new RegExp(
      String.raw`${LABEL}(?:${NUMBER}${AND}(?:BELOW|BEFORE|EARLIER|PRIOR|OLDER)\b|(?:UP TO|THROUGH|UNTIL)\s+${NUMBER})`,
      "g",
    ),
    (first, second) => ({ to: first ?? second }),
  ],
];
/** Lines that head a page, and characters of a line and before its range: elsewhere it is of one row or sentence. */
const HEAD = 8;
const LONGEST_LINE = 100;
const MOST_BEFORE = 40;

/** Serial numbers that a page's heading says it is for: `S/N 100001 - 150000`, `For Serial No. 150001 and up`. */
export function serialsIn(text: string): SerialRange[] {
  const ranges = new Map<string, SerialRange>();
  const lines = text.split("\n", HEAD).filter(({ length }) => length <= LONGEST_LINE);
  for (const [pattern, rangeOf] of RANGES)
    for (const line of lines)
      for (const { index, 1: first, 2: second } of line.toUpperCase().matchAll(pattern)) {
        const range = rangeOf(first, second);
        if (index <= MOST_BEFORE) ranges.set(JSON.stringify(range), range);
      }
  return [...ranges.values()];
}
