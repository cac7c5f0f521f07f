import { LRUCache } from "lru-cache";
import { fold } from "../fold.ts";
import type { IndexDocument } from "./port.ts";
import { compoundsOf, hasDigit, isSize, isStopWord } from "./text.ts";
import { cutTitle, segmentsOf } from "./title-head.ts";

/** A word or phrase that may be meant, and how it begins where it is typed: `oil filter` begins as `filter` too. */
export interface Completion {
  /** As `typingKey` gives it. */
  key: string;
  text: string;
}

/** A phrase of more words is no query that anybody types. */
const MAX_CHUNKS = 4;
export const MAX_COMPLETION = 60;
/** Completions of the namings that were met last. */
const known = new LRUCache<string, readonly string[]>({ max: 2_000 });

/** Text as it is compared while it is typed: folded, words apart by one blank, letters and digits only. */
export function typingKey(text: string): string {
  return fold(text)
    .split(/[\s,;]+/)
    .map((chunk) => chunk.replace(/[^\p{L}\p{N}]+/gu, ""))
    .filter((chunk) => chunk !== "")
    .join(" ");
}

function writeCompletion({ key, text }: Completion): string {
  return `${key}\t${text}`;
}

export function readCompletion(entry: string): Completion {
  const at = entry.indexOf("\t");
  return { key: entry.slice(0, at), text: entry.slice(at + 1) };
}

/**
 * What a part is called, in pieces: each is a kind, a blank, and as much of a title, or a name. Many parts have the
 * same.
 */
export function namingsOf({ title, description = "", manufacturer, vendorName }: IndexDocument): string[] {
  const { head, rest } = cutTitle(title);
  const namings = new Set([`head ${head}`]);
  if (rest !== "") for (const segment of segmentsOf(rest)) namings.add(`segment ${segment}`);
  // Of a description models alone: whatever else stands there is not what the part is.
  for (const [model] of description.matchAll(/\b[a-z]+-?\d[a-z\d]+\b/gi)) namings.add(`segment ${model}`);
  return [...namings.add(`name ${manufacturer.name}`).add(`name ${vendorName}`)];
}

/**
 * What may be completed to a part that is called so, written as `writeCompletion` does: the words as they stand there,
 * models and sizes, and, where they are few, all of them.
 */
export function completionsOfNaming(naming: string): string[] {
  const at = naming.indexOf(" ");
  return completionsOfSegment(naming.slice(0, at) as Kind, naming.slice(at + 1)).map(writeCompletion);
}

/** All that may be completed to a part. */
export function completionsOf(document: IndexDocument): string[] {
  return [
    ...new Set(
      namingsOf(document).flatMap((naming) => {
        const completions = known.get(naming) ?? completionsOfNaming(naming);
        known.set(naming, completions);
        return completions;
      }),
    ),
  ];
}

type Kind = "head" | "segment" | "name";

function completionsOfSegment(kind: Kind, segment: string): Completion[] {
  const chunks = segment
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((chunk) => (chunk === "&" ? chunk : trimmed(chunk)))
    .filter((chunk) => chunk !== "");
  // The words of a name mean nothing alone: it is `land pride`, and no `pride`.
  const words = kind === "name" && chunks.length > 1 ? [] : chunks.flatMap(wordsOf);
  return [...words, ...phrasesOf(kind, chunks.slice(startOfPhrase(chunks)))].filter(
    ({ key, text }) => key !== "" && Math.max(key.length, text.length) <= MAX_COMPLETION,
  );
}

/** Without the quotes, brackets and points around it. */
function trimmed(chunk: string): string {
  return chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}"]+$/gu, "");
}

function wordsOf(chunk: string): Completion[] {
  const key = typingKey(chunk);
  if (isSize(chunk)) return [...new Set([key, ...compoundsOf(chunk)])].map((each) => ({ key: each, text: chunk }));
  if (key.length < 2 || !/\p{L}/u.test(key) || isStopWord(key)) return [];
  const pieces = hasDigit(chunk)
    ? []
    : (chunk.match(/[\p{L}\p{M}]{3,}/gu) ?? []).filter((piece) => piece !== chunk && !isStopWord(piece));
  return [chunk, ...pieces].map((text) => ({ key: typingKey(text), text }));
}

/** Behind words that say nothing, and behind a size, which is asked for alone. */
function startOfPhrase(chunks: readonly string[]): number {
  const at = chunks.findIndex((chunk) => !isStopWord(chunk) && !isSize(chunk));
  return at === -1 ? chunks.length : at;
}

/** A phrase is found by how it begins, what names the part or its maker by each of its words. */
function phrasesOf(kind: Kind, chunks: readonly string[]): Completion[] {
  if (chunks.length < 2 || chunks.length > MAX_CHUNKS) return [];
  const text = chunks.join(" ");
  const starts =
    kind === "segment" ? [0] : [...chunks.keys()].filter((at) => chunks[at] !== "&" && !isStopWord(chunks[at]!));
  return starts.map((at) => ({ key: typingKey(chunks.slice(at).join(" ")), text }));
}
