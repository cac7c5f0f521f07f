import { normalizePartNumber } from "../part-number.ts";
import { editDistance } from "../search-index/edit-distance.ts";
import { DEFAULT_SYNONYMS } from "../search-index/synonyms.ts";
import { wordsOf } from "./split-words.ts";

/** An equipment model as manuals write it. */
export interface Model {
  equipment: string;
  manufacturer?: string;
}

/** A spelling of a model, with the ends of its words and groups of letters or digits. */
interface Spelling {
  key: string;
  ends: ReadonlySet<number>;
  model: Model;
}

/** Where a text names equipment, by its characters. */
export interface ModelMention {
  from: number;
  to: number;
  models: Model[];
  /**
   * `named`: in full, in any spelling. `part`: a beginning of its name, or its digits alone. `near`: a slip or two
   * away, and maybe another machine. `maker`: its manufacturer alone, with all of its models.
   */
  how: "named" | "part" | "near" | "maker";
}

interface Maker {
  /** Of the words of its name. */
  keys: string[];
  /** `Briggs & Stratton`. */
  isPartnership: boolean;
  models: Model[];
}

interface Word {
  text: string;
  from: number;
  to: number;
  /** The words before it belong to another phrase. */
  isApart: boolean;
}

/** Words around a model that name no other one. */
const FILLERS = /\b(?:series|models?|type)\b/gi;
/** Minimum characters of a family's prefix, of a model amid other words, and of letters glued to a model. */
const SHORTEST_FAMILY = 2;
const SHORTEST_AMID_WORDS = 3;
const GLUED = 4;
/** Maximum words of a model with its manufacturer, and characters of a text that are read. */
const MOST_WORDS = 6;
const LONGEST_TEXT = 2_000;
/** Words between a manufacturer and the digits of its model: `Briggs tractor 2254`. */
const MOST_BETWEEN = 1;
/** Words that parts are called by. */
const PART_WORDS = new Set(DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)).map(modelKey));
/** Characters that a name may lack at its end. */
const MOST_LACKING = 3;

/** Returns the key under which `gt2254`, `GT 2254` and `GT-2254` are the same. */
export function modelKey(text: string): string {
  return normalizePartNumber(text);
}

/** Finds models among known ones as people type them. */
export class Models {
  readonly #byKey = new Map<string, Model[]>();
  readonly #spellings: Spelling[] = [];
  /** By the key of their first word. */
  readonly #makers = new Map<string, Maker[]>();

  constructor(models: readonly Model[]) {
    for (const model of models) for (const words of spellingsOf(model)) this.#learn(words, model);
    for (const [maker, own] of Map.groupBy(models, ({ manufacturer = "" }) => manufacturer)) {
      const keys = wordsOf(maker)
        .map(modelKey)
        .filter((key) => key !== "AND");
      if (keys.length === 0) continue;
      const known = { keys, isPartnership: /&|\band\b/i.test(maker), models: own };
      this.#makers.set(keys[0]!, [...(this.#makers.get(keys[0]!) ?? []), known]);
    }
  }

