import { randomUUID } from "node:crypto";
import { type Availability, foldName } from "@partline/parts-language";
import { attributeKey, ATTRIBUTES, type Attributes } from "../attributes.ts";
import { categoryKeys, manufacturerKeys } from "../derived.ts";
import { facetKey, FACETS, type CountedValue, type FacetName } from "../facet-values.ts";
import type { IndexDocument, SearchQuery } from "../port.ts";
import { vendorKeys } from "../query-plan.ts";
import { TextPool } from "./text-pool.ts";

/** What many documents have in common, and filters and facets read. */
export interface Profile {
  /** No two have the same. */
  key: string;
  manufacturer: { code: string; label: string };
  category: string;
  availability: Availability;
  attributes?: Attributes;
  /** Names of the maker and of the category in filters, and of the maker in front of a number. */
  manufacturerKeys: string[];
  categoryKeys: string[];
  vendorKeys: string[];
}

/** A facet's values, and by profile the place of its own; `NO_VALUE` if it has none. */
export interface FacetColumn {
  values: Omit<CountedValue, "count">[];
  ids: Uint32Array;
}

export const NO_VALUE = 2 ** 32 - 1;

export const ALL_FILTERS = 2 ** FACETS.length - 1;

/** The bit of a filter, which is set if a profile passes it. */
export function filterBit(name: FacetName): number {
  return 1 << FACETS.indexOf(name);
}

export type ProfilesView = ReturnType<Profiles["view"]>;

/** The profiles of an index, by number. None is changed or removed. */
export class Profiles {
  /** Of two with the same, one goes on where the other one ends. */
  readonly #memory: string;
  readonly all: Profile[];
  /** As JSON. */
  readonly #texts: TextPool;
  readonly #ids: Map<string, number>;
  /** Profiles of the last view; undefined before the first. */
  #shown: number | undefined;
  #derived: ReturnType<typeof derivedOf> | undefined;

  private constructor(memory: string, all: Profile[], texts: TextPool) {
    this.#memory = memory;
    this.all = all;
    this.#texts = texts;
    this.#ids = new Map(all.map(({ key }, id) => [key, id]));
  }

  static empty(): Profiles {
    return new Profiles(randomUUID(), [], new TextPool());
  }

  /** @param before those of an earlier view, which are used again if they are of the same memory */
  static of({ memory, texts }: ProfilesView, before?: Profiles): Profiles {
    const known = before && before.#memory === memory ? before : undefined;
    if (known && known.all.length === texts.length) return known;
    const pool = TextPool.of(texts);
    const all = [...(known?.all ?? [])];
    for (let id = all.length; id < pool.length; id += 1) all.push(JSON.parse(pool.at(id)) as Profile);
    const profiles = new Profiles(memory, all, pool);
    profiles.#shown = all.length;
    return profiles;
  }

  view() {
    this.#shown = this.all.length;
    return { memory: this.#memory, texts: this.#texts.view() };
  }

  /** Whether those who have a view know the document's profile. */
  isShown(document: IndexDocument): boolean {
    const id = this.#ids.get(keyOf(document));
    return this.#shown === undefined || (id !== undefined && id < this.#shown);
  }

  idOf(document: IndexDocument): number {
    const { category, availability, vendorName, manufacturer, attributes } = document;
    const key = keyOf(document);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.all.length;
      this.#ids.set(key, id);
      this.all.push({
        key,
        manufacturer: { code: manufacturer.code, label: vendorName },
        category,
        availability,
        ...(attributes && { attributes }),
        manufacturerKeys: manufacturerKeys(document),
        categoryKeys: categoryKeys(document),
        vendorKeys: vendorKeys(document),
      });
      this.#texts.add(JSON.stringify(this.all[id]));
    }
    return id;
  }

  facet(name: FacetName): FacetColumn {
    return this.#derive().facets.get(name)!;
  }

  /** By profile, whether it has any. */
  get haveAttributes(): Uint8Array {
    return this.#derive().haveAttributes;
  }

  /** Codes of the vendors that have this name (`vendorKeys`) with any of their brands. */
  vendorsOf(key: string): ReadonlySet<string> | undefined {
    return this.#derive().vendors.get(key);
  }

