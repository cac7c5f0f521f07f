import { normalizePartNumber } from "@partline/parts-language";
import { wordsOf } from "./split-words.ts";

/** An equipment model as manuals write it. */
export interface Model {
  equipment: string;
  manufacturer?: string;
}

/** Minimum characters of a model amid other words. */
export const SHORTEST_AMID_WORDS = 3;

/** Returns the key under which `gt2254`, `GT 2254` and `GT-2254` are the same. */
export function modelKey(text: string): string {
  return normalizePartNumber(text);
}

/**
 * Returns the spellings of a model: with and without its manufacturer and the kind of machine behind it (`GT-2254
 * Garden Tractor`).
 */
export function spellingsOf(model: Model): string[][] {
  const { maker, bare } = namesOf(model);
  const designation = designationOf(bare);
  const all = [bare, designation].flatMap((spelling) =>
    maker.length === 0 ? [spelling] : [spelling, [...maker, ...spelling]],
  );
  return [...new Map(all.map((spelling) => [modelKey(spelling.join("")), spelling])).values()];
}

/** Returns the key of a model of one manufacturer, regardless of how both are written. */
export function makeAndModel({ equipment, manufacturer }: Model): string {
  return `${modelKey(equipment)}\u0000${modelKey(manufacturer ?? "")}`;
}

/** The words of the manufacturer, and those of the model without it. */
function namesOf({ equipment, manufacturer }: Model): { maker: string[]; bare: string[] } {
  const words = wordsOf(equipment);
  const maker = manufacturer === undefined ? [] : wordsOf(manufacturer);
  const isNamed = maker.length > 0 && modelKey(words.slice(0, maker.length).join("")) === modelKey(maker.join(""));
  return { maker, bare: isNamed && words.length > maker.length ? words.slice(maker.length) : words };
}

/** Returns the name of a model in paths, for example `toro-gt-2254`: as typed text it means that model. */
export function modelId(model: Model): string {
  const { maker, bare } = namesOf(model);
  return slugOf([...maker, ...bare].join(" "));
}

function slugOf(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
}

/** The first word with a digit and short letters before it: `GT 2254` of `GT 2254 Garden Tractor`; else all words. */
function designationOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /\d/.test(word) && modelKey(word).length >= SHORTEST_AMID_WORDS);
  if (at === -1) return [...words];
  const isPrefixed = at > 0 && /^\p{L}{1,4}$/u.test(words[at - 1]!);
  return words.slice(isPrefixed ? at - 1 : at, at + 1);
}

/** The key of a spelling, with the ends of its words and groups of letters or digits. */
export function keyWithEnds(words: readonly string[]): { key: string; ends: Set<number> } {
  const groups = words
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .map(modelKey)
    .flatMap((group) => group.match(/[A-Z]+|[0-9]+/g) ?? []);
  const ends = new Set<number>();
  let length = 0;
  for (const group of groups) ends.add((length += group.length));
  return { key: groups.join(""), ends };
}
