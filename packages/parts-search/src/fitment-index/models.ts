import { Beginnings, type KeyedEntry } from "./beginnings.ts";
import { addTo, removeFrom } from "./lists.ts";
import { Makers } from "./makers.ts";
import { keyWithEnds, modelKey, SHORTEST_AMID_WORDS, spellingsOf, type Model } from "./model-names.ts";
import { placedWords, wordsOf, type Word } from "./split-words.ts";

/** A spelling of a model, with the ends of its words and groups of letters or digits. */
interface Spelling {
  key: string;
  ends: ReadonlySet<number>;
  model: Model;
}

interface Known {
  model: Model;
  /** How often it was learnt. */
  times: number;
  /** Its spellings. */
  entries: readonly number[];
}

/** Where a text names equipment. */
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
/** Of a text, words that are looked up as less than a name in full, each among all models, and models found so. */
const MOST_GUESSES = 20;
const MOST_GUESSED = 20_000;

/** Finds models among known ones as people type them. */
export class Models {
  readonly #known = new Map<string, Known>();
  readonly #byKey = new Map<string, Model[]>();
  /** Of spellings with one group of digits, by it. */
  readonly #byDigits = new Map<string, Model[]>();
  readonly #makers = new Makers();
  /** By the order in which they were learnt. */
  readonly #spellings = new Map<number, Spelling>();
  #learnt = 0;
  #beginnings = new Beginnings([]);
  /** Of spellings that `#beginnings` lacks; undefined if it lacks none, and has none too many. */
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
      const known = this.#known.get(nameOf(model));
      if (known) known.times += 1;
      else this.#learn(model);
      isChanged ||= !known;
    }
    for (const model of gone) {
      const known = this.#known.get(nameOf(model));
      if (!known || (known.times -= 1) > 0) continue;
      this.#forget(known);
      isChanged = true;
    }
    return isChanged;
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
      () => this.named(typed),
      () => this.named(text),
      () => this.namedIn(text),
      () => this.namedIn(typed),
      () => distinct(this.#family(text)),
    ];
    return looks.reduce<Model[]>((found, look) => (found.length > 0 ? found : look()), []);
  }

  /** Returns the models that typed text is: in any spelling, with or without the manufacturer. */
  named(typed: string): Model[] {
    return distinct(this.#byKey.get(keyWithEnds(wordsOf(typed.slice(0, LONGEST_TEXT))).key) ?? []);
  }

  /** Returns the models that a text names in full: `GT-2254H` never names `GT-2254`. */
  namedIn(text: string): Model[] {
    return distinct(this.#amidWords(text.slice(0, LONGEST_TEXT)));
  }

  /** Where a text names equipment: in full, in part, glued to other words, or with a slip; none over another. */
  mentionsIn(text: string): ModelMention[] {
    const words = placedWords(text.slice(0, LONGEST_TEXT));
    const found: ModelMention[] = [];
    let [guesses, guessed] = [0, 0];
    for (const [at, { from, text: word }] of words.entries()) {
      if (from < (found.at(-1)?.to ?? 0)) continue;
      let mention = this.#namedAt(words, at);
      const hasDigits = /\d/.test(word) || /^\d/.test(words[at + 1]?.text ?? "");
      if (!mention && (hasDigits || this.#makers.has(word)) && guesses < MOST_GUESSES && guessed < MOST_GUESSED) {
        mention = this.#guessedAt(words, at);
        guesses += 1;
        guessed += mention?.models.length ?? 0;
      }
      if (mention) found.push(mention);
    }
    return found;
  }

  #namedAt(words: readonly Word[], at: number): ModelMention | undefined {
    const whole = this.#longestOf(words.slice(at, at + MOST_WORDS).map(({ text }) => text));
    return whole && mentionOf(words, at, at + whole.length - 1, whole.models, "named");
  }

  #guessedAt(words: readonly Word[], at: number): ModelMention | undefined {
    const word = words[at]!;
    const other = this.#makers.namedAt(words, at) ?? this.#gluedIn(word);
    if (other) return other;
    for (const count of [2, 1]) {
      const window = words.slice(at, at + count);
      if (window.length < count || window.slice(1).some(({ isApart, text }) => isApart || !/^\d/.test(text))) continue;
      if (count === 2 && !/^\p{L}{1,4}$/u.test(word.text)) continue;
      const key = modelKey(window.map(({ text }) => text).join(""));
      const isPointedAt = /^(?:the|my|our|an?|this|that|for|on|model)$/i.test(words[at - 1]?.text ?? "");
      const part = this.#partly(key, isPointedAt);
      if (part.length > 0) return mentionOf(words, at, at + count - 1, part, "part");
      const near = this.#near(key);
      if (near.length > 0) return mentionOf(words, at, at + count - 1, near, "near");
    }
    return undefined;
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
    if (!isBegun) return this.#byDigits.get(key) ?? [];
    return this.#begun(key, (spelling) => spelling.key.length - key.length <= MOST_LACKING);
  }

  #near(key: string): Model[] {
    if (!/^[A-Z]{1,5}\d{2,20}[A-Z]{0,3}$/.test(key)) return [];
    const near: { entry: number; slips: number }[] = [];
    this.#upToDate().near(key, MOST_SLIPS, (entry, _, slips) => {
      if (slips <= (this.#spellings.get(entry)!.key.length < TWO_SLIPS ? 1 : MOST_SLIPS)) near.push({ entry, slips });
    });
    near.sort((a, b) => a.slips - b.slips || a.entry - b.entry);
    return near.map(({ entry }) => this.#spellings.get(entry)!.model);
  }

  /** In the order in which they were learnt. */
  #begun(beginning: string, holds: (spelling: Spelling) => boolean): Model[] {
    const found: number[] = [];
    this.#upToDate().with(beginning, (entry) => {
      if (holds(this.#spellings.get(entry)!)) found.push(entry);
    });
    return found.sort((a, b) => a - b).map((entry) => this.#spellings.get(entry)!.model);
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
    const isFamily = ({ key, ends }: Spelling): boolean =>
      ends.has(stem.length + wild) && /^\d*$/.test(key.slice(stem.length, stem.length + wild));
    return this.#begun(stem, isFamily);
  }

  #upToDate(): Beginnings {
    if (this.#news) this.#beginnings = this.#beginnings.changed(this.#news, (entry) => this.#spellings.has(entry));
    this.#news = undefined;
    return this.#beginnings;
  }

  #learn(model: Model): void {
    const entries: number[] = [];
    for (const words of spellingsOf(model)) {
      const { key, ends } = keyWithEnds(words);
      if (key === "") continue;
      const entry = (this.#learnt += 1);
      entries.push(entry);
      (this.#news ??= []).push({ key, entry });
      this.#spellings.set(entry, { key, ends, model });
      addTo(this.#byKey, key, model);
      addTo(this.#byDigits, digitsOf(key), model);
    }
    this.#makers.add(model);
    this.#known.set(nameOf(model), { model, times: 1, entries });
  }

  #forget({ model, entries }: Known): void {
    for (const entry of entries) {
      const { key } = this.#spellings.get(entry)!;
      this.#spellings.delete(entry);
      removeFrom(this.#byKey, key, model);
      removeFrom(this.#byDigits, digitsOf(key), model);
    }
    this.#news ??= [];
    this.#makers.remove(model);
    this.#known.delete(nameOf(model));
  }
}

/** The only group of digits of a key; empty if it has more, or none. */
function digitsOf(key: string): string {
  return /^[A-Z]*(\d+)[A-Z]*$/.exec(key)?.[1] ?? "";
}

function nameOf({ equipment, manufacturer = "" }: Model): string {
  return `${equipment}\u0000${manufacturer}`;
}

/** With the makers in front of a model that are its own. */
function mentionOf(
  words: readonly Word[],
  at: number,
  last: number,
  models: readonly Model[],
  how: ModelMention["how"],
): ModelMention {
  const names = new Set(models.map(({ manufacturer = "" }) => manufacturer));
  const makers = new Set([...names].flatMap(wordsOf).map(modelKey));
  let first = at;
  while (first > 0 && !words[first]!.isApart && makers.has(modelKey(words[first - 1]!.text))) first -= 1;
  return { from: words[first]!.from, to: words[last]!.to, models: distinct(models), how };
}

function distinct(models: readonly Model[]): Model[] {
  return [...new Set(models)];
}
