import { Beginnings, type KeyedEntry } from "./beginnings.ts";
import { makeAndModel, modelId, modelKey, spellingsOf, type Model } from "./model-names.ts";
import type { Models } from "./models.ts";

export interface FoundModel extends Model {
  /** In paths. */
  id: string;
}

export interface FoundMake {
  make: string;
  models: number;
}

export interface Found<T> {
  found: T[];
  total: number;
  /** Nothing begins as typed: what was found is a slip or two away. */
  isNear: boolean;
}

interface Paging {
  offset: number;
  limit: number;
}

/** Of the entries that are meant, in order. */
type Asked = { places: readonly number[] } & Pick<Found<unknown>, "isNear">;

/** Maximum characters of what was typed that are compared. */
const LONGEST_TYPED = 60;
/** Characters of what was typed from which a slip is allowed, and from which two. */
const ONE_SLIP = 4;
const TWO_SLIPS = 8;

/** Lists makes and models, all or those that what was typed begins. */
export class ModelFinder {
  /** In the order of their names. */
  readonly #models: readonly FoundModel[];
  readonly #makes: readonly FoundMake[];
  /** Of each model, its make's place; -1 without one. */
  readonly #makeOf: Int32Array;
  readonly #modelKeys: Beginnings;
  readonly #makeKeys: Beginnings;
  readonly #known: Models;
  readonly #placeOf: ReadonlyMap<string, number>;

  constructor(models: Iterable<Model>, known: Models) {
    this.#known = known;
    const distinct = [...Map.groupBy(models, makeAndModel).values()]
      .map(([first]): FoundModel => ({ ...first!, id: modelId(first!) }))
      .filter(({ id }) => id !== "");
    const makes = Map.groupBy(distinct, ({ manufacturer = "" }) => modelKey(manufacturer));
    makes.delete("");
    this.#models = distinct.toSorted((one, other) => inOrder(one.equipment, other.equipment));
    this.#makes = [...makes.values()]
      .map((own): FoundMake => ({ make: own[0]!.manufacturer!, models: own.length }))
      .sort((one, other) => inOrder(one.make, other.make));
    this.#placeOf = new Map(this.#models.map((model, at) => [makeAndModel(model), at]));
    const placeOfMake = new Map(this.#makes.map(({ make }, at) => [modelKey(make), at]));
    this.#makeOf = Int32Array.from(
      this.#models,
      ({ manufacturer = "" }) => placeOfMake.get(modelKey(manufacturer)) ?? -1,
    );
    this.#modelKeys = new Beginnings(this.#models.flatMap(keysOfModel));
    this.#makeKeys = new Beginnings(
      this.#makes.flatMap(({ make }, entry) =>
        make.split(/\s+/u).map((_, at, words) => ({ key: modelKey(words.slice(at).join("")), entry })),
      ),
    );
  }

  makes({ q, ...paging }: Paging & { q?: string }): Found<FoundMake> {
    return pageOf(this.#makes, q === undefined ? all(this.#makes) : search(this.#makeKeys, q), paging);
  }

  /** @param make as typed: a beginning, or with slips */
  models({ make, q, ...paging }: Paging & { make?: string; q?: string }): Found<FoundModel> {
    const { places, isNear } = q === undefined ? all(this.#models) : this.#asked(q);
    if (make === undefined) return pageOf(this.#models, { places, isNear }, paging);
    const makes = new Set(search(this.#makeKeys, make, { isWholeAlone: true }).places);
    const ofMakes = places.filter((at) => makes.has(this.#makeOf[at]!));
    return pageOf(this.#models, { places: ofMakes, isNear }, paging);
  }

  /** By beginnings; else amid other words, or a family; else with slips. */
  #asked(q: string): Asked {
    const begun = begunBy(this.#modelKeys, q);
    if (begun.length > 0) return { places: begun, isNear: false };
    const meant = this.#known.match(q).flatMap((model) => this.#placeOf.get(makeAndModel(model)) ?? []);
    return meant.length > 0
      ? { places: [...new Set(meant)], isNear: false }
      : { places: nearest(this.#modelKeys, q), isNear: true };
  }
}

/** Its spellings, and the designation from each group of letters or digits on: `2254` finds `GT-2254`. */
function keysOfModel(model: FoundModel, entry: number): KeyedEntry[] {
  const spellings = spellingsOf(model).map((words) => modelKey(words.join("")));
  const [bare = ""] = spellings;
  const later = [...bare.matchAll(/(?<=[A-Z])\d|(?<=\d)[A-Z]/g)].map(({ index }) => bare.slice(index));
  return [...new Set([...spellings, ...later])].filter((key) => key !== "").map((key) => ({ key, entry }));
}

/** Those that are what was typed, then those that it begins. @param isWholeAlone only the former, if there are any */
function begunBy(keys: Beginnings, typed: string, { isWholeAlone = false } = {}): number[] {
  const key = typedKey(typed);
  if (key === "") return [];
  const whole = new Set<number>();
  const begun = new Set<number>();
  keys.with(key, (entry, isWhole) => (isWhole ? whole : begun).add(entry));
  if (whole.size > 0 && isWholeAlone) return [...whole];
  for (const entry of whole) begun.delete(entry);
  return [...inPlace(whole), ...inPlace(begun)];
}

function nearest(keys: Beginnings, typed: string): number[] {
  const key = typedKey(typed);
  const most = key.length < ONE_SLIP ? 0 : key.length < TWO_SLIPS ? 1 : 2;
  const slipsOf = new Map<number, number>();
  if (most > 0)
    keys.near(key, most, (entry, slips) => slipsOf.set(entry, Math.min(slips, slipsOf.get(entry) ?? slips)));
  return [...slipsOf].sort(([a, one], [b, other]) => one - other || a - b).map(([entry]) => entry);
}

function search(keys: Beginnings, typed: string, of?: { isWholeAlone: boolean }): Asked {
  const begun = begunBy(keys, typed, of);
  return begun.length > 0 ? { places: begun, isNear: false } : { places: nearest(keys, typed), isNear: true };
}

function typedKey(typed: string): string {
  return modelKey(typed).slice(0, LONGEST_TYPED);
}

function inPlace(places: ReadonlySet<number>): Int32Array {
  return Int32Array.from(places).sort();
}

function all(entries: readonly unknown[]): Asked {
  return { places: [...entries.keys()], isNear: false };
}

function pageOf<T>(entries: readonly T[], { places, isNear }: Asked, { offset, limit }: Paging): Found<T> {
  const found = places.slice(offset, offset + limit).map((at) => entries[at]!);
  return { found, total: places.length, isNear: isNear && places.length > 0 };
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
function inOrder(one: string, other: string): number {
  return collator.compare(one, other);
}
