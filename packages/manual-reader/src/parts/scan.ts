import { normalizePartNumber, type VendorCode } from "@partline/parts-language";
import type { FoundPart } from "../findings.ts";
import {
  ANY_FAMILY,
  computeConfidence,
  type Evidence,
  type FamilyName,
  findFamily,
  type Fit,
  LEAST_CONFIDENCE,
} from "./families.ts";
import {
  DATE_AFTER,
  DOCUMENT_LABEL,
  DOCUMENT_PART_LABEL,
  LIST_BETWEEN,
  MEASURE_LABEL,
  OTHER_LABEL,
  PART_LABEL,
  PART_NOUN,
  QUANTITY_AFTER,
  QUANTITY_BEFORE,
  STATE_BEFORE,
  TOOL_LABEL,
  UNIT_AFTER,
} from "./labels.ts";
import { findRole } from "./headers.ts";
import { isDay, isDesignator, isOtherKind } from "./other-kinds.ts";
import { isTelling, mayBeGrouped } from "./shapes.ts";
import { supersessionsIn } from "./supersession.ts";

export interface Surroundings {
  /** Maker of the page. */
  vendor?: VendorCode;
  /** Normalised; they are no parts. */
  models: ReadonlySet<string>;
  /** The page's models by the marks that its lists have for them. */
  legend?: ReadonlyMap<string, string>;
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

/** Before the numbers of an example, which may go on in the next line. */
const EXAMPLE =
  /(?<!\p{L})(?:examples?|e\.g|beispiele?|z\.\s?B|ejemplos?|exemples?|esempio|exemplos?)(?!\p{L})[^\n]*(?:[/:,]\n[^\n]*)?$/iu;

/** A number after a label. */
const AFTER_LABEL =
  /(?<![0-9A-Za-z]|[0-9A-Za-z][-./,])(?:\d{3} \d{2} \d{2}-\d{2}|\d{2} \d{3} \d{2}(?: ?-S)?|(?=[A-Za-z-./]*\d)[0-9A-Za-z]+(?:[-./][0-9A-Za-z]+)*)(?![0-9A-Za-z])/g;

/** A number in groups after a label: `77 01 423 933`, `211 853 601 E`, `A 169 320 09 89`. */
const GROUPS =
  /(?<![0-9A-Za-z]|[0-9A-Za-z][-./,])(?:[A-Z]{1,2} )?(?=[0-9A-Z]*\d)[0-9A-Z]{1,6}(?: (?=[0-9A-Z]*\d)[0-9A-Z]{2,6}){1,5}(?:-\d{1,3}| [A-Z]{1,2})?(?![0-9A-Za-z]|[-./](?=[0-9A-Za-z]))/g;
/** The earlier numbers of a list behind one label. */
const EARLIER = /(?:(?=[0-9A-Z ./-]*\d)[0-9A-Z][0-9A-Z ./-]*(?:[,;&]|\b(?:and|or|und|oder|et|ou|y|o|e)\b)\s*)+$/;

/** Part numbers of a text that are more likely than not, in order. */
export function scan(text: string, surroundings: Surroundings): Candidate[] {
  const candidates: Candidate[] = [];
  const replacements = replacementsIn(text);
  let previous: { end: number; said: Evidence | undefined } | undefined;
  for (const token of numbersIn(text)) {
    const fit = findFamily(token.number);
    const lead = text.slice(Math.max(0, token.start - REACH), token.start);
    if (EXAMPLE.test(lead)) continue;
    const replacing = replacements.get(token.start);
    // "Float Type: 25 434 08 superseded by ..." names parts, "Form 123456 superseded by ..." does not.
    const ownEvidence =
      replacing && !DOCUMENT_LABEL.test(lead) && !PART_LABEL.test(lead) ? undefined : saidBefore(lead, token.number);
    const isListed = previous !== undefined && LIST_BETWEEN.test(text.slice(previous.end, token.start));
    const labelEvidence = ownEvidence ?? (isListed ? previous!.said : undefined);
    previous = { end: token.end, said: labelEvidence };
    // "ha sido" and "a été" are no units.
    const evidence = [
      ...(labelEvidence ? [labelEvidence] : []),
      ...(replacing ? ["replacement" as const] : []),
      ...collectEvidence(token, fit, text, surroundings).filter((kind) => !replacing?.by || kind !== "unitAfter"),
    ];
    // An unknown shape needs a label.
    if (!fit && labelEvidence !== "partLabel" && !replacing) continue;
    const led = replacing ? "replaced-by" : "label";
    const confidence = computeConfidence(fit?.base ?? 0.4, evidence);
    if (confidence < LEAST_CONFIDENCE) continue;
    const { number, start, end } = token;
    const part = {
      ...toNames(number),
      pattern: fit?.family ?? led,
      confidence,
      ...identifyVendor(number, fit, surroundings.vendor),
      ...(replacing?.by && { replacedBy: replacing.by }),
      ...quantityBeside(text, token),
    };
    candidates.push({ start, end, part });
  }
  return candidates;
}

/** Before a piece of a longer number, as of a telephone: `(800) 555-0161`. */
const PIECE = /(?:\d[-./ ]|[)+]\s?)$/;

/** Of a page: a table of measures has more. */
const MOST_POSSIBLE = 200;

