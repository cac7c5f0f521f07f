import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { FitmentRow, Passage } from "./facts.ts";
import { isLongNumber, quotableLine } from "./quotable.ts";
import { relevanceOf } from "./relevance.ts";
import type { Ask } from "./understanding.ts";

/** What the text of a manual says to a question, word for word. */
export interface Quote {
  /** Absent where the page speaks of it, and no line of it by itself answers. */
  line?: string;
  sha256: string;
  page: number;
  equipment: string;
}

/** Something that is told in a unit: what asks for it, and what a line that tells it has. */
interface Measure {
  asked: RegExp;
  told: RegExp;
  /** Parts are named by it, too. */
  isOfParts?: true;
}

const MEASURES: readonly Measure[] = [
  { asked: /\b(?:torqu(?:es?|ed|ing)|tighten(?:ed|ing)?|how tight|tightness)\b/i, told: /\d\s*(?:(?:ft|in)[.\s-]*lbs?\b|(?:foot|inch)[\s-]*pounds?|n\W?m\b|kgf)/i },
  { asked: /\b(?:intervals?|how often|every how many|schedules?)\b/i, told: /\b(?:hours?|hrs?|days?|weeks?|months?|seasons?|daily|weekly|yearly|annually)\b/i },
  { asked: /\b(?:pressures?|inflat(?:e|ed|ion)|psi)\b/i, told: /\d\s*(?:psi|kpa|bar)\b/i },
  { asked: /\b(?:capacit(?:y|ies)|how much (?:oil|fuel|gas|coolant|grease)|fill)\b/i, told: /\d\s*(?:fl\.?\s*)?(?:oz|qts?|quarts?|pints?|gal|gallons?|l|liters?|litres?|ml|cc)\b/i },
  { asked: /\b(?:gaps?|clearances?|adjustments?|settings?)\b/i, told: /\d\s*(?:in(?:ch(?:es)?)?|mm|")/i },
  { asked: /\b(?:rpm|speeds?)\b/i, told: /\d\s*rpm\b/i },
  { asked: /\b(?:viscosity|oil types?|types? of oil|grades? of oil|oil grades?|what oil|which oil)\b/i, told: /\bsae\b|\b\d+w-?\d+\b/i },
  { asked: /\b(?:sizes?|dimensions?|diameters?|lengths?|widths?)\b/i, told: /\d\s*(?:x|\/|in\b|inch|mm|")\s*/i, isOfParts: true },
];
/** Words that ask, and stand in no line that answers. */
const ASKED_WITH = /^(?:torque|torqued|torquing|tight|tightness|tighten|tightened|tightening|interval|often|schedule|pressure|inflate|inflated|inflation|psi|capacity|fill|gap|clearance|adjustment|setting|rpm|speed|viscosity|type|grade|size|dimension|diameter|length|width|spec|specification|value)$/;

const MOST_QUOTES = 2;
/** Words of a heading that stands over a paragraph. */
const LONGEST_HEADING = 5;
const UNIT = /^(?:rpm|hours?|hrs?|psi|kpa|ft|in|mm|lbs?|cc|watts?|volts?)\b/i;

export interface Quoted {
  quotes: Quote[];
  /** A size, a torque or the like was asked for. */
  isMeasured: boolean;
  /** They answer what was asked, whatever parts are called so. */
  isAnswer: boolean;
}

/**
 * Lines that have all that is asked for, with the unit where a measure is asked; for a measure of which no line tells, the page that speaks of it. What
 * lists parts is no text: its rows are answered as parts.
 * @param rows of parts, those on the passages' pages among them
 */
export function quotesOf({ text, terms, wanted, models }: Pick<Ask, "text" | "terms" | "wanted" | "models">, passages: readonly Passage[], rows: readonly FitmentRow[]): Quoted {
  const measure = MEASURES.find(({ asked }) => asked.test(text));
  const named = measure ? terms.filter((term) => !ASKED_WITH.test(term)) : terms;
  if (named.length === 0 || !(measure || wanted === "part" || wanted === "page")) return { quotes: [], isMeasured: false, isAnswer: false };
  const has = (words: string): boolean => named.every((term) => relevanceOf({ terms: [term] }, { description: words }).coverage === 1);
  const lines: Quote[] = [];
  const pages: Quote[] = [];
  for (const { sha256, page, text: passage, equipment } of passages) {
    const place = { sha256, page, equipment: models.find((model) => equipment.includes(model.equipment))?.equipment ?? equipment[0] ?? "" };
    const numbers = rows.filter((row) => row.sha256 === sha256 && row.page === page).map(({ pnNorm }) => pnNorm);
    const isText = (line: string): boolean => !hasLongNumber(line) && !numbers.some((number) => normalizePartNumber(line).includes(number));
    const answering = unitsOf(passage).filter((line) => isText(line) && has(line) && (measure === undefined ? line.split(/\s+/).length > named.length + 1 : measure.told.test(line)));
    lines.push(...answering.flatMap(quotableLine).map((line) => ({ ...place, line })));
    if (measure && !measure.isOfParts && measure.asked.test(passage) && has(passage)) pages.push(place);
  }
  const distinct = [...new Map(lines.map((quote) => [`${quote.sha256} ${quote.page} ${quote.line}`, quote])).values()];
  const quotes = distinct.length > 0 ? distinct.slice(0, MOST_QUOTES) : pages.slice(0, 1);
  return { quotes, isMeasured: measure !== undefined, isAnswer: measure !== undefined && measure.isOfParts === undefined && quotes.length > 0 };
}

/** Rows of a table as they stand, and the sentences of what stands between them. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) units.push(...paragraph.join(" ").split(/(?<=[.!?])\s+(?=\p{Lu})/u));
    paragraph = [];
  };
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const isHeading = paragraph.length === 0 && line.trim().split(/\s+/).length <= LONGEST_HEADING && !/[.,;:!?]$/.test(line.trim()) && /^\s*\p{Lu}/u.test(lines[at + 1] ?? "");
    if (isHeading || /\S {2,}\S/.test(line)) {
      end();
      units.push(line);
    } else if (line.trim() === "") end();
    else paragraph.push(line.trim());
  }
  end();
  return units;
}

/** A number as long as a part's that counts no unit. */
function hasLongNumber(line: string): boolean {
  const words = line.trim().split(/\s+/);
  return words.some((word, at) => isLongNumber(word.replace(/^[(,;]+|[),;:.]+$/g, "")) && !UNIT.test(words[at + 1] ?? ""));
}
