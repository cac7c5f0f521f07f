import { fold } from "./fold.ts";

/** The kind that a phrase says. */
export type KindWords = ReadonlyMap<string, string>;

/** Words that say each kind, with commas between them: what `groupKindWords` makes. */
export type KindGroups = Readonly<Record<string, string>>;

export const readKindWords = (groups: KindGroups): KindWords =>
  new Map(Object.entries(groups).flatMap(([kind, words]) => words.split(",").map((word) => [word, kind] as const)));

/** `with Gasket`, `de dirección`: what a part has, or is for. */
const ADDITION = /\b(?:with|for|mit|fur|con|para|de|del)\b/;
const SHORTEST_IN_A_COMPOUND = 4;
const LONGEST_PHRASE = 4;

/** Words of a name without endings of plurals and cases in English, German and Spanish. */
export const splitStems = (name: string): string[] =>
  (fold(name).match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word))
    .map((word) => (word.length > 4 ? word.replace(/(?:en|(?<=r)n|e)$/, "").replace(/y$/, "i") : word));

/** Finds the kind of a part by its title, or of a category by its name; undefined if no word of it says one. */
export function findPartKind(name: string, words: KindWords): string | undefined {
  const [title = ""] = fold(name).split(/[,(]/);
  const [head = ""] = title.split(ADDITION);
  const stems = splitStems(title);
  return findPhrase(stems, words, 2) ?? findPhrase(splitStems(head), words, 1) ?? findPhrase(stems, words, 1);
}

/** Looks for the longest phrase, from behind: the last word is what a thing is. */
function findPhrase(stems: readonly string[], words: KindWords, shortest: number): string | undefined {
  for (let length = Math.min(LONGEST_PHRASE, stems.length); length >= shortest; length -= 1)
    for (let start = stems.length - length; start >= 0; start -= 1) {
      const phrase = stems.slice(start, start + length).join(" ");
      const kind = words.get(phrase) ?? (length === 1 ? findInCompound(phrase, words) : undefined);
      if (kind !== undefined) return kind;
    }
  return undefined;
}

/** `Antriebsriemen` ends in `Riemen`, and `Dichtungssatz` begins with `Dichtung`. */
function findInCompound(word: string, words: KindWords): string | undefined {
  const lengths = Array.from({ length: word.length }, (_, index) => word.length - 1 - index);
  const pieces = [(length: number) => word.slice(-length), (length: number) => word.slice(0, length)];
  return pieces
    .flatMap((cut) => lengths.filter((length) => length >= SHORTEST_IN_A_COMPOUND).map(cut))
    .map((piece) => words.get(piece))
    .find(Boolean);
}
