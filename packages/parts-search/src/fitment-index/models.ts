import { Beginnings, type KeyedEntry } from "./beginnings.ts";
import { addTo, removeFrom } from "./lists.ts";
import { Makers } from "./makers.ts";
import { computeForgivenEdits } from "../search-index/edit-distance.ts";
import {
  hasBeginning,
  toKeyWithEnds,
  toModelKey,
  SHORTEST_AMID_WORDS,
  listSpellings,
  type Model,
} from "./model-names.ts";
import { splitPlacedWords, splitWords, type Word } from "@partline/parts-language/terms";

/** A spelling of a model, with the ends of its words and groups of letters or digits. */
interface Spelling {
  key: string;
  ends: ReadonlySet<number>;
  model: Model;
}

interface KnownModel {
  model: Model;
  /** How often it was learnt. */
  times: number;
  /** Its spellings. */
  entries: readonly number[];
}

/** Mention of equipment in a text. */
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

/** Words around a model that name no other one. */
const FILLERS = /\b(?:series|models?|type)\b/gi;
/** Minimum characters of a family's prefix, and of letters glued to a model. */
const SHORTEST_FAMILY = 2;
const GLUED = 4;
/** Maximum words of a model with its manufacturer, and characters of a text that are read. */
const MOST_WORDS = 6;
const LONGEST_TEXT = 2_000;
/** Characters that a name may lack at its end. */
const MOST_LACKING = 3;
/** Slips of a name, and characters below which one is the most. */
const MOST_SLIPS = 2;
const TWO_SLIPS = 7;
/**
 * Maximum number of words that are looked up as incomplete names, each among all models, and of models found in this
 * way.
 */
const MOST_GUESSES = 20;
const MOST_GUESSED = 20_000;

/** Finds models among known ones as people type them. */
export class Models {
  readonly #known = new Map<string, KnownModel>();
  readonly #byKey = new Map<string, Model[]>();
  /** Models whose spelling has one group of digits, by that group. */
  readonly #byDigits = new Map<string, Model[]>();
  readonly #makers = new Makers();
  /** Spellings by the order in which they were learnt. */
  readonly #spellings = new Map<number, Spelling>();
  #learnt = 0;
  #changes = 0;
  #beginnings = new Beginnings([]);
  /** Entries that `#beginnings` lacks; undefined if it is complete and has none too many. */
  #news: KeyedEntry[] | undefined;

  constructor(models: Iterable<Model>) {
    this.change({ added: models });
  }

  /**
   * Learns models, and forgets others: one that was learnt several times is known until it is forgotten as often.
   * Returns whether that made a difference.
   */
  change({ added, gone = [] }: { added: Iterable<Model>; gone?: Iterable<Model> }): boolean {
    let isChanged = false;
    for (const model of added) {
      const entry = this.#known.get(getName(model));
      if (entry) entry.times += 1;
      else this.#learn(model);
      isChanged ||= !entry;
    }
    for (const model of gone) {
      const entry = this.#known.get(getName(model));
      if (!entry || (entry.times -= 1) > 0) continue;
      this.#forget(entry);
      isChanged = true;
    }
    if (isChanged) this.#changes += 1;
    return isChanged;
  }

  /** Changes whenever the models do. */
  get version(): number {
    return this.#changes;
  }

  /** Returns whether a model is written so, regardless of case, dashes and blanks; its maker may be in front. */
  has(name: string): boolean {
    return this.#byKey.has(toModelKey(name));
  }