  /** By profile, the filters that it passes; undefined without filters. */
  passes({ manufacturers, categories, availabilities, attributes = {} }: SearchQuery): Uint32Array | undefined {
    const isFiltered = [manufacturers, categories].some(({ length }) => length > 0) || availabilities;
    if (!isFiltered && Object.keys(attributes).length === 0) return undefined;
    const { byManufacturer, byCategory } = this.#derive();
    const passes = new Uint32Array(this.all.length).fill(ALL_FILTERS);
    const keep = (name: FacetName, kept: Iterable<number>): void => {
      const bit = filterBit(name);
      for (let id = 0; id < passes.length; id += 1) passes[id]! &= ~bit;
      for (const id of kept) passes[id]! |= bit;
    };
    const keepValues = (name: FacetName, isKept: (value: string) => boolean): void => {
      const { ids, values } = this.facet(name);
      const kept = values.map(({ value }) => isKept(value));
      keep(
        name,
        [...ids.keys()].filter((id) => kept[ids[id]!]),
      );
    };
    const named = (by: ReadonlyMap<string, number[]>, names: readonly string[]): number[] =>
      names.flatMap((name) => by.get(foldName(name)) ?? []);
    if (manufacturers.length > 0) keep("manufacturer", named(byManufacturer, manufacturers));
    if (categories.length > 0) keep("category", named(byCategory, categories));
    if (availabilities) keepValues("availability", (value) => availabilities.some((each) => each === value));
    for (const name of ATTRIBUTES) {
      const wanted = attributes[name]?.map(attributeKey);
      if (wanted) keepValues(name, (value) => wanted.includes(attributeKey(value)));
    }
    return passes;
  }

  #derive(): ReturnType<typeof derivedOf> {
    return (this.#derived ??= derivedOf(this.all));
  }
}

function keyOf({
  category,
  kind,
  availability,
  vendorName,
  vendorAliases,
  manufacturer,
  attributes = {},
}: IndexDocument) {
  return [
    ...[manufacturer.code, foldName(manufacturer.name), vendorName, vendorAliases.join("\t")],
    ...[category, kind ?? "", availability],
    ...ATTRIBUTES.map((name) => attributes[name] ?? ""),
  ].join("\u0000");
}

function derivedOf(profiles: readonly Profile[]) {
  const byManufacturer = new Map<string, number[]>();
  const byCategory = new Map<string, number[]>();
  const vendors = new Map<string, Set<string>>();
  for (const [id, profile] of profiles.entries()) {
    for (const key of new Set(profile.manufacturerKeys)) listed(byManufacturer, key).push(id);
    for (const key of new Set(profile.categoryKeys)) listed(byCategory, key).push(id);
    for (const key of profile.vendorKeys)
      vendors.set(key, (vendors.get(key) ?? new Set()).add(profile.manufacturer.code));
  }
  return {
    byManufacturer,
    byCategory,
    vendors: vendors as ReadonlyMap<string, ReadonlySet<string>>,
    facets: new Map(FACETS.map((name) => [name, facetColumn(profiles, name)])),
    haveAttributes: Uint8Array.from(profiles, ({ attributes }) => (attributes ? 1 : 0)),
  };
}

function listed(lists: Map<string, number[]>, key: string): number[] {
  const known = lists.get(key);
  if (known) return known;
  const list: number[] = [];
  lists.set(key, list);
  return list;
}

function facetColumn(profiles: readonly Profile[], name: FacetName): FacetColumn {
  const values: FacetColumn["values"] = [];
  const known = new Map<string, number>();
  const ids = Uint32Array.from(profiles, (profile) => {
    const value = valueOf(profile, name);
    if (value === undefined) return NO_VALUE;
    const label = name === "manufacturer" ? profile.manufacturer.label : value;
    const own = `${value}\u0000${label}`;
    const id = known.get(own) ?? values.push({ value, label, key: facetKey(name, value) }) - 1;
    known.set(own, id);
    return id;
  });
  return { values, ids };
}

function valueOf(profile: Profile, name: FacetName): string | undefined {
  if (name === "manufacturer") return profile.manufacturer.code;
  return name === "category" || name === "availability" ? profile[name] : profile.attributes?.[name];
}