  /**
   * Returns the models that typed text means: an exact one in any spelling, also amid other words; otherwise the family
   * with that prefix (`GT`, `GT-22xx`, `GT series`).
   */
  match(typed: string): Model[] {
    const text = typed.slice(0, LONGEST_TEXT).replace(FILLERS, " ");
    const whole = this.#byKey.get(modelKey(text)) ?? [];
    if (whole.length > 0) return distinct(whole);
    const amid = this.#amidWords(text);
    return distinct(amid.length > 0 ? amid : this.#family(text));
  }

  /** Returns the models that typed text is: in any spelling, with or without the manufacturer. */
  named(typed: string): Model[] {
    return distinct(this.#byKey.get(modelKey(typed.slice(0, LONGEST_TEXT))) ?? []);
  }

  /** Returns the models that a text names in full: `GT-2254H` never names `GT-2254`. */
  namedIn(text: string): Model[] {
    return distinct(this.#amidWords(text.slice(0, LONGEST_TEXT)));
  }

  /** Where a text names equipment: in full, in part, glued to other words, or with a slip; none over another. */
  mentionsIn(text: string): ModelMention[] {
    const words = placedWords(text.slice(0, LONGEST_TEXT));
    const found: ModelMention[] = [];
    for (const [at, { from }] of words.entries()) {
      const mention = from < (found.at(-1)?.to ?? 0) ? undefined : this.#mentionAt(words, at);
      if (mention) found.push(mention);
    }
    return found;
  }

  #mentionAt(words: readonly Word[], at: number): ModelMention | undefined {
    const spanned = (count: number, models: readonly Model[], how: ModelMention["how"]): ModelMention => {
      let first = at;
      const makers = new Set(models.flatMap(({ manufacturer = "" }) => wordsOf(manufacturer).map(modelKey)));
      while (first > 0 && !words[first]!.isApart && makers.has(modelKey(words[first - 1]!.text))) first -= 1;
      return { from: words[first]!.from, to: words[at + count - 1]!.to, models: distinct(models), how };
    };
    const whole = this.#longestOf(words.slice(at, at + MOST_WORDS).map(({ text }) => text));
    if (whole) return spanned(whole.length, whole.models, "named");
    const word = words[at]!;
    const other = this.#makerAt(words, at) ?? this.#gluedIn(word);
    if (other) return other;
    for (const count of [2, 1]) {
      const window = words.slice(at, at + count);
      if (window.length < count || window.slice(1).some(({ isApart, text }) => isApart || !/^\d/.test(text))) continue;
      if (count === 2 && !/^\p{L}{1,4}$/u.test(word.text)) continue;
      const key = modelKey(window.map(({ text }) => text).join(""));
      const isPointedAt = /^(?:the|my|our|an?|this|that|for|on|model)$/i.test(words[at - 1]?.text ?? "");
      const part = this.#partly(key, isPointedAt);
      if (part.length > 0) return spanned(count, part, "part");
      const near = this.#near(key);
      if (near.length > 0) return spanned(count, near, "near");
    }
    return undefined;
  }

  /**
   * `Kohler`, also with the digits of one of its models behind it. Of a partnership the first name is enough, unless
   * parts are called so. Of several makers those with the most of their names count.
   */
  #makerAt(words: readonly Word[], at: number): ModelMention | undefined {
    const named = (this.#makers.get(modelKey(words[at]!.text)) ?? [])
      .map((maker) => ({ models: maker.models, ...endOfMaker(maker, words, at) }))
      .sort((a, b) => b.end - a.end || Number(b.isWhole) - Number(a.isWhole));
    if (named.length === 0 || named[0]!.end === at) return undefined;
    const { end, isWhole } = named[0]!;
    const models = named.flatMap((maker) => (maker.end === end && maker.isWhole === isWhole ? maker.models : []));
    const upTo = (last: number, meant: Model[], how: ModelMention["how"]): ModelMention => ({
      from: words[at]!.from,
      to: words[last]!.to,
      models: meant,
      how,
    });
    const family = modelKey(words[end]?.text ?? "");
    const ofFamily = /^[A-Z]{2,4}$/.test(family)
      ? models.filter(({ equipment }) => new RegExp(`^${family}\\d`).test(modelKey(equipment)))
      : [];
    if (ofFamily.length > 0 && !/^\d/.test(words[end + 1]?.text ?? "")) return upTo(end, ofFamily, "part");
    const digits = words.slice(end, end + 1 + MOST_BETWEEN).findIndex(({ text }) => /^\d{3}/.test(text));
    const number = modelKey(words[end + digits]?.text ?? "");
    const meant = digits === -1 ? [] : models.filter((model) => endsIn(modelKey(model.equipment), number));
    return meant.length === 0 ? upTo(end - 1, distinct(models), "maker") : upTo(end + digits, distinct(meant), "part");
  }

  /** `gt2254carburetor`: letters that are no part of the model stand before or behind it. */
  #gluedIn({ text, from }: Word): ModelMention | undefined {
    if (text.length < GLUED + SHORTEST_AMID_WORDS || !/\d/.test(text)) return undefined;
    for (const { index: cut } of text.matchAll(/(?<=\d\p{L}?)(?=\p{L}{3})|(?<=\p{L})(?=\p{L}{1,3}-?\d)/gu)) {
      const [before, behind] = [text.slice(0, cut), text.slice(cut)];
      for (const [own, rest, start] of [[before, behind, from] as const, [behind, before, from + cut] as const]) {
        const models =
          /\d/.test(own) && rest.length >= GLUED && /^\p{L}+$/u.test(rest) && this.#byKey.get(modelKey(own));
        if (models) return { from: start, to: start + own.length, models: distinct(models), how: "named" };
      }
    }
    return undefined;
  }

  /** Models whose names begin so, or whose digits these are where something points at a machine. */
  #partly(key: string, isPointedAt: boolean): Model[] {
    if (key.length < SHORTEST_AMID_WORDS || (key.match(/\d/g)?.length ?? 0) < 2) return [];
    const isBegun = /^[A-Z]+\d/.test(key);
    if (!isBegun && (!isPointedAt || /[A-Z]/.test(key))) return [];
    return this.#spellings
      .filter((spelling) =>
        isBegun
          ? spelling.key.startsWith(key) && spelling.key.length - key.length <= MOST_LACKING
          : spelling.key.match(/\d+/g)?.join() === key,
      )
      .map(({ model }) => model);
  }

