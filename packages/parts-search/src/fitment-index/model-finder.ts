import { setImmediate } from "node:timers/promises";
import { fold } from "@partline/parts-language";
import { Beginnings, type KeyedEntry } from "./beginnings.ts";
import { makeAndModel, toModelId, toModelKey, listSpellings, type Model } from "./model-names.ts";
import type { Models } from "./models.ts";

export interface FoundModel extends Model {
  /** Id in paths. */
  id: string;
}

export interface FoundMake {
  make: string;
  models: number;
}

export interface FoundPage<T> {
  found: T[];
  total: number;
  /** True if nothing begins as typed, and the matches are one or two slips away. */
  isNear: boolean;
}

interface Paging {
  offset: number;
  limit: number;
}

/** Places of the matching entries, in order. */
type Matches = { places: readonly number[] } & Pick<FoundPage<unknown>, "isNear">;

/** Maximum characters of what was typed that are compared. */
const LONGEST_TYPED = 60;
/** Models that are taken in without a pause. */
const AT_ONCE = 500;
/** Characters of what was typed from which a slip is allowed, and from which two. */
const ONE_SLIP = 4;
const TWO_SLIPS = 8;

/** Lists makes and models, all or those that what was typed begins. */
export class ModelFinder {
  /** Models in the order of their names. */
  readonly #models: readonly FoundModel[];
  readonly #makes: readonly FoundMake[];
  /** Place of each model's make; -1 without one. */
  readonly #makeOf: Int32Array;
  readonly #modelKeys: Beginnings;
  readonly #makeKeys: Beginnings;
  readonly #known: Pick<Models, "match">;
  readonly #placeOf: ReadonlyMap<string, number>;

