import { normalizePartNumber, type VendorCode } from "@partline/parts-language";
import type { FoundPart } from "../findings.ts";
import {
  ANY_FAMILY,
  confidenceOf,
  type Evidence,
  type FamilyName,
  familyOf,
  type Fit,
  LEAST_CONFIDENCE,
} from "./families.ts";
import {
  DATE_AFTER,
  DOCUMENT_LABEL,
  LIST_BETWEEN,
  MEASURE_LABEL,
  OTHER_LABEL,
  PART_LABEL,
  PART_NOUN,
  QUANTITY_AFTER,
  QUANTITY_BEFORE,
  STATE_BEFORE,
  UNIT_AFTER,
} from "./labels.ts";
import { isDay, isOtherKind } from "./other-kinds.ts";
import { supersessionsIn } from "./supersession.ts";

export interface Surroundings {
  /** Maker of the page. */
  vendor?: VendorCode;
  /** Normalised; they are no parts. */
  models: ReadonlySet<string>;
  /** Header of the column. */
  heading?: string;
}

interface Found {
  number: string;
  start: number;
  end: number;
}

/** A part where a text names it. */
export interface Candidate extends Pick<Found, "start" | "end"> {
  part: Omit<FoundPart, "page" | "box">;
}

/** Characters around a number. */
const REACH = 64;

const SAID_TO_REPLACE =
  /\b(?:replaced|superseded|ersetzt|reemplazad[oa]|sustituid[oa]|remplac\u00e9e?|sostituit[oa]|no longer (?:available|supplied)|n\.?l\.?a|obsolete|discontinued)\b[^\n]{0,40}$/i;

/** A number after a label. */
const AFTER_LABEL =
  /(?<![0-9A-Za-z]|[0-9A-Za-z][-./,])(?:\d{3} \d{2} \d{2}-\d{2}|\d{2} \d{3} \d{2}(?: ?-S)?|(?=[A-Za-z-./]*\d)[0-9A-Za-z]+(?:[-./][0-9A-Za-z]+)*)(?![0-9A-Za-z])/g;

/** Part numbers of a text that are more likely than not, in order. */
export function scan(text: string, surroundings: Surroundings): Candidate[] {
  const candidates: Candidate[] = [];
  const replacements = replacementsIn(text);
  let previous: { end: number; said: Evidence | undefined } | undefined;
  for (const found of numbersIn(text)) {
    const fit = familyOf(found.number);
    const before = text.slice(Math.max(0, found.start - REACH), found.start);
    const replacing = replacements.get(found.start);
    // "Float Type: 25 434 08 superseded by ..." names parts, "Form 123456 superseded by ..." does not.
    const own = replacing && !DOCUMENT_LABEL.test(before) && !PART_LABEL.test(before) ? undefined : saidBefore(before);
    const isListed = previous !== undefined && LIST_BETWEEN.test(text.slice(previous.end, found.start));
    const said = own ?? (isListed ? previous!.said : undefined);
    previous = { end: found.end, said };
    // "ha sido" and "a été" are no units.
    const evidence = [
      ...(said ? [said] : []),
      ...(replacing ? ["replacement" as const] : []),
      ...evidenceOf(found, fit, text, surroundings).filter((each) => !replacing?.by || each !== "unitAfter"),
    ];
    // An unknown shape needs a label.
    if (!fit && said !== "partLabel" && !replacing) continue;
    const led = replacing ? "replaced-by" : "label";
    const confidence = confidenceOf(fit?.base ?? 0.4, evidence);
    if (confidence < LEAST_CONFIDENCE) continue;
    const { number, start, end } = found;
    const part = {
      ...namesOf(number),
      pattern: fit?.family ?? led,
      confidence,
      ...vendorOf(number, fit, surroundings.vendor),
      ...(replacing?.by && { replacedBy: replacing.by }),
      ...quantityBeside(text, found),
    };
    candidates.push({ start, end, part });
  }
  return candidates;
}

/** Base for unknown numbers in a part number column. */
const UNKNOWN_BASE = 0.3;

