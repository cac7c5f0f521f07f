import { DEFAULT_SYNONYMS } from "@partline/parts-language/terms";
import { addTo, removeFrom } from "./lists.ts";
import { toModelKey, type Model } from "./model-names.ts";
import { splitWords, type Word } from "@partline/parts-language/terms";

interface Maker {
  /** Keys of the words of its name. */
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

/** Mention of a manufacturer in a text, with the manufacturer's models. */
interface MakerNamed {
  from: number;
  to: number;
  models: Model[];
  how: "part" | "maker";
}

/** Words between a manufacturer and the digits of its model: `Briggs tractor 2254`. */
const MOST_BETWEEN = 1;
/** Words that parts are called by. */
const PART_WORDS = new Set(DEFAULT_SYNONYMS.en.flatMap((line) => line.split(/[^\p{L}]+/u)).map(toModelKey));

/** Manufacturers of models as people name them. */
export class Makers {
  readonly #byName = new Map<string, Maker>();
  /** Makers by the key of their first word. */
  readonly #byWord = new Map<string, Maker[]>();

  add(model: Model): void {
    const { equipment, manufacturer = "" } = model;
    const key = toModelKey(equipment);
    this.#getMaker(manufacturer)?.models.set(model, { key, digits: /\d+(?=[A-Z]*$)/.exec(key)?.[0] });
  }

  remove(model: Model): void {
    const { manufacturer = "" } = model;
    const maker = this.#byName.get(manufacturer);
    maker?.models.delete(model);
    if (maker?.models.size !== 0) return;
    this.#byName.delete(manufacturer);
    removeFrom(this.#byWord, maker.keys[0]!, maker);
  }

  /** Returns whether a name begins with a word. */
  has(word: string): boolean {
    return this.#byWord.has(toModelKey(word));
  }

  /**
   * `Kohler`, also with the digits of one of its models behind it. Of a partnership the first name is enough, unless
   * parts are called so. Of several makers those with the most of their names count.
   */
  findNamed(words: readonly Word[], start: number): MakerNamed | undefined {
    const makers = (this.#byWord.get(toModelKey(words[start]!.text)) ?? [])
      .map((maker) => ({ maker, ...endOfMaker(maker, words, start) }))
      .sort((a, b) => b.end - a.end || Number(b.isWhole) - Number(a.isWhole));
    if (makers.length === 0 || makers[0]!.end === start) return undefined;
    const { end, isWhole } = makers[0]!;
    const closest = makers.filter((maker) => maker.end === end && maker.isWhole === isWhole);
    const selectModels = (holds: (designation: Designation) => boolean): Model[] => {
      const selected: Model[] = [];
      for (const { maker } of closest)
        for (const [model, designation] of maker.models) if (holds(designation)) selected.push(model);
      return selected;
    };
    const createNamed = (last: number, chosenModels: Model[], how: MakerNamed["how"]): MakerNamed => ({
      from: words[start]!.from,
      to: words[last]!.to,
      models: chosenModels,
      how,
    });
    const family = toModelKey(words[end]?.text ?? "");
    if (/^[A-Z]{2,4}$/.test(family) && !/^\d/.test(words[end + 1]?.text ?? "")) {
      const familyModels = selectModels(({ key }) => key.startsWith(family) && /\d/.test(key[family.length] ?? ""));
      if (familyModels.length > 0) return createNamed(end, familyModels, "part");
    }
    const digits = words.slice(end, end + 1 + MOST_BETWEEN).findIndex(({ text }) => /^\d{3}/.test(text));
    const number = toModelKey(words[end + digits]?.text ?? "");
    const numberModels =
      digits === -1
        ? []
        : selectModels((designation) => designation.key.endsWith(number) || designation.digits === number);
    return numberModels.length > 0
      ? createNamed(end + digits, numberModels, "part")
      : createNamed(
          end - 1,
          selectModels(() => true),
          "maker",
        );
  }

  #getMaker(name: string): Maker | undefined {
    const existing = this.#byName.get(name);
    if (existing) return existing;
    const keys = splitWords(name)
      .map(toModelKey)
      .filter((key) => key !== "AND");
    if (keys.length === 0) return undefined;
    const maker: Maker = { keys, isPartnership: /&|\band\b/i.test(name), models: new Map() };
    this.#byName.set(name, maker);
    addTo(this.#byWord, keys[0]!, maker);
    return maker;
  }
}

/** Returns the place after a maker's name; `at` if the words there are not its name. */
function endOfMaker({ keys, isPartnership }: Maker, words: readonly Word[], start: number) {
  let end = start + 1;
  let isWhole = true;
  for (const key of keys.slice(1)) {
    const next = isPartnership && /^(?:&|and)$/i.test(words[end]?.text ?? "") ? end + 1 : end;
    if (toModelKey(words[next]?.text ?? "") === key) end = next + 1;
    else isWhole = false;
  }
  const isNamed = isWhole || (isPartnership && (end > start + 1 || !PART_WORDS.has(keys[0]!)));
  return { end: isNamed ? end : start, isWhole };
}
