import { fold } from "../fold.ts";
import { normalizePartNumber } from "../part-number.ts";
import { forgivenEdits } from "./edit-distance.ts";
import type { Highlights, IndexDocument } from "./port.ts";
import { variantNorms, type PlannedTerm, type QueryPlan } from "./query-plan.ts";
import { chunksOf, singular } from "./text.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** What of a hit's number and title the query names, in `<em>`; a field that it does not name is left out. */
export function highlightsOf(document: IndexDocument, plan: QueryPlan): Highlights {
  const partNumber = markNumber(document, plan);
  const title = markWords(document.title, plan);
  return { ...(partNumber === undefined ? {} : { partNumber }), ...(title === undefined ? {} : { title }) };
}

/** All of the number, or as much of its beginning or end as was typed. */
function markNumber(document: IndexDocument, { numbers }: QueryPlan): string | undefined {
  const { partNumber, pnNorm } = document;
  const { whole, ofVendor, amidWords, prefixes, suffix } = numbers;
  const named = new Set([...(whole === undefined ? [] : [whole]), ...[...ofVendor, ...amidWords].map(({ norm }) => norm)]);
  if ([pnNorm, ...variantNorms(document)].some((norm) => named.has(norm))) return `<em>${escapeHtml(partNumber)}</em>`;
  const beginning = prefixes.find(({ norm }) => pnNorm.startsWith(norm));
  if (beginning) {
    const end = positionOf(partNumber, beginning.norm.length);
    return `<em>${escapeHtml(partNumber.slice(0, end))}</em>${escapeHtml(partNumber.slice(end))}`;
  }
  if (suffix === undefined || !pnNorm.endsWith(suffix)) return undefined;
  // The separator in front of what was typed is not marked.
  let start = positionOf(partNumber, pnNorm.length - suffix.length);
  while (start < partNumber.length && normalizePartNumber(partNumber[start]!) === "") start += 1;
  return `${escapeHtml(partNumber.slice(0, start))}<em>${escapeHtml(partNumber.slice(start))}</em>`;
}

/** Where the first `count` normalised characters of a number end. */
function positionOf(partNumber: string, count: number): number {
  let end = 0;
  while (end < partNumber.length && normalizePartNumber(partNumber.slice(0, end)).length < count) end += 1;
  return end;
}

function markWords(title: string, { words }: QueryPlan): string | undefined {
  const pieces = title.split(/([\p{L}\p{N}\p{M}]+)/u);
  const forms = pieces.map((piece, index) => (index % 2 === 0 ? [] : formsOf(piece)));
  const terms = words.flatMap(({ alternatives }) => alternatives.flatMap((alternative) => alternative.terms));
  const marked = new Set<number>();
  for (const term of terms) {
    const named = forms.flatMap((each, index) => (each.some((form) => isNamed(form, term)) ? [index] : []));
    // What is only like the word is marked where the word itself is not.
    const close = named.length > 0 ? named : forms.flatMap((each, index) => (each.some((form) => isClose(form, term)) ? [index] : []));
    for (const index of close) marked.add(index);
  }
  markCompact(title, pieces, terms, marked);
  if (marked.size === 0) return undefined;
  return pieces.map((piece, index) => (marked.has(index) ? `<em>${escapeHtml(piece)}</em>` : escapeHtml(piece))).join("");
}

function formsOf(piece: string): string[] {
  const word = fold(piece);
  return [word, singular(word)];
}

function isNamed(form: string, { text, isBeginning }: PlannedTerm): boolean {
  return isBeginning ? form.startsWith(text) : form === text;
}

function isClose(form: string, { text, typos }: PlannedTerm): boolean {
  return typos > 0 && forgivenEdits(text, form) !== undefined;
}

/** `23x8.50-12` is marked whole where `23x850-12` was typed. */
function markCompact(title: string, pieces: readonly string[], terms: readonly PlannedTerm[], marked: Set<number>): void {
  const compacts = new Set(chunksOf(title).flatMap(({ compact }) => (compact === undefined ? [] : [compact])));
  for (const term of terms) {
    if (![...compacts].some((compact) => isNamed(compact, term))) continue;
    for (const [index, piece] of pieces.entries()) if (/[\p{L}\p{N}]/u.test(piece) && term.text.includes(fold(piece))) marked.add(index);
  }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
