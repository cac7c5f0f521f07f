import { randomUUID } from "node:crypto";
import { type Availability, foldName } from "@partline/parts-language";
import { toAttributeKey, ATTRIBUTES, type Attributes } from "../attributes.ts";
import { listCategoryKeys, listManufacturerKeys } from "../derived.ts";
import { toFacetKey, FACETS, type CountedValue, type FacetName } from "../facet-values.ts";
import type { SearchQuery } from "../port.ts";
import type { IndexDocument } from "../index-document.ts";
import { listVendorKeys } from "../query-plan.ts";
import { TextPool } from "./text-pool.ts";

/** Values that many documents share, and that filters and facets read. */
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
  /** Identity of the memory: of two with the same, one continues where the other one ends. */
  readonly #memory: string;
  readonly all: Profile[];
  /** As JSON. */
  readonly #texts: TextPool;
  readonly #ids: Map<string, number>;
  /** Profiles of the last view; undefined before the first. */
  #shown: number | undefined;
  #derived: ReturnType<typeof derive> | undefined;

  private constructor(memory: string, profiles: Profile[], texts: TextPool) {
    this.#memory = memory;
    this.all = profiles;
    this.#texts = texts;
    this.#ids = new Map(profiles.map(({ key }, id) => [key, id]));
  }

  static empty(): Profiles {
    return new Profiles(randomUUID(), [], new TextPool());
  }

  /** @param previous those of an earlier view, which are used again if they are of the same memory */
  static of({ memory, texts }: ProfilesView, previous?: Profiles): Profiles {
    const reusable = previous && previous.#memory === memory ? previous : undefined;
    if (reusable && reusable.all.length === texts.length) return reusable;
    const pool = TextPool.of(texts);
    const profileList = [...(reusable?.all ?? [])];
    for (let id = profileList.length; id < pool.length; id += 1) profileList.push(JSON.parse(pool.at(id)) as Profile);
    const profiles = new Profiles(memory, profileList, pool);
    profiles.#shown = profileList.length;
    return profiles;
  }

  view() {
    this.#shown = this.all.length;
    return { memory: this.#memory, texts: this.#texts.view() };
  }

  /** Returns whether those who have a view know the document's profile. */
  isShown(document: IndexDocument): boolean {
    const id = this.#ids.get(toKey(document));
    return this.#shown === undefined || (id !== undefined && id < this.#shown);
  }

  idOf(document: IndexDocument): number {
    const { category, availability, vendorName, manufacturer, attributes } = document;
    const key = toKey(document);
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
        manufacturerKeys: listManufacturerKeys(document),
        categoryKeys: listCategoryKeys(document),
        vendorKeys: listVendorKeys(document),
      });
      this.#texts.add(JSON.stringify(this.all[id]));
    }
    return id;
  }

  getFacet(name: FacetName): FacetColumn {
    return this.#derive().facets.get(name)!;
  }

  /** Flags by profile, set if it has attributes. */
  get haveAttributes(): Uint8Array {
    return this.#derive().haveAttributes;
  }

  /** Codes of the vendors that have this name (`vendorKeys`) with any of their brands. */
  getVendors(key: string): ReadonlySet<string> | undefined {
    return this.#derive().vendors.get(key);
  }

  /** Computes the filters that each profile passes; undefined without filters. */
  computePasses({ manufacturers, categories, availabilities, attributes = {} }: SearchQuery): Uint32Array | undefined {
    const isFiltered = [manufacturers, categories].some(({ length }) => length > 0) || availabilities;
    if (!isFiltered && Object.keys(attributes).length === 0) return undefined;
    const { byManufacturer: idsByManufacturer, byCategory: idsByCategory } = this.#derive();
    const passes = new Uint32Array(this.all.length).fill(ALL_FILTERS);
    const keep = (name: FacetName, keptIds: Iterable<number>): void => {
      const bit = filterBit(name);
      for (let id = 0; id < passes.length; id += 1) passes[id]! &= ~bit;
      for (const id of keptIds) passes[id]! |= bit;
    };
    const keepValues = (name: FacetName, isKept: (value: string) => boolean): void => {
      const { ids, values } = this.getFacet(name);
      const keptFlags = values.map(({ value }) => isKept(value));
      keep(
        name,
        [...ids.keys()].filter((id) => keptFlags[ids[id]!]),
      );
    };
    const listIds = (idsByName: ReadonlyMap<string, number[]>, names: readonly string[]): number[] =>
      names.flatMap((name) => idsByName.get(foldName(name)) ?? []);
    if (manufacturers.length > 0) keep("manufacturer", listIds(idsByManufacturer, manufacturers));
    if (categories.length > 0) keep("category", listIds(idsByCategory, categories));
    if (availabilities)
      keepValues("availability", (value) => availabilities.some((availability) => availability === value));
    for (const name of ATTRIBUTES) {
      const wantedKeys = attributes[name]?.map(toAttributeKey);
      if (wantedKeys) keepValues(name, (value) => wantedKeys.includes(toAttributeKey(value)));
    }
    return passes;
  }

  #derive(): ReturnType<typeof derive> {
    return (this.#derived ??= derive(this.all));
  }
}

function toKey({
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

function derive(profiles: readonly Profile[]) {
  const idsByManufacturer = new Map<string, number[]>();
  const idsByCategory = new Map<string, number[]>();
  const vendors = new Map<string, Set<string>>();
  for (const [id, profile] of profiles.entries()) {
    for (const key of new Set(profile.manufacturerKeys)) getList(idsByManufacturer, key).push(id);
    for (const key of new Set(profile.categoryKeys)) getList(idsByCategory, key).push(id);
    for (const key of profile.vendorKeys)
      vendors.set(key, (vendors.get(key) ?? new Set()).add(profile.manufacturer.code));
  }
  return {
    byManufacturer: idsByManufacturer,
    byCategory: idsByCategory,
    vendors: vendors as ReadonlyMap<string, ReadonlySet<string>>,
    facets: new Map(FACETS.map((name) => [name, createFacetColumn(profiles, name)])),
    haveAttributes: Uint8Array.from(profiles, ({ attributes }) => (attributes ? 1 : 0)),
  };
}

function getList(lists: Map<string, number[]>, key: string): number[] {
  const existing = lists.get(key);
  if (existing) return existing;
  const list: number[] = [];
  lists.set(key, list);
  return list;
}

function createFacetColumn(profiles: readonly Profile[], name: FacetName): FacetColumn {
  const values: FacetColumn["values"] = [];
  const idsByValue = new Map<string, number>();
  const ids = Uint32Array.from(profiles, (profile) => {
    const value = getValue(profile, name);
    if (value === undefined) return NO_VALUE;
    const label = name === "manufacturer" ? profile.manufacturer.label : value;
    const valueKey = `${value}\u0000${label}`;
    const id = idsByValue.get(valueKey) ?? values.push({ value, label, key: toFacetKey(name, value) }) - 1;
    idsByValue.set(valueKey, id);
    return id;
  });
  return { values, ids };
}

function getValue(profile: Profile, name: FacetName): string | undefined {
  if (name === "manufacturer") return profile.manufacturer.code;
  return name === "category" || name === "availability" ? profile[name] : profile.attributes?.[name];
}
