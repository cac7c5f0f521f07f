import { readSections } from "./read-lines.ts";

/** Returns letters without accents, in lower case, as the words are compared. */
export function foldHeader(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase();
}

/** Returns an alternation of words, which may hold patterns; `_` is a space. */
export function joinHeaderWords(words: string): string {
  const text = foldHeader(words).replaceAll(String.raw`\p{l}`, String.raw`\p{L}`);
  return `(?:${text.trim().split(/\s+/).join("|").replaceAll("_", " ")})`;
}

type Heading =
  | "count"
  | "code"
  | "part"
  | "alone"
  | "glued"
  | "name"
  | "description"
  | "quantity"
  | "maker"
  | "replaced"
  | "replacement";
const LINES = new Map(readSections("header-words").map(({ name, lines }) => [name, lines.join(" ")]));
const WORDS = Object.fromEntries([...LINES].map(([name, words]) => [name, joinHeaderWords(words)])) as Record<
  Heading,
  string
>;
/** Between the number and what it numbers: `Número de parte`. */
const OF = String.raw`(?:(?:d[aeiou]?s?|del|della|der|des|of|van|for) )?`;
const { count, code, part, glued, alone } = WORDS;

export const HEADER_WORDS = {
  ...WORDS,
  of: OF,
  replacement: `(?:${WORDS.replaced}|${WORDS.replacement})`,
  /** Words that mean part number by themselves, too. */
  partNumber: String.raw`(?:${part}[ -]?(?:${count}|${code})|(?:${count}|${code}) ${OF}${part}|${glued}|${alone})`,
};