/** Numbers of a text that are parts only if the document's lists spell theirs alike. */
export function findPossible(text: string, surroundings: Surroundings, candidates: readonly Candidate[]): Candidate[] {
  const tokens = leaveOutPieces([...text.matchAll(GROUPS)].map(toFound), [...text.matchAll(AFTER_LABEL)].map(toFound));
  return leaveOutPieces<Pick<Found, "start" | "end">>(candidates, tokens)
    .filter((token): token is Found => "number" in token && isTelling(token.number) && mayBeGrouped(token.number))
    .filter((token) => {
      const lead = text.slice(Math.max(0, token.start - REACH), token.start);
      const evidence = collectEvidence(token, findFamily(token.number), text, surroundings);
      const isOther = evidence.includes("otherKind") || evidence.includes("unitAfter");
      return saidBefore(lead, token.number) === undefined && !EXAMPLE.test(lead) && !PIECE.test(lead) && !isOther;
    })
    .slice(0, MOST_POSSIBLE)
    .map(({ number, start, end }) => {
      const fit = findFamily(number);
      const part = { ...toNames(number), pattern: fit?.family ?? "label", confidence: POSSIBLE };
      return { start, end, part: { ...part, ...identifyVendor(number, fit, surroundings.vendor) } };
    });
}

/** Of a number in a text that is spelled as those of the document's lists. */
const POSSIBLE = 0.7;

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
  const fit = findFamily(number);
  const confidence = computeConfidence(fit?.base ?? UNKNOWN_BASE, [
    ...evidence,
    ...(/[A-Z]/.test(number) ? (["lettersAndDigits"] as const) : []),
  ]);
  const part = { ...toNames(number), pattern: fit?.family ?? led, confidence };
  return confidence < LEAST_CONFIDENCE ? [] : [{ ...part, ...identifyVendor(number, fit, vendor), ...facts }];
}

/**
 * By the SKU, else by a number that only one vendor writes, else by the page, else by the family, unless it is shared:
 * a vendor that is only likely would keep the part of another from being found.
 */
export function identifyVendor(
  number: string,
  fit: Fit | undefined,
  pageVendor: VendorCode | undefined,
): { vendor?: VendorCode } {
  const hinted = fit?.isShared ? undefined : fit?.vendor;
  const vendor = /^CT-/.test(number)
    ? (number.slice(3, 6) as VendorCode)
    : fit?.isVendorsOwn
      ? fit.vendor
      : (pageVendor ?? hinted);
  return vendor ? { vendor } : {};
}

/** A SKU of ours has its maker's number. */
function toNames(number: string): Pick<FoundPart, "partNumber" | "pnNorm"> {
  const partNumber = number.replace(/^CT-[A-Z]{3}-/, "");
  return { partNumber, pnNorm: normalizePartNumber(partNumber) };
}

function quantityBeside(text: string, { start, end }: Found): { quantity?: number } {
  const [, count, required] = QUANTITY_AFTER.exec(text.slice(end, end + REACH)) ?? [];
  const quantity = Number(
    count ?? required ?? QUANTITY_BEFORE.exec(text.slice(Math.max(0, start - REACH), start))?.[1] ?? 0,
  );
  return quantity > 0 ? { quantity } : {};
}

function numbersIn(text: string): Found[] {
  const grouped = [...text.matchAll(GROUPS)]
    .map(toFound)
    .filter(
      ({ number, start }) =>
        mayBeGrouped(number) &&
        findFamily(number) === undefined &&
        PART_LABEL.test(text.slice(Math.max(0, start - REACH), start).replace(EARLIER, "")),
    );
  const tokens = leaveOutPieces(grouped, [...text.matchAll(ANY_FAMILY)].map(toFound));
  const labelled = [...text.matchAll(AFTER_LABEL)]
    .map(toFound)
    .filter(({ number }) => number.replace(/[-./]/g, "").length >= 3);
  return leaveOutPieces(tokens, labelled).sort((a, b) => a.start - b.start);
}

/** A piece of a number is none. */
function leaveOutPieces<T extends Pick<Found, "start" | "end">>(
  numbers: readonly T[],
  more: readonly Found[],
): (T | Found)[] {
  return [
    ...numbers,
    ...more.filter(({ start, end }) => !numbers.some((number) => number.start < end && start < number.end)),
  ];
}

function toFound(match: RegExpExecArray): Found {
  return { number: match[0], start: match.index, end: match.index + match[0].length };
}

function saidBefore(lead: string, number: string): Evidence | undefined {
  if (DOCUMENT_PART_LABEL.test(lead)) return "otherLabel";
  // `SST 304` is steel.
  if (PART_LABEL.test(lead) || (TOOL_LABEL.test(lead) && isTelling(number))) return "partLabel";
  if (OTHER_LABEL.test(lead)) return "otherLabel";
  return MEASURE_LABEL.test(lead) ? "measureLabel" : undefined;
}

function collectEvidence(
  { number, start, end }: Found,
  fit: Fit | undefined,
  text: string,
  { vendor, models, heading = "" }: Surroundings,
): Evidence[] {
  const lead = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + 24);
  const evidence: Evidence[] = [];
  if (
    isDesignator(number) ||
    isOtherKind(number) ||
    isDay(number) ||
    models.has(normalizePartNumber(number)) ||
    DATE_AFTER.test(after)
  )
    evidence.push("otherKind");
  if (fit?.family === "5-4" && STATE_BEFORE.test(lead)) evidence.push("otherKind");
  if (UNIT_AFTER.test(after)) evidence.push("unitAfter");
  if (/#\s?$/.test(lead)) evidence.push("numberSign");
  if (PART_NOUN.test(lead)) evidence.push("afterPartNoun");
  if (vendor !== undefined && vendor === fit?.vendor) evidence.push("makerOfManual");
  if (/[A-Z]/.test(number) && /\d/.test(number)) evidence.push("lettersAndDigits");
  if (PART_LABEL.test(heading) && findRole(heading) !== "description") evidence.push("partColumn");
  else if (OTHER_LABEL.test(heading) || MEASURE_LABEL.test(heading)) evidence.push("otherColumn");
  return evidence;
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