  #near(key: string): Model[] {
    if (!/^[A-Z]{1,5}\d{2,}[A-Z]{0,3}$/.test(key)) return [];
    return this.#spellings
      .filter((spelling) => Math.abs(spelling.key.length - key.length) <= 2)
      .map((spelling) => ({ ...spelling, edits: editDistance(key, spelling.key) }))
      .filter((spelling) => spelling.edits <= (spelling.key.length < 7 ? 1 : 2))
      .sort((a, b) => a.edits - b.edits)
      .map(({ model }) => model);
  }

  #amidWords(text: string): Model[] {
    const words = wordsOf(text);
    const found: Model[] = [];
    for (let start = 0; start < words.length;) {
      const { length, models } = this.#longestOf(words.slice(start, start + MOST_WORDS)) ?? { length: 1, models: [] };
      found.push(...models);
      start += length;
    }
    return found;
  }

  /** The longest model that the first words are, with their number. */
  #longestOf(words: readonly string[]): { length: number; models: Model[] } | undefined {
    for (let { length } = words; length > 0; length -= 1) {
      const key = modelKey(words.slice(0, length).join(" "));
      // The `&` of `GT-2254 & bolts` is none of its name.
      const isModel = modelKey(words[length - 1]!) !== "" && key.length >= SHORTEST_AMID_WORDS && /\d/.test(key);
      const models = isModel ? this.#byKey.get(key) : undefined;
      if (models) return { length, models };
    }
    return undefined;
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

/**
 * Returns the first word with a digit and short letters before it: `GT 2254` of `GT 2254 Garden Tractor`; else all
 * words.
 */
function designationOf(words: readonly string[]): string[] {
  const at = words.findIndex((word) => /\d/.test(word) && modelKey(word).length >= SHORTEST_AMID_WORDS);
  if (at === -1) return [...words];
  const isPrefixed = at > 0 && /^\p{L}{1,4}$/u.test(words[at - 1]!);
  return words.slice(isPrefixed ? at - 1 : at, at + 1);
}

/** Behind the last word of a maker's name; `at` if the words there are not its name. */
function endOfMaker({ keys, isPartnership }: Maker, words: readonly Word[], at: number) {
  let end = at + 1;
  let isWhole = true;
  for (const key of keys.slice(1)) {
    const next = isPartnership && /^(?:&|and)$/i.test(words[end]?.text ?? "") ? end + 1 : end;
    if (modelKey(words[next]?.text ?? "") === key) end = next + 1;
    else isWhole = false;
  }
  const isNamed = isWhole || (isPartnership && (end > at + 1 || !PART_WORDS.has(keys[0]!)));
  return { end: isNamed ? end : at, isWhole };
}

/** Whether typed digits, with letters behind them or not, are what a model's name ends in. */
function endsIn(key: string, typed: string): boolean {
  return key.endsWith(typed) || (/^\d+$/.test(typed) && /\d+(?=[A-Z]*$)/.exec(key)?.[0] === typed);
}

/** The words of a text with their places. */
function placedWords(text: string): Word[] {
  let end = 0;
  return [...text.matchAll(/[\p{L}\p{N}$#&][^\s,;:!?()[\]{}<>"“”|]*/gu)].flatMap(({ 0: typed, index }): Word[] => {
    const word = typed.replace(/['’]s$/u, "").replace(/[^\p{L}\p{N}&%]+$/u, "");
    if (word === "") return [];
    const isApart = /[,;:!?()]/.test(text.slice(end, index));
    end = index + word.length;
    return [{ text: word, from: index, to: end, isApart }];
  });
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
