import { fold } from "../../fold.ts";
import { normalizePartNumber } from "../../part-number.ts";
import type { IndexDocument } from "../port.ts";
import { singular } from "../text.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** The title with the words that matched in `<em>`, or nothing when none did. */
export function highlightWords(title: string, terms: readonly string[]): { title?: string } {
  let found = false;
  const marked = title.split(/([\p{L}\p{N}\p{M}]+)/u).map((piece, index) => {
    if (index % 2 === 0) return escapeHtml(piece);
    const word = fold(piece);
    const forms = [word, singular(word)];
    if (!terms.some((term) => forms.some((form) => (term.length === 1 ? form === term : form.startsWith(term))))) return escapeHtml(piece);
    found = true;
    return `<em>${escapeHtml(piece)}</em>`;
  });
  return found ? { title: marked.join("") } : {};
}

/** The number, with as much of its beginning in `<em>` as was typed; all of it when it was found in another way. */
export function highlightNumber({ partNumber, pnNorm }: IndexDocument, q: string): string {
  const typed = normalizePartNumber(q);
  const isBeginning = pnNorm.startsWith(typed) && typed.length < pnNorm.length;
  let end = partNumber.length;
  if (isBeginning) for (end = 0; normalizePartNumber(partNumber.slice(0, end)).length < typed.length; ) end += 1;
  return `<em>${escapeHtml(partNumber.slice(0, end))}</em>${escapeHtml(partNumber.slice(end))}`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
