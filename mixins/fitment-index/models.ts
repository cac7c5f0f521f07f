import { normalizePartNumber } from "../part-number.ts";
import { wordsOf } from "./split-words.ts";

/** An equipment model as manuals write it. */
export interface Model {
  equipment: string;
  manufacturer?: string;
}

/** A spelling of a model as `modelKey` writes it, with the places where a word or a group of letters or digits ends. */
interface Spelling {
  key: string;
  ends: ReadonlySet<number>;
  model: Model;
}

/** Words around a model that are no part of its name. */
const FILLERS = /\b(?:series|models?|type)\b/gi;
/** Minimum characters of a family's prefix, and of a model amid other words. */
const SHORTEST_FAMILY = 2;
const SHORTEST_AMID_WORDS = 3;
/** Maximum words of a model with its manufacturer. */
const MOST_WORDS = 6;
/** Maximum characters of a text that are read. */
const LONGEST_TEXT = 2_000;

/** Returns the key under which `gt2254`, `GT 2254` and `GT-2254` are the same. */
export function modelKey(text: string): string {
  return normalizePartNumber(text);
}

/** Finds models among known ones as people type them. */
export class Models {
  readonly #byKey = new Map<string, Model[]>();
  readonly #spellings: Spelling[] = [];

  /** Number of models. */
  readonly size: number;

  constructor(models: Iterable<Model>) {
    const all = [...models];
    this.size = all.length;
    for (const model of all) for (const words of spellingsOf(model)) this.#learn(words, model);
  }

  /**
   * Returns the models that typed text means: an exact model in any spelling, with its manufacturer or other words
   * beside it; otherwise the family with that prefix (`GT`, `GT-22xx`, `GT series`).
   */
  match(typed: string): Model[] {
    const text = typed.slice(0, LONGEST_TEXT).replace(FILLERS, " ");
    const whole = this.#byKey.get(modelKey(text)) ?? [];
    if (whole.length > 0) return distinct(whole);
    const amid = this.#amidWords(text);
    return distinct(amid.length > 0 ? amid : this.#family(text));
  }

  /** Returns the models that a text names in full: `GT-2254H` never names `GT-2254`. */
  namedIn(text: string): Model[] {
    return distinct(this.#amidWords(text.slice(0, LONGEST_TEXT)));
  }

  #amidWords(text: string): Model[] {
    const words = wordsOf(text);
    const found: Model[] = [];
    for (let start = 0; start < words.length;) {
      const length = this.#longestAt(words, start);
      if (length > 0) found.push(...this.#byKey.get(modelKey(words.slice(start, start + length).join(" ")))!);
      start += Math.max(1, length);
    }
    return found;
  }

  /** Returns how many words from `start` on are a model, or 0. */
  #longestAt(words: readonly string[], start: number): number {
    for (let length = Math.min(MOST_WORDS, words.length - start); length > 0; length -= 1) {
      const key = modelKey(words.slice(start, start + length).join(" "));
      if (key.length >= SHORTEST_AMID_WORDS && /\d/.test(key) && this.#byKey.has(key)) return length;
    }
    return 0;
  }

  #family(text: string): Model[] {
    const wild = /\d(x{1,3})\s*$/i.exec(text)?.[1]?.length ?? 0;
    const stem = modelKey(wild === 0 ? text : text.trimEnd().slice(0, -wild));
    if (stem.length < SHORTEST_FAMILY) return [];
    return this.#spellings
      .filter(
        ({ key, ends }) =>
          key.startsWith(stem) &&
          ends.has(stem.length + wild) &&
          /^\d*$/.test(key.slice(stem.length, stem.length + wild)),
      )
      .map(({ model }) => model);
  }

  #learn(words: readonly string[], model: Model): void {
    const { key, ends } = keyWithEnds(words);
    if (key === "") return;
    const known = this.#byKey.get(key);
    if (known) known.push(model);
    else this.#byKey.set(key, [model]);
    this.#spellings.push({ key, ends, model });
  }
}

/**
 * Returns the spellings of a model: with and without its manufacturer, and without the kind of machine behind it
 * (`GT-2254 Garden Tractor`).
 */
function spellingsOf({ equipment, manufacturer }: Model): string[][] {
  const words = wordsOf(equipment);
  const maker = manufacturer === undefined ? [] : wordsOf(manufacturer);
  const isNamed = maker.length > 0 && modelKey(words.slice(0, maker.length).join("")) === modelKey(maker.join(""));
  const bare = isNamed && words.length > maker.length ? words.slice(maker.length) : words;
  const designation = designationOf(bare);
  const all = [bare, designation].flatMap((spelling) =>
    maker.length === 0 ? [spelling] : [spelling, [...maker, ...spelling]],
  );
  return [...new Map(all.map((spelling) => [modelKey(spelling.join("")), spelling])).values()];
}

/**
 * Returns the first word with a digit and short letters before it: `GT 2254` of `GT 2254 Garden Tractor`. Without a
 * digit, all words.
 */
function designationOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /\d/.test(word) && modelKey(word).length >= SHORTEST_AMID_WORDS);
  if (at === -1) return [...words];
  const isPrefixed = at > 0 && /^\p{L}{1,4}$/u.test(words[at - 1]!);
  return words.slice(isPrefixed ? at - 1 : at, at + 1);
}

function keyWithEnds(words: readonly string[]): { key: string; ends: Set<number> } {
  const groups = words
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .map(modelKey)
    .flatMap((group) => group.match(/[A-Z]+|[0-9]+/g) ?? []);
  const ends = new Set<number>();
  let length = 0;
  for (const group of groups) ends.add((length += group.length));
  return { key: groups.join(""), ends };
}

function distinct(models: readonly Model[]): Model[] {
  return [...new Map(models.map((model) => [`${model.equipment}\u0000${model.manufacturer ?? ""}`, model])).values()];
}
