import { fold } from "../fold.ts";

/** How text becomes terms, the same for what is indexed and what is asked. Terms hold lower-case letters and digits only. */

const STOP_WORDS = new Set(["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]);

/** A text cut at white space: `23x8.50-12 tire` is two chunks of one and of four terms. */
export interface Chunk {
  terms: string[];
  /** A chunk with a digit and punctuation as one term, so that `23x8.50-12` is found by `23x850-12`. */
  compact?: string;
}

export function chunksOf(text: string): Chunk[] {
  return fold(text).split(/[\s,;]+/).flatMap((chunk): Chunk[] => {
    const words = chunk.match(/[\p{L}\p{N}]+/gu);
    if (!words) return [];
    const compact = words.length > 1 && /\p{N}/u.test(chunk) ? words.join("") : undefined;
    return [compact === undefined ? { terms: words.map(singular) } : { terms: words.map(singular), compact }];
  });
}

/** Every term of a text, for the index. */
export function termsOf(text: string): string[] {
  return chunksOf(text).flatMap(({ terms, compact }) => (compact === undefined ? terms : [...terms, compact]));
}

/** The chunks of a query without the words that say nothing, unless it has no others. */
export function queryChunks(text: string): Chunk[] {
  const chunks = chunksOf(text);
  const telling = chunks.filter(({ terms }) => terms.length > 1 || !isStopWord(terms[0]!));
  return telling.length > 0 ? telling : chunks;
}

/** Words that say nothing. */
export function isStopWord(term: string): boolean {
  return STOP_WORDS.has(term);
}

/** English plurals are the word itself: blades, pulleys, brushes, assemblies. */
export function singular(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word) || !word.endsWith("s")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /(ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}