  private constructor(
    { models, keys }: { models: readonly FoundModel[]; keys: Iterable<KeyedEntry> },
    knownModels: Pick<Models, "match">,
  ) {
    this.#known = knownModels;
    this.#models = models;
    const makes = Map.groupBy(models, ({ manufacturer = "" }) => toModelKey(manufacturer));
    makes.delete("");
    this.#makes = [...makes.values()]
      .map((makeModels): FoundMake => ({ make: makeModels[0]!.manufacturer!, models: makeModels.length }))
      .sort((a, b) => collator.compare(a.make, b.make));
    this.#placeOf = new Map(this.#models.map((model, index) => [makeAndModel(model), index]));
    const placeOfMake = new Map(this.#makes.map(({ make }, index) => [toModelKey(make), index]));
    this.#makeOf = Int32Array.from(
      this.#models,
      ({ manufacturer = "" }) => placeOfMake.get(toModelKey(manufacturer)) ?? -1,
    );
    this.#modelKeys = new Beginnings(keys);
    this.#makeKeys = new Beginnings(
      this.#makes.flatMap(({ make }, entry) =>
        make.split(/\s+/u).map((_, index, words) => ({ key: toModelKey(words.slice(index).join("")), entry })),
      ),
    );
  }

  /** Builds it with pauses, so that others get their turn: 200,000 models take seconds. */
  static async build(allModels: Iterable<Model>, knownModels: Pick<Models, "match">): Promise<ModelFinder> {
    const modelsByName = new Map<string, FoundModel>();
    for (const [index, model] of [...allModels].entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      const name = makeAndModel(model);
      const id = modelsByName.has(name) ? "" : toModelId(model);
      if (id !== "") modelsByName.set(name, { ...model, id });
    }
    const models = sortByName([...modelsByName.values()]);
    const keys: KeyedEntry[] = [];
    for (const [index, model] of models.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      keys.push(...listKeys(model, index));
    }
    return new ModelFinder({ models, keys }, knownModels);
  }

  findMakes({ q, ...paging }: Paging & { q?: string }): FoundPage<FoundMake> {
    return toPage(this.#makes, q === undefined ? matchAll(this.#makes) : search(this.#makeKeys, q), paging);
  }

  /** @param make as typed: a beginning, or with slips @param isForgiving whether slips of a model are forgiven */
  findModels({
    make,
    q,
    isForgiving = true,
    ...paging
  }: Paging & { make?: string; q?: string; isForgiving?: boolean }): FoundPage<FoundModel> {
    const { places, isNear } = q === undefined ? matchAll(this.#models) : this.#match(q, isForgiving);
    if (make === undefined) return toPage(this.#models, { places, isNear }, paging);
    const makes = new Set(search(this.#makeKeys, make, { isWholeAlone: true }).places);
    const placesOfMakes = places.filter((place) => makes.has(this.#makeOf[place]!));
    return toPage(this.#models, { places: placesOfMakes, isNear }, paging);
  }

  /** Matches by beginnings, else within other words or as a family, else with slips. */
  #match(q: string, isForgiving: boolean): Matches {
    const begunPlaces = findBegun(this.#modelKeys, q);
    if (begunPlaces.length > 0) return { places: begunPlaces, isNear: false };
    const places = this.#known.match(q).flatMap((model) => this.#placeOf.get(makeAndModel(model)) ?? []);
    return places.length > 0 || !isForgiving
      ? { places: [...new Set(places)], isNear: false }
      : { places: findNearest(this.#modelKeys, q), isNear: true };
  }
}

/** Its spellings, and the designation from each group of letters or digits on: `2254` finds `GT-2254`. */
function listKeys(model: FoundModel, entry: number): KeyedEntry[] {
  const spellings = listSpellings(model).map((words) => toModelKey(words.join("")));
  const [bare = ""] = spellings;
  const later = [...bare.matchAll(/(?<=[A-Z])\d|(?<=\d)[A-Z]/g)].map(({ index }) => bare.slice(index));
  return [...new Set([...spellings, ...later])].filter((key) => key !== "").map((key) => ({ key, entry }));
}

/**
 * Finds entries equal to the typed text, then those that begin with it.
 * @param isWholeAlone only the former, if there are any
 */
function findBegun(keys: Beginnings, typed: string, { isWholeAlone = false } = {}): number[] {
  const key = toTypedKey(typed);
  if (key === "") return [];
  const wholeEntries = new Set<number>();
  const begunEntries = new Set<number>();
  keys.with(key, (entry, isWhole) => (isWhole ? wholeEntries : begunEntries).add(entry));
  if (wholeEntries.size > 0 && isWholeAlone) return [...wholeEntries];
  for (const entry of wholeEntries) begunEntries.delete(entry);
  return [...toPlaces(wholeEntries), ...toPlaces(begunEntries)];
}

function findNearest(keys: Beginnings, typed: string): number[] {
  const key = toTypedKey(typed);
  const most = key.length < ONE_SLIP ? 0 : key.length < TWO_SLIPS ? 1 : 2;
  const slipsOf = new Map<number, number>();
  if (most > 0)
    keys.near(key, most, (entry, slips) => slipsOf.set(entry, Math.min(slips, slipsOf.get(entry) ?? slips)));
  return [...slipsOf].sort(([a, slipsA], [b, slipsB]) => slipsA - slipsB || a - b).map(([entry]) => entry);
}

function search(keys: Beginnings, typed: string, options?: { isWholeAlone: boolean }): Matches {
  const places = findBegun(keys, typed, options);
  return places.length > 0 ? { places, isNear: false } : { places: findNearest(keys, typed), isNear: true };
}

function toTypedKey(typed: string): string {
  return toModelKey(typed).slice(0, LONGEST_TYPED);
}

function toPlaces(places: ReadonlySet<number>): Int32Array {
  return Int32Array.from(places).sort();
}

function matchAll(entries: readonly unknown[]): Matches {
  return { places: [...entries.keys()], isNear: false };
}

function toPage<T>(entries: readonly T[], { places, isNear }: Matches, { offset, limit }: Paging): FoundPage<T> {
  const entriesOnPage = places.slice(offset, offset + limit).map((place) => entries[place]!);
  return { found: entriesOnPage, total: places.length, isNear: isNear && places.length > 0 };
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts as people do, `GX9` before `GX10`: by keys, as a collator takes seconds for 200,000 names. */
function sortByName(models: readonly FoundModel[]): FoundModel[] {
  const keyed = models.map((model) => {
    const key = fold(model.equipment).replace(/\d+/g, (digits) => digits.padStart(12, "0"));
    return { model, key };
  });
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ model }) => model);
}