  all(): Model[] {
    return [...this.#known.values()].map(({ model }) => model);
  }

  /**
   * Returns the models that typed text means: an exact one in any spelling, also amid other words; otherwise the family
   * with that prefix (`GT`, `GT-22xx`, `GT series`).
   */
  match(typed: string): Model[] {
    const text = typed.slice(0, LONGEST_TEXT).replace(FILLERS, " ");
    // `Series 60` is a name, and `model GT-2254` is not.
    const looks = [
      () => this.findNamed(typed),
      () => this.findNamed(text),
      () => this.findNamedIn(text),
      () => this.findNamedIn(typed),
      () => selectDistinct(this.#findFamily(text)),
    ];
    return looks.reduce<Model[]>((models, look) => (models.length > 0 ? models : look()), []);
  }

  /** Returns the models that typed text is: in any spelling, with or without the manufacturer. */
  findNamed(typed: string): Model[] {
    return selectDistinct(this.#byKey.get(toKeyWithEnds(splitWords(typed.slice(0, LONGEST_TEXT))).key) ?? []);
  }

  /** Returns the models that a text names in full: `GT-2254H` never names `GT-2254`. */
  findNamedIn(text: string): Model[] {
    return selectDistinct(this.#findAmidWords(text.slice(0, LONGEST_TEXT)));
  }

  /** Finds mentions of equipment: in full, in part, glued to other words, or with a slip, without overlaps. */
  findMentions(text: string): ModelMention[] {
    const words = splitPlacedWords(text.slice(0, LONGEST_TEXT));
    const mentions: ModelMention[] = [];
    let [guesses, guessed] = [0, 0];
    for (const [index, { from, text: word }] of words.entries()) {
      if (from < (mentions.at(-1)?.to ?? 0)) continue;
      let mention = this.#findNamedAt(words, index);
      const hasDigits = /\d/.test(word) || /^\d/.test(words[index + 1]?.text ?? "");
      if (!mention && (hasDigits || this.#makers.has(word)) && guesses < MOST_GUESSES && guessed < MOST_GUESSED) {
        mention = this.#guessAt(words, index);
        guesses += 1;
        guessed += mention?.models.length ?? 0;
      }
      if (mention) mentions.push(mention);
    }
    return mentions;
  }

  #findNamedAt(words: readonly Word[], start: number): ModelMention | undefined {
    const longest = this.#findLongest(words.slice(start, start + MOST_WORDS).map(({ text }) => text));
    return longest && createMention(words, start, start + longest.length - 1, longest.models, "named");
  }

  #guessAt(words: readonly Word[], start: number): ModelMention | undefined {
    const word = words[start]!;
    const mention = this.#makers.findNamed(words, start) ?? this.#findGlued(word);
    if (mention) return mention;
    for (const count of [2, 1]) {
      const window = words.slice(start, start + count);
      if (window.length < count || window.slice(1).some(({ isApart, text }) => isApart || !/^\d/.test(text))) continue;
      if (count === 2 && !/^\p{L}{1,4}$/u.test(word.text)) continue;
      const key = toModelKey(window.map(({ text }) => text).join(""));
      const isPointedAt = /^(?:the|my|our|an?|this|that|for|on|model)$/i.test(words[start - 1]?.text ?? "");
      const part = this.#findPartly(key, isPointedAt);
      if (part.length > 0) return createMention(words, start, start + count - 1, part, "part");
      const near = this.#findNear(key);
      if (near.length > 0) return createMention(words, start, start + count - 1, near, "near");
    }
    return undefined;
  }

  /** `gt2254carburetor`: letters that are no part of the model stand before or behind it. */
  #findGlued({ text, from }: Word): ModelMention | undefined {
    if (text.length < GLUED + SHORTEST_AMID_WORDS || !/\d/.test(text)) return undefined;
    for (const { index: cut } of text.matchAll(/(?<=\d\p{L}?)(?=\p{L}{3})|(?<=\p{L})(?=\p{L}{1,3}-?\d)/gu)) {
      const [head, tail] = [text.slice(0, cut), text.slice(cut)];
      for (const [part, rest, start] of [[head, tail, from] as const, [tail, head, from + cut] as const]) {
        const models =
          /\d/.test(part) && rest.length >= GLUED && /^\p{L}+$/u.test(rest) && this.#byKey.get(toModelKey(part));
        if (models) return { from: start, to: start + part.length, models: selectDistinct(models), how: "named" };
      }
    }
    return undefined;
  }

  /** Models whose names begin so, or whose digits these are where something points at a machine. */
  #findPartly(key: string, isPointedAt: boolean): Model[] {
    if (key.length < SHORTEST_AMID_WORDS || (key.match(/\d/g)?.length ?? 0) < 2) return [];
    // `GT2254`, `2GM20F`
    const isBegun = /^\d{0,2}[A-Z]+\d/.test(key);
    if (!isBegun && (!isPointedAt || /[A-Z]/.test(key))) return [];
    if (!isBegun) return this.#byDigits.get(key) ?? [];
    const isWhole = ({ equipment }: Model): boolean => hasBeginning(equipment, key);
    const begunModels = this.#findBegun(
      key,
      (spelling) => spelling.key.length - key.length <= MOST_LACKING || isWhole(spelling.model),
    );
    const wholeModels = begunModels.filter(isWhole);
    return wholeModels.length > 0 ? wholeModels : begunModels;
  }

  #findNear(key: string): Model[] {
    if (!/^[A-Z]{1,5}\d{2,20}[A-Z]{0,3}$/.test(key)) return [];
    const near: { entry: number; slips: number }[] = [];
    this.#ensureUpToDate().near(key, MOST_SLIPS, (entry, _, slips) => {
      if (slips <= (this.#spellings.get(entry)!.key.length < TWO_SLIPS ? 1 : MOST_SLIPS)) near.push({ entry, slips });
    });
    near.sort((a, b) => a.slips - b.slips || a.entry - b.entry);
    return near.map(({ entry }) => this.#spellings.get(entry)!.model);
  }

