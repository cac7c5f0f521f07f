import { normalizePartNumber } from "../../part-number.ts";
import type { IndexFile } from "./index-file.ts";

/** The ranking tiers, best first. What matched better is always above, whatever the words say. */
export const TIER = { exact: 0, variant: 1, successor: 2, replaced: 3, prefix: 4, words: 5 } as const;
export type Tier = (typeof TIER)[keyof typeof TIER];

const MAX_NUMBER_LENGTH = 60;
/** Shortest beginning of a number that is looked for, and shortest number amid other words. */
const MIN_PREFIX = 3;
const MIN_AMID_WORDS = 4;
const MAX_SPACED_PIECES = 4;
const MAX_SUCCESSORS = 5;

/** Rows that the query names by their number, with the tier of each. Numbers are never corrected. */
export function matchNumbers(index: IndexFile, q: string): Map<number, Tier> {
  const tiers = new Map<number, Tier>();
  const add = (row: number, tier: Tier): void => {
    if ((tiers.get(row) ?? Infinity) > tier) tiers.set(row, tier);
  };
  const addNamed = (row: number, tier: Tier): void => {
    const { status, supersededBy, manufacturer } = index.document(row);
    add(row, status === "active" ? tier : TIER.replaced);
    if (supersededBy) for (const next of successors(index, supersededBy, manufacturer.code)) add(next, TIER.successor);
  };

  const whole = normalizePartNumber(q.slice(0, 200));
  if (whole === "" || whole.length > MAX_NUMBER_LENGTH) return addAmidWords(index, q, addNamed, tiers);
  for (const row of index.rowsOfNumber(whole)) addNamed(row, TIER.exact);
  const prefixed = withoutVendor(index, whole);
  for (const { code, pnNorm } of prefixed) {
    for (const row of rowsOfVendor(index, index.rowsOfNumber(pnNorm), code)) addNamed(row, TIER.variant);
  }
  if (tiers.size === 0) addAmidWords(index, q, addNamed, tiers);
  if (hasDigit(whole) && whole.length >= MIN_PREFIX) for (const row of index.rowsOfNumberPrefix(whole)) add(row, TIER.prefix);
  for (const { code, pnNorm } of prefixed) {
    if (pnNorm.length < MIN_PREFIX || !hasDigit(pnNorm)) continue;
    for (const row of rowsOfVendor(index, index.rowsOfNumberPrefix(pnNorm), code)) add(row, TIER.prefix);
  }
  return tiers;
}

/** Numbers among other words, also typed with blanks in them: `carburetor 16100 Z0Y 813`. */
function addAmidWords(
  index: IndexFile, q: string, addNamed: (row: number, tier: Tier) => void, tiers: Map<number, Tier>,
): Map<number, Tier> {
  const pieces = q.slice(0, 300).split(/[\s,;]+/).slice(0, 20);
  for (let start = 0; start < pieces.length; start += 1) {
    for (let end = start + 1; end <= Math.min(start + MAX_SPACED_PIECES, pieces.length); end += 1) {
      const number = normalizePartNumber(pieces.slice(start, end).join(""));
      if (number.length < MIN_AMID_WORDS || number.length > MAX_NUMBER_LENGTH || !hasDigit(number)) continue;
      for (const row of index.rowsOfNumber(number)) addNamed(row, TIER.variant);
      for (const { code, pnNorm } of withoutVendor(index, number)) {
        for (const row of rowsOfVendor(index, index.rowsOfNumber(pnNorm), code)) addNamed(row, TIER.variant);
      }
    }
  }
  return tiers;
}

/** What is left of a number behind a vendor's code or name, or behind the `CT-{MFG}-` of an SKU. */
function withoutVendor(index: IndexFile, number: string): { code: string; pnNorm: string }[] {
  const found: { code: string; pnNorm: string }[] = [];
  for (const [name, code] of index.columns.vendorNames()) {
    const norm = normalizePartNumber(name);
    for (const lead of [norm, `CT${norm}`]) {
      if (norm !== "" && number.length > lead.length && number.startsWith(lead)) found.push({ code, pnNorm: number.slice(lead.length) });
    }
  }
  return found;
}

/** The part that takes a replaced one's place: the end of the chain, never a discontinued link of it. */
function successors(index: IndexFile, supersededBy: string, code: string): number[] {
  let number = supersededBy;
  const seen = new Set<number>();
  for (let step = 0; step < MAX_SUCCESSORS; step += 1) {
    const [row] = rowsOfVendor(index, index.rowsOfNumber(normalizePartNumber(number)), code);
    if (row === undefined || seen.has(row)) return [];
    seen.add(row);
    const { status, supersededBy: next } = index.document(row);
    if (next === undefined || status === "active") return status === "active" ? [row] : [];
    number = next;
  }
  return [];
}

function rowsOfVendor(index: IndexFile, rows: number[], code: string): number[] {
  return rows.filter((row) => index.columns.manufacturerValue(index.columns.manufacturer[row]!).code === code);
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
