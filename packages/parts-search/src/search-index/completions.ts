import { listCompounds, hasDigit, isSize, isStopWord } from "@partline/parts-language/terms";
import { fold } from "@partline/parts-language";
import type { IndexDocument } from "./index-document.ts";
import { memoizeRecent } from "@partline/toolkit";
import { cutTitle, splitSegments } from "./title-head.ts";

export interface Completion {
  /** How it begins when it is typed (`toTypingKey`): `oil filter` begins as `filter` too. */
  key: string;
  text: string;
}

/** Maximum number of chunks: nobody types longer phrases. */
const MAX_CHUNKS = 4;
export const MAX_COMPLETION = 60;
/** A comma between digits is part of a number. */
const BETWEEN_WORDS = /(?:[\s;]|,(?!\d)|(?<!\d),)+/;
const completionsOfShared = memoizeRecent(2_000, completeNaming);

/** Text as it is compared while it is typed: folded, letters and digits only, single blanks between words. */
export function toTypingKey(text: string): string {
  return fold(text)
    .split(BETWEEN_WORDS)
    .map((chunk) => chunk.replace(/[^\p{L}\p{N}]+/gu, ""))
    .filter((chunk) => chunk !== "")
    .join(" ");
}

function writeCompletion({ key, text }: Completion): string {
  return `${key}\t${text}`;
}

export function readCompletion(entry: string): Completion {
  const tab = entry.indexOf("\t");
  return { key: entry.slice(0, tab), text: entry.slice(tab + 1) };
}

/** The names in a part's title and of its maker, each after its kind and a blank. Many parts share them. */
export function listNamings({ title, description = "", manufacturer, vendorName }: IndexDocument): string[] {
  const { head, rest } = cutTitle(title);
  const namings = new Set([`head ${head}`]);
  if (rest !== "") for (const segment of splitSegments(rest)) namings.add(`segment ${segment}`);
  // A description also has words that do not name the part, so it gives models only.
  for (const [model] of description.matchAll(/\b[a-z]+-?\d[a-z\d]+\b/gi)) namings.add(`segment ${model}`);
  return [...namings.add(`name ${manufacturer.name}`).add(`name ${vendorName}`)];
}

/**
 * Completions to a part with this naming, as `writeCompletion` writes them: words, models, sizes, and short phrases.
 */
export function completeNaming(naming: string): string[] {
  const blank = naming.indexOf(" ");
  return completeSegment(naming.slice(0, blank) as Kind, naming.slice(blank + 1)).map(writeCompletion);
}

export function completeDocument(document: IndexDocument): string[] {
  return [...new Set(listNamings(document).flatMap(completionsOfShared))];
}

type Kind = "head" | "segment" | "name";

function completeSegment(kind: Kind, segment: string): Completion[] {
  const chunks = segment
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .map((chunk) => (chunk === "&" ? chunk : trimChunk(chunk)))
    .filter((chunk) => chunk !== "");
  // The words of a name mean nothing alone: `land pride` is a maker, `pride` is nothing.
  const words = kind === "name" && chunks.length > 1 ? [] : chunks.flatMap(completeWords);
  return [...words, ...completePhrases(kind, chunks.slice(startOfPhrase(chunks)))].filter(
    ({ key, text }) => key !== "" && Math.max(key.length, text.length) <= MAX_COMPLETION,
  );
}

/** Removes quotes, brackets and points at both ends. */
function trimChunk(chunk: string): string {
  return chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}"]+$/gu, "");
}

function completeWords(chunk: string): Completion[] {
  const key = toTypingKey(chunk);
  if (isSize(chunk))
    return [...new Set([key, ...listCompounds(chunk)])].map((spelling) => ({ key: spelling, text: chunk }));
  if (key.length < 2 || !/\p{L}/u.test(key) || isStopWord(key)) return [];
  const pieces = hasDigit(chunk)
    ? []
    : (chunk.match(/[\p{L}\p{M}]{3,}/gu) ?? []).filter((piece) => piece !== chunk && !isStopWord(piece));
  return [chunk, ...pieces].map((text) => ({ key: toTypingKey(text), text }));
}

/** A phrase begins behind stop words and sizes. */
function startOfPhrase(chunks: readonly string[]): number {
  const index = chunks.findIndex((chunk) => !isStopWord(chunk) && !isSize(chunk));
  return index === -1 ? chunks.length : index;
}

/** A segment is found by its beginning, a head or a name by each of its words. */
function completePhrases(kind: Kind, chunks: readonly string[]): Completion[] {
  if (chunks.length < 2 || chunks.length > MAX_CHUNKS) return [];
  const text = chunks.join(" ");
  const starts =
    kind === "segment"
      ? [0]
      : [...chunks.keys()].filter((index) => chunks[index] !== "&" && !isStopWord(chunks[index]!));
  return starts.map((start) => ({ key: toTypingKey(chunks.slice(start).join(" ")), text }));
}