  /** Finds spellings with a beginning, in the order in which they were learnt. */
  #findBegun(beginning: string, holds: (spelling: Spelling) => boolean): Model[] {
    const spellings: number[] = [];
    this.#ensureUpToDate().with(beginning, (entry) => {
      if (holds(this.#spellings.get(entry)!)) spellings.push(entry);
    });
    return spellings.sort((a, b) => a - b).map((entry) => this.#spellings.get(entry)!.model);
  }

  #findAmidWords(text: string): Model[] {
    const words = splitWords(text);
    const matches: Model[] = [];
    for (let start = 0; start < words.length;) {
      const { length, models } = this.#findLongest(words.slice(start, start + MOST_WORDS)) ?? { length: 1, models: [] };
      matches.push(...models);
      start += length;
    }
    return matches;
  }

  /** The longest model that the first words are, with their number. */
  #findLongest(words: readonly string[]): { length: number; models: Model[] } | undefined {
    for (let { length } = words; length > 0; length -= 1) {
      const key = toModelKey(words.slice(0, length).join(" "));
      // The `&` of `GT-2254 & bolts` is none of its name.
      const isModel = toModelKey(words[length - 1]!) !== "" && key.length >= SHORTEST_AMID_WORDS && /\d/.test(key);
      const models = isModel ? this.#byKey.get(key) : undefined;
      if (models) return { length, models };
    }
    return undefined;
  }

  #findFamily(text: string): Model[] {
    const wild = /\d(x{1,3})\s*$/i.exec(text)?.[1]?.length ?? 0;
    const stem = toModelKey(wild === 0 ? text : text.trimEnd().slice(0, -wild));
    if (stem.length < SHORTEST_FAMILY) return [];
    const isFamily = ({ key, ends }: Spelling): boolean =>
      ends.has(stem.length + wild) && /^\d*$/.test(key.slice(stem.length, stem.length + wild));
    return this.#findBegun(stem, isFamily);
  }

  #ensureUpToDate(): Beginnings {
    if (this.#news)
      this.#beginnings = this.#beginnings.replaceEntries(this.#news, (entry) => this.#spellings.has(entry));
    this.#news = undefined;
    return this.#beginnings;
  }

  #learn(model: Model): void {
    const entries: number[] = [];
    for (const words of listSpellings(model)) {
      const { key, ends } = toKeyWithEnds(words);
      if (key === "") continue;
      const entry = (this.#learnt += 1);
      entries.push(entry);
      (this.#news ??= []).push({ key, entry });
      this.#spellings.set(entry, { key, ends, model });
      addTo(this.#byKey, key, model);
      addTo(this.#byDigits, getDigits(key), model);
    }
    this.#makers.add(model);
    this.#known.set(getName(model), { model, times: 1, entries });
  }

  #forget({ model, entries }: KnownModel): void {
    for (const entry of entries) {
      const { key } = this.#spellings.get(entry)!;
      this.#spellings.delete(entry);
      removeFrom(this.#byKey, key, model);
      removeFrom(this.#byDigits, getDigits(key), model);
    }
    this.#news ??= [];
    this.#makers.remove(model);
    this.#known.delete(getName(model));
  }
}

/** The only group of digits of a key; empty if it has more, or none. */
function getDigits(key: string): string {
  return /^[A-Z]*(\d+)[A-Z]*$/.exec(key)?.[1] ?? "";
}

function getName({ equipment, manufacturer = "" }: Model): string {
  return `${equipment}\u0000${manufacturer}`;
}

/** Creates a mention, including the model's makers in front of it. */
function createMention(
  words: readonly Word[],
  start: number,
  last: number,
  models: readonly Model[],
  how: ModelMention["how"],
): ModelMention {
  const names = new Set(models.map(({ manufacturer = "" }) => manufacturer));
  const makers = [...new Set([...names].flatMap(splitWords).map(toModelKey))];
  // In front of its model, a maker may be misspelt: `Brigs and Straton GT-2254`.
  const isOfMaker = (word: Word | undefined): boolean => {
    const key = toModelKey(word?.text ?? "");
    return makers.some((maker) => maker === key || computeForgivenEdits(key, maker) !== undefined);
  };
  let first = start;
  while (first > 0 && !words[first]!.isApart) {
    const count = isOfMaker(words[first - 1]) ? 1 : 2;
    if (count === 2 && !(/^and$/i.test(words[first - 1]!.text) && isOfMaker(words[first - 2]))) break;
    first -= count;
  }
  return { from: words[first]!.from, to: words[last]!.to, models: selectDistinct(models), how };
}

function selectDistinct(models: readonly Model[]): Model[] {
  return [...new Set(models)];
}
