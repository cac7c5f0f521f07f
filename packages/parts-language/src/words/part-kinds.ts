import { readLines } from "./read-lines.ts";
import { findPartKind, type KindGroups, type KindWords, splitStems } from "../part-kind.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "./synonyms.ts";

const ROWS = readLines("part-kinds").map((line) => {
  const [kind = "", words = ""] = line.split(": ");
  return { kind, words: words.split(/[,|]/).map((word) => word.trim()) };
});

/** The kinds of parts and categories that have an icon. */
export const PART_KINDS: readonly string[] = ROWS.map(({ kind }) => kind);

/** Lists the words and phrases that say a kind. */
export const listKindPhrases = (): string[] => ROWS.flatMap(({ words }) => words);

/** A phrase's kind is that of its head in German and Spanish. */
const isHead = (word: string): boolean => !word.includes(" ");
const TRANSLATIONS = [
  ...DEFAULT_SYNONYMS.en.map(parseSynonyms),
  ...[DEFAULT_SYNONYMS.de, DEFAULT_SYNONYMS.es]
    .flat()
    .map(parseSynonyms)
    .map(({ words, meanings }) => ({ words: words.filter(isHead), meanings })),
];

/** Lists what says a kind in the languages of the pages, without what the rest says as well. */
function createKindWords(): KindWords {
  const kindByPhrase = new Map<string, string>();
  const add = (word: string, kind: string): void => {
    const phrase = splitStems(word).join(" ");
    if (phrase !== "" && !kindByPhrase.has(phrase)) kindByPhrase.set(phrase, kind);
  };
  for (const { kind, words } of ROWS) for (const word of words) add(word, kind);
  for (const { words, meanings } of TRANSLATIONS) {
    const kind = meanings.map((meaning) => kindByPhrase.get(splitStems(meaning).join(" "))).find(Boolean);
    if (kind !== undefined) for (const word of words) add(word, kind);
  }
  const words = new Map<string, string>();
  for (const [phrase, kind] of [...kindByPhrase].sort(([a], [b]) => a.length - b.length))
    if (findPartKind(phrase, words) !== kind) words.set(phrase, kind);
  return words;
}

/** Writes the words as text for a browser. */
export function groupKindWords(): KindGroups {
  const groups = Map.groupBy(createKindWords(), ([, kind]) => kind);
  return Object.fromEntries([...groups].map(([kind, rows]) => [kind, rows.map(([word]) => word).join(",")]));
}
