import type { Availability } from "../../availability.ts";
import { foldName } from "../../fold.ts";
import { categoryKeys, manufacturerKeys } from "../derived.ts";
import type { FacetValue, IndexDocument, SearchQuery } from "../port.ts";
import { vendorKeys } from "../query-plan.ts";

/** What many documents have in common, and filters and facets read. */
export interface Profile {
  /** No two have the same. */
  key: string;
  manufacturer: { code: string; label: string };
  category: string;
  availability: Availability;
  /** Names of the maker and of the category in filters, and of the maker in front of a number. */
  manufacturerKeys: string[];
  categoryKeys: string[];
  vendorKeys: string[];
}

/** A facet's values, and by profile the place of its own. */
export interface FacetColumn {
  values: Omit<FacetValue, "count">[];
  ids: Uint32Array;
}

/** A bit for each filter that a profile may pass. */
export const FILTERS = { manufacturer: 1, category: 2, availability: 4 } as const;
export type FilterName = keyof typeof FILTERS;
export const ALL_FILTERS = FILTERS.manufacturer | FILTERS.category | FILTERS.availability;

/** The profiles of an index, by number. None is changed or removed. */
export class Profiles {
  readonly all: Profile[];
  readonly #ids: Map<string, number>;
  #derived: ReturnType<typeof derivedOf> | undefined;

  constructor(all: Profile[] = []) {
    this.all = all;
    this.#ids = new Map(all.map(({ key }, id) => [key, id]));
  }

  idOf(document: IndexDocument): number {
    const { category, kind, availability, vendorName, manufacturer } = document;
    const key = [manufacturer.code, foldName(manufacturer.name), category, kind ?? "", availability].join("\u0000");
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.all.length;
      this.#ids.set(key, id);
      this.all.push({
        key,
        manufacturer: { code: manufacturer.code, label: vendorName },
        category,
        availability,
        manufacturerKeys: manufacturerKeys(document),
        categoryKeys: categoryKeys(document),
        vendorKeys: vendorKeys(document),
      });
    }
    return id;
  }

  facet(name: FilterName): FacetColumn {
    return this.#derive().facets[name];
  }

  /** Codes of the vendors that have this name (`vendorKeys`) with any of their brands. */
  vendorsOf(key: string): ReadonlySet<string> | undefined {
    return this.#derive().vendors.get(key);
  }

  /** By profile, the filters that it passes. */
  passes({ manufacturers, categories, availabilities }: SearchQuery): Uint8Array {
    const { byManufacturer, byCategory } = this.#derive();
    const passes = new Uint8Array(this.all.length).fill(ALL_FILTERS);
    const keep = (filter: number, kept: Iterable<number>): void => {
      for (let id = 0; id < passes.length; id += 1) passes[id]! &= ~filter;
      for (const id of kept) passes[id]! |= filter;
    };
    const named = (by: ReadonlyMap<string, number[]>, names: readonly string[]): number[] =>
      names.flatMap((name) => by.get(foldName(name)) ?? []);
    if (manufacturers.length > 0) keep(FILTERS.manufacturer, named(byManufacturer, manufacturers));
    if (categories.length > 0) keep(FILTERS.category, named(byCategory, categories));
    if (availabilities) {
      const { ids, values } = this.facet("availability");
      const isKept = values.map(({ value }) => availabilities.some((each) => each === value));
      keep(
        FILTERS.availability,
        [...ids.keys()].filter((id) => isKept[ids[id]!]),
      );
    }
    return passes;
  }

  #derive(): ReturnType<typeof derivedOf> {
    return (this.#derived ??= derivedOf(this.all));
  }
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
    facets: {
      manufacturer: facetColumn(profiles, ({ manufacturer: { code, label } }) => ({ value: code, label })),
      category: facetColumn(profiles, ({ category }) => ({ value: category, label: category })),
      availability: facetColumn(profiles, ({ availability }) => ({ value: availability, label: availability })),
    },
  };
}

function listed(lists: Map<string, number[]>, key: string): number[] {
  const known = lists.get(key);
  if (known) return known;
  const list: number[] = [];
  lists.set(key, list);
  return list;
}

function facetColumn(
  profiles: readonly Profile[],
  valueOf: (profile: Profile) => Omit<FacetValue, "count">,
): FacetColumn {
  const values: FacetColumn["values"] = [];
  const known = new Map<string, number>();
  const ids = Uint32Array.from(profiles, (profile) => {
    const { value, label } = valueOf(profile);
    const key = `${value}\u0000${label}`;
    const id = known.get(key) ?? values.push({ value, label }) - 1;
    known.set(key, id);
    return id;
  });
  return { values, ids };
}
