import { memoizeRecent } from "@partline/toolkit";
import type { VendorCode } from "@partline/parts-language";

/**
 * A shape of part numbers. Source: design, "Document pipeline". BNS also for numbers that the dealer knows as NHL
 * (specification, "Routing rules").
 */
interface Family {
  name: string;
  vendor?: VendorCode;
  /** Unique to the vendor, even in another maker's manual. */
  isVendorsOwn?: true;
  /** Several vendors number parts so: without a maker nobody knows whose a number is. */
  isShared?: true;
  /** `base`: share of part numbers among texts of the shape, 0 to 1. */
  shapes: readonly { pattern: RegExp; base: number }[];
}

/** Names its vendor. Source: specification, "sku". */
export const OUR_SKU = "ct-sku";

/** The first match decides. */
export const FAMILIES = [
  { name: OUR_SKU, shapes: [{ pattern: /CT-[A-Z]{3}-[0-9A-Z][0-9A-Z.-]*[0-9A-Z]/, base: 0.97 }] },
  {
    name: "5-3-3",
    vendor: "HON",
    isVendorsOwn: true,
    shapes: [{ pattern: /\d{5}-[0-9A-Z]{3}-[0-9A-Z]{3,5}/, base: 0.9 }],
  },
  {
    name: "2-3-2-s",
    vendor: "KOH",
    isVendorsOwn: true,
    shapes: [
      { pattern: /\d{2}(?<sign>[ -])\d{3}\k<sign>\d{2}[ -]?-S/, base: 0.9 },
      { pattern: /\d{2}(?<sign>[ -])\d{3}\k<sign>\d{2}/, base: 0.45 },
    ],
  },
  { name: "3-4-letter", vendor: "LAN", shapes: [{ pattern: /\d{3}-\d{3}[A-Z]/, base: 0.7 }] },
  { name: "5-4", vendor: "KAW", isVendorsOwn: true, shapes: [{ pattern: /\d{5}-\d{4}[A-Z]?/, base: 0.55 }] },
  {
    name: "dot",
    vendor: "VNT",
    isShared: true,
    shapes: [
      { pattern: /\d{2}\.[A-Z][0-9A-Z]{3}/, base: 0.75 },
      { pattern: /\d{2}\.\d[0-9A-Z]{3}/, base: 0.3 },
    ],
  },
  { name: "ber", vendor: "BNS", shapes: [{ pattern: /BER-?\d{3,6}[A-Z]?/, base: 0.8 }] },
  { name: "f350", vendor: "BNS", shapes: [{ pattern: /F350-?[0-9A-Z]{2,6}/, base: 0.75 }] },
  { name: "790-614-713", vendor: "BNS", shapes: [{ pattern: /(?:790|614|713)\d{3}/, base: 0.45 }] },
  {
    name: "six-digits",
    vendor: "BNS",
    isShared: true,
    shapes: [
      { pattern: /\d{6}[A-Z]/, base: 0.6 },
      { pattern: /[1-9]\d{5}/, base: 0.35 },
    ],
  },
  {
    name: "letters-digits",
    shapes: [
      { pattern: /[A-Z]{1,3}-?\d{5,8}[A-Z]{0,2}\d?/, base: 0.55 },
      { pattern: /[A-Z]{1,3}\d{4}[A-Z]?/, base: 0.25 },
    ],
  },
  { name: "8-to-10-digits", shapes: [{ pattern: /\d{8,10}(?:[A-Z]\d?)?/, base: 0.3 }] },
] as const satisfies readonly Family[];

/** Families by context, of any shape. */
export const LED_FAMILIES = ["label", "column", "replaced-by"] as const;

export type FamilyName = (typeof FAMILIES)[number]["name"] | (typeof LED_FAMILIES)[number];

const LETTERS: readonly (readonly [RegExp, VendorCode])[] = [
  [/^(?:AG|ACW|ACP)\d/, "AGC"],
  [/^K\d{7}/, "KUH"],
  [/^FH\d/, "LAN"],
];

export interface Fit extends Pick<Family, "vendor" | "isVendorsOwn" | "isShared"> {
  family: FamilyName;
  base: number;
}

const wholePatterns = FAMILIES.flatMap(({ name, shapes, ...family }) =>
  shapes.map(({ pattern, base }) => ({
    pattern: new RegExp(`^(?:${pattern.source})$`),
    fit: { family: name, base, ...family } as Fit,
  })),
);

/** Cells that are remembered: each is asked for many times. */
const MOST_REMEMBERED = 2_000;

export const findFamily = memoizeRecent(MOST_REMEMBERED, familyOfText);

function familyOfText(number: string): Fit | undefined {
  const fit = wholePatterns.find(({ pattern }) => pattern.test(number))?.fit;
  if (!fit) return undefined;
  const vendor = fit.vendor ?? LETTERS.find(([letters]) => letters.test(number))?.[1];
  return vendor ? { ...fit, vendor } : fit;
}

/** Any family in a text, without letters, digits or joining signs around it. */
export const ANY_FAMILY = new RegExp(
  String.raw`(?<![0-9A-Za-z]|[0-9A-Za-z][-./,_]|[$€£@+±])(?:${FAMILIES.flatMap(({ shapes }) => shapes.map(({ pattern }) => pattern.source)).join("|")})(?![0-9A-Za-z_@%]|[-./,](?=[0-9A-Za-z]))`,
  "g",
);

/** Log odds that a text is a part number, added to those of its family. */
const EVIDENCE = {
  partLabel: 4,
  partColumn: 5,
  partColumnByContent: 2.5,
  partRow: 2,
  replacement: 4,
  numberSign: 1.5,
  afterPartNoun: 1.4,
  lettersAndDigits: 0.5,
  makerOfManual: 0.8,
  otherLabel: -6,
  measureLabel: -3,
  otherColumn: -5,
  unitAfter: -6,
  otherKind: -6,
} as const;

export type Evidence = keyof typeof EVIDENCE;

export const LEAST_CONFIDENCE = 0.5;

/** 0 to 1. */
export function computeConfidence(base: number, evidence: Iterable<Evidence>): number {
  let odds = Math.log(base / (1 - base));
  for (const kind of new Set(evidence)) odds += EVIDENCE[kind];
  return Math.round(1000 / (1 + Math.exp(-odds))) / 1000;
}