/** The part of a row; none if it is less likely than not. */
export function partOfRow(
  number: string,
  evidence: readonly Evidence[],
  led: FamilyName,
  vendor: VendorCode | undefined,
  facts: Pick<FoundPart, "page" | "box"> & Partial<FoundPart>,
): FoundPart[] {
  const fit = familyOf(number);
  const confidence = confidenceOf(fit?.base ?? UNKNOWN_BASE, [
    ...evidence,
    ...(/[A-Z]/.test(number) ? (["lettersAndDigits"] as const) : []),
  ]);
  const part = { ...namesOf(number), pattern: fit?.family ?? led, confidence };
  return confidence < LEAST_CONFIDENCE ? [] : [{ ...part, ...vendorOf(number, fit, vendor), ...facts }];
}

/** By the SKU, else by a number that only one vendor writes, else by the page, else by the family. */
export function vendorOf(
  number: string,
  fit: Fit | undefined,
  ofPage: VendorCode | undefined,
): { vendor?: VendorCode } {
  const vendor = /^CT-/.test(number)
    ? (number.slice(3, 6) as VendorCode)
    : fit?.isVendorsOwn
      ? fit.vendor
      : (ofPage ?? fit?.vendor);
  return vendor ? { vendor } : {};
}

/** A SKU of ours has its maker's number. */
function namesOf(number: string): Pick<FoundPart, "partNumber" | "pnNorm"> {
  const partNumber = number.replace(/^CT-[A-Z]{3}-/, "");
  return { partNumber, pnNorm: normalizePartNumber(partNumber) };
}

function quantityBeside(text: string, { start, end }: Found): { quantity?: number } {
  const [, named, required] = QUANTITY_AFTER.exec(text.slice(end, end + REACH)) ?? [];
  const quantity = Number(
    named ?? required ?? QUANTITY_BEFORE.exec(text.slice(Math.max(0, start - REACH), start))?.[1] ?? 0,
  );
  return quantity > 0 ? { quantity } : {};
}

function numbersIn(text: string): Found[] {
  const found = [...text.matchAll(ANY_FAMILY)].map(foundOf);
  const isFree = ({ start, end }: Found): boolean => !found.some((each) => each.start < end && start < each.end);
  const labelled = [...text.matchAll(AFTER_LABEL)]
    .map(foundOf)
    .filter((each) => each.number.length >= 3 && isFree(each));
  return [...found, ...labelled].sort((a, b) => a.start - b.start);
}

function foundOf(match: RegExpExecArray): Found {
  return { number: match[0], start: match.index, end: match.index + match[0].length };
}

function saidBefore(before: string): Evidence | undefined {
  if (PART_LABEL.test(before)) return "partLabel";
  if (OTHER_LABEL.test(before)) return "otherLabel";
  return MEASURE_LABEL.test(before) ? "measureLabel" : undefined;
}

function evidenceOf(
  { number, start, end }: Found,
  fit: Fit | undefined,
  text: string,
  { vendor, models, heading = "" }: Surroundings,
): Evidence[] {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + 24);
  const seen: Evidence[] = [];
  if (isOtherKind(number) || isDay(number) || models.has(normalizePartNumber(number)) || DATE_AFTER.test(after))
    seen.push("otherKind");
  if (fit?.family === "5-4" && STATE_BEFORE.test(before)) seen.push("otherKind");
  if (UNIT_AFTER.test(after)) seen.push("unitAfter");
  if (/#\s?$/.test(before)) seen.push("numberSign");
  if (PART_NOUN.test(before)) seen.push("afterPartNoun");
  if (vendor !== undefined && vendor === fit?.vendor) seen.push("makerOfManual");
  if (/[A-Z]/.test(number) && /\d/.test(number)) seen.push("lettersAndDigits");
  if (PART_LABEL.test(heading)) seen.push("partColumn");
  else if (OTHER_LABEL.test(heading) || MEASURE_LABEL.test(heading)) seen.push("otherColumn");
  return seen;
}

/** Successors in notes, by where each number begins. */
function replacementsIn(text: string): Map<number, { by?: string }> {
  const replacements = new Map<number, { by?: string }>();
  for (const { old, next } of supersessionsIn(text)) {
    if (!next) continue;
    // A footnote's mark may name the old number.
    if (!old && !SAID_TO_REPLACE.test(text.slice(Math.max(0, next.start - REACH), next.start))) continue;
    if (old) replacements.set(old.start, { by: next.number });
    if (!replacements.has(next.start)) replacements.set(next.start, {});
  }
  return replacements;
}
