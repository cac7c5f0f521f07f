import { DEFAULT_SYNONYMS } from "../search-index/synonyms.ts";
import { addTo, removeFrom } from "./lists.ts";
import { modelKey, type Model } from "./model-names.ts";
import { wordsOf, type Word } from "./split-words.ts";

interface Maker {
  /** Of the words of its name. */
  keys: string[];
  /** `Briggs & Stratton`. */
  isPartnership: boolean;
  models: Map<Model, Designation>;
}

/** A model's key, and the digits that it ends in, letters behind them or not. */
interface Designation {
  key: string;
  digits?: string;
}

/** Where a text names a manufacturer, and which of its models. */
interface MakerNamed {
  from: number;
  to: number;
  models: Model[];
  how: "part" | "maker";
}

/** Words between a manufacturer and the digits of its model: `Briggs tractor 2254`. */
const MOST_BETWEEN = 1;
/** Words that parts are called by. */
const PART_WORDS = new Set(DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)).map(modelKey));

/** Manufacturers of models as people name them. */
export class Makers {
  readonly #byName = new Map<string, Maker>();
  /** By the key of their first word. */
  readonly #byWord = new Map<string, Maker[]>();

  add(model: Model): void {
    const { equipment, manufacturer = "" } = model;
    const key = modelKey(equipment);
    this.#makerOf(manufacturer)?.models.set(model, { key, digits: /\d+(?=[A-Z]*$)/.exec(key)?.[0] });
  }

  remove(model: Model): void {
    const { manufacturer = "" } = model;
    const maker = this.#byName.get(manufacturer);
    maker?.models.delete(model);
    if (maker?.models.size !== 0) return;
    this.#byName.delete(manufacturer);
    removeFrom(this.#byWord, maker.keys[0]!, maker);
  }

  /** Whether a name begins with a word. */
  has(word: string): boolean {
    return this.#byWord.has(modelKey(word));
  }

  /**
   * `Kohler`, also with the digits of one of its models behind it. Of a partnership the first name is enough, unless
   * parts are called so. Of several makers those with the most of their names count.
   */
  namedAt(words: readonly Word[], at: number): MakerNamed | undefined {
    const named = (this.#byWord.get(modelKey(words[at]!.text)) ?? [])
      .map((maker) => ({ maker, ...endOfMaker(maker, words, at) }))
      .sort((a, b) => b.end - a.end || Number(b.isWhole) - Number(a.isWhole));
    if (named.length === 0 || named[0]!.end === at) return undefined;
    const { end, isWhole } = named[0]!;
    const meant = named.filter((each) => each.end === end && each.isWhole === isWhole);
    const models = (holds: (designation: Designation) => boolean): Model[] => {
      const found: Model[] = [];
      for (const { maker } of meant) for (const [model, own] of maker.models) if (holds(own)) found.push(model);
      return found;
    };
    const upTo = (last: number, some: Model[], how: MakerNamed["how"]): MakerNamed => ({
      from: words[at]!.from,
      to: words[last]!.to,
      models: some,
      how,
    });
    const family = modelKey(words[end]?.text ?? "");
    if (/^[A-Z]{2,4}$/.test(family) && !/^\d/.test(words[end + 1]?.text ?? "")) {
      const ofFamily = models(({ key }) => key.startsWith(family) && /\d/.test(key[family.length] ?? ""));
      if (ofFamily.length > 0) return upTo(end, ofFamily, "part");
    }
    const digits = words.slice(end, end + 1 + MOST_BETWEEN).findIndex(({ text }) => /^\d{3}/.test(text));
    const number = modelKey(words[end + digits]?.text ?? "");
    const ofNumber = digits === -1 ? [] : models((own) => own.key.endsWith(number) || own.digits === number);
    return ofNumber.length > 0
      ? upTo(end + digits, ofNumber, "part")
      : upTo(
          end - 1,
          models(() => true),
          "maker",
        );
  }

  #makerOf(name: string): Maker | undefined {
    const known = this.#byName.get(name);
    if (known) return known;
    const keys = wordsOf(name)
      .map(modelKey)
      .filter((key) => key !== "AND");
    if (keys.length === 0) return undefined;
    const maker: Maker = { keys, isPartnership: /&|\band\b/i.test(name), models: new Map() };
    this.#byName.set(name, maker);
    addTo(this.#byWord, keys[0]!, maker);
    return maker;
  }
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
