import { normalizePartNumber } from "@partline/parts-language";
import { splitWords } from "@partline/parts-language/terms";

/** An equipment model as manuals write it. */
export interface Model {
  equipment: string;
  manufacturer?: string;
}

/** Minimum characters of a model amid other words. */
export const SHORTEST_AMID_WORDS = 3;

/** Returns the key under which `gt2254`, `GT 2254` and `GT-2254` are the same. */
export function toModelKey(text: string): string {
  return normalizePartNumber(text);
}

/**
 * Returns the spellings of a model: with and without its manufacturer and the kind of machine behind it (`GT-2254
 * Garden Tractor`).
 */
export function listSpellings(model: Model): string[][] {
  const { maker, bare } = splitNames(model);
  const designation = findDesignation(bare);
  const spellings = [bare, designation].flatMap((spelling) =>
    maker.length === 0 ? [spelling] : [spelling, [...maker, ...spelling]],
  );
  return [...new Map(spellings.map((spelling) => [toModelKey(spelling.join("")), spelling])).values()];
}

/** Returns the key of a model of one manufacturer, regardless of how both are written. */
export function makeAndModel({ equipment, manufacturer }: Model): string {
  return `${toModelKey(equipment)}\u0000${toModelKey(manufacturer ?? "")}`;
}

/** Returns whether a key is the first words of a name: `2GM20F` of `2GM20F-YEU`, and not of `2GM20FC-YEU`. */
export function hasBeginning(name: string, key: string): boolean {
  const words = name.split(/[^\p{L}\p{N}]+/u);
  return words.some((_, index) => toModelKey(words.slice(0, index + 1).join("")) === key);
}

/** The words of the manufacturer, and those of the model without it. */
function splitNames({ equipment, manufacturer }: Model): { maker: string[]; bare: string[] } {
  const words = splitWords(equipment);
  const maker = manufacturer === undefined ? [] : splitWords(manufacturer);
  const isNamed = maker.length > 0 && toModelKey(words.slice(0, maker.length).join("")) === toModelKey(maker.join(""));
  return { maker, bare: isNamed && words.length > maker.length ? words.slice(maker.length) : words };
}

/** Returns the name of a model in paths, for example `toro-gt-2254`: as typed text it means that model. */
export function toModelId(model: Model): string {
  const { maker, bare } = splitNames(model);
  return toSlug([...maker, ...bare].join(" "));
}

function toSlug(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
}

/** The first word with a digit and short letters before it: `GT 2254` of `GT 2254 Garden Tractor`; else all words. */
function findDesignation(words: readonly string[]): string[] {
  const index = words.findIndex((word) => /\d/.test(word) && toModelKey(word).length >= SHORTEST_AMID_WORDS);
  if (index === -1) return [...words];
  const isPrefixed = index > 0 && /^\p{L}{1,4}$/u.test(words[index - 1]!);
  return words.slice(isPrefixed ? index - 1 : index, index + 1);
}

/** The key of a spelling, with the ends of its words and groups of letters or digits. */
export function toKeyWithEnds(words: readonly string[]): { key: string; ends: Set<number> } {
  const groups = words
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .map(toModelKey)
    .flatMap((group) => group.match(/[A-Z]+|[0-9]+/g) ?? []);
  const ends = new Set<number>();
  let length = 0;
  for (const group of groups) ends.add((length += group.length));
  return { key: groups.join(""), ends };
}
