import type { estypes } from "@elastic/elasticsearch";
import type { Query } from "./combined.ts";
import { foldName } from "@partline/parts-language";
import { type Attribute, toAttributeKey, ATTRIBUTES } from "../attributes.ts";
import {
  toFacetKey,
  MOST_COUNTED,
  MOST_MACHINES,
  PRICE_STEPS,
  selectMostFrequent,
  toFacets,
  type CountedValue,
  type FacetName,
} from "../facet-values.ts";
import type { SearchQuery } from "../port.ts";
import type { Facets } from "../search-page.ts";
import { readManufacturer } from "./mapping.ts";

type Facet = FacetName | "price";

/** More values than a catalog has. */
const MAX_VALUES = 10_000;

type Filters = Partial<Record<Facet, Query>>;

export function buildFacetFilters(query: SearchQuery): Filters {
  const { manufacturers, categories, availabilities, attributes = {}, minPrice, maxPrice } = query;
  const attributeFilters = ATTRIBUTES.flatMap((attribute): [Attribute, Query][] => {
    const values = attributes[attribute]?.map((value) => `${attribute}\t${toAttributeKey(value)}`);
    return values === undefined ? [] : [[attribute, { terms: { "search.attributeKeys": values } }]];
  });
  return {
    ...Object.fromEntries(attributeFilters),
    ...(manufacturers.length === 0
      ? {}
      : { manufacturer: { terms: { "search.manufacturerKeys": manufacturers.map(foldName) } } }),
    ...(categories.length === 0 ? {} : { category: { terms: { "search.categoryKeys": categories.map(foldName) } } }),
    ...(availabilities === undefined ? {} : { availability: { terms: { availability: [...availabilities] } } }),
    ...(minPrice === undefined && maxPrice === undefined
      ? {}
      : { price: { range: { "search.cents": { gte: minPrice, lte: maxPrice } } } }),
  };
}

/** Counts each facet without its own filter. */
export function buildFacetAggregations(
  filters: Filters,
  { countsMachines = false }: Pick<SearchQuery, "countsMachines">,
): Record<string, estypes.AggregationsAggregationContainer> {
  const countValues = (facet: Facet | undefined, field: string): estypes.AggregationsAggregationContainer => ({
    filter: joinAllBut(facet, filters),
    aggs: { values: { terms: { field, size: MAX_VALUES } } },
  });
  const filtered = ATTRIBUTES.filter((attribute) => filters[attribute] !== undefined);
  return {
    ...(countsMachines ? { machine: countValues(undefined, "fits") } : {}),
    manufacturer: countValues("manufacturer", "search.manufacturerFacet"),
    category: countValues("category", "category"),
    availability: countValues("availability", "availability"),
    // One for all attributes, and one for each that is filtered by.
    attributes: countValues(undefined, "search.attributes"),
    ...Object.fromEntries(filtered.map((attribute) => [attribute, countValues(attribute, `attributes.${attribute}`)])),
    price: {
      filter: joinAllBut("price", filters),
      aggs: {
        min: { min: { field: "search.cents" } },
        max: { max: { field: "search.cents" } },
        ranges: {
          range: {
            field: "search.cents",
            ranges: PRICE_STEPS.map((from, step) => ({ from, to: PRICE_STEPS[step + 1] })),
          },
        },
      },
    },
  };
}

interface Values {
  values: { buckets: { key: string; doc_count: number }[] };
}

/** The answer to `buildFacetAggregations`. */
export type FacetAnswers = Partial<Record<Attribute, Values>> &
  Record<Exclude<FacetName, Attribute> | "attributes", Values> & {
    machine?: Values;
    price: Record<"min" | "max", { value: number | null }> & { ranges: { buckets: { doc_count: number }[] } };
  };

export function readFacets(answers: FacetAnswers, total: number): Facets {
  const { min, max, ranges } = answers.price;
  const bucketsByFacet = Map.groupBy(answers.attributes.values.buckets, ({ key }) => key.slice(0, key.indexOf("\t")));
  const readCounts = (facet: FacetName): CountedValue[] => {
    const ownBuckets = answers[facet]?.values.buckets;
    const buckets = ownBuckets ?? bucketsByFacet.get(facet) ?? [];
    return buckets.map(({ key, doc_count: count }) => {
      const text = ownBuckets ? key : key.slice(facet.length + 1);
      const maker = facet === "manufacturer" ? readManufacturer(text) : { value: text, label: text };
      return { ...maker, key: toFacetKey(facet, maker.value), count };
    });
  };
  const machines = total > MOST_COUNTED ? [] : (answers.machine?.values.buckets ?? []);
  const next = machines[MOST_MACHINES]?.doc_count ?? 0;
  return {
    ...toFacets(readCounts, {
      min: min.value,
      max: max.value,
      ranges: ranges.buckets.map(({ doc_count }) => doc_count),
    }),
    machine: selectMostFrequent(
      machines.flatMap(({ key, doc_count: count }) => (count > next ? { value: key, label: key, key, count } : [])),
    ),
  };
}

function joinAllBut(facet: Facet | undefined, filters: Filters): Query {
  const otherFilters = (Object.entries(filters) as [Facet, Query][])
    .filter(([name]) => name !== facet)
    .map(([, filter]) => filter);
  return otherFilters.length === 0 ? { match_all: {} } : { bool: { filter: otherFilters } };
}
