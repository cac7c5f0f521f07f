import type { estypes } from "@elastic/elasticsearch";
import type { Query } from "./combined.ts";
import { foldName } from "@partline/parts-language";
import { type Attribute, attributeKey, ATTRIBUTES } from "../attributes.ts";
import { facetKey, PRICE_STEPS, toFacets, type CountedValue, type FacetName } from "../facet-values.ts";
import type { Facets, SearchQuery } from "../port.ts";
import { readManufacturer } from "./mapping.ts";

type Facet = FacetName | "price";

/** More values than a catalog has. */
const MAX_VALUES = 10_000;

type Filters = Partial<Record<Facet, Query>>;

export function facetFilters(query: SearchQuery): Filters {
  const { manufacturers, categories, availabilities, attributes = {}, minPrice, maxPrice } = query;
  const ofAttributes = ATTRIBUTES.flatMap((attribute): [Attribute, Query][] => {
    const values = attributes[attribute]?.map((value) => `${attribute}\t${attributeKey(value)}`);
    return values === undefined ? [] : [[attribute, { terms: { "search.attributeKeys": values } }]];
  });
  return {
    ...Object.fromEntries(ofAttributes),
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
export function facetAggregations(filters: Filters): Record<string, estypes.AggregationsAggregationContainer> {
  const valuesOf = (facet: Facet | undefined, field: string): estypes.AggregationsAggregationContainer => ({
    filter: allBut(facet, filters),
    aggs: { values: { terms: { field, size: MAX_VALUES } } },
  });
  const filtered = ATTRIBUTES.filter((attribute) => filters[attribute] !== undefined);
  return {
    manufacturer: valuesOf("manufacturer", "search.manufacturerFacet"),
    category: valuesOf("category", "category"),
    availability: valuesOf("availability", "availability"),
    // One for all attributes, and one for each that is filtered by.
    attributes: valuesOf(undefined, "search.attributes"),
    ...Object.fromEntries(filtered.map((attribute) => [attribute, valuesOf(attribute, `attributes.${attribute}`)])),
    price: {
      filter: allBut("price", filters),
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

/** The answer to `facetAggregations`. */
export type FacetAnswers = Partial<Record<Attribute, Values>> &
  Record<Exclude<FacetName, Attribute> | "attributes", Values> & {
    price: Record<"min" | "max", { value: number | null }> & { ranges: { buckets: { doc_count: number }[] } };
  };

export function readFacets(answers: FacetAnswers): Facets {
  const { min, max, ranges } = answers.price;
  const all = Map.groupBy(answers.attributes.values.buckets, ({ key }) => key.slice(0, key.indexOf("\t")));
  const countsOf = (facet: FacetName): CountedValue[] => {
    const own = answers[facet]?.values.buckets;
    const buckets = own ?? all.get(facet) ?? [];
    return buckets.map(({ key: found, doc_count: count }) => {
      const text = own ? found : found.slice(facet.length + 1);
      const named = facet === "manufacturer" ? readManufacturer(text) : { value: text, label: text };
      return { ...named, key: facetKey(facet, named.value), count };
    });
  };
  return toFacets(countsOf, {
    min: min.value,
    max: max.value,
    ranges: ranges.buckets.map(({ doc_count }) => doc_count),
  });
}

function allBut(facet: Facet | undefined, filters: Filters): Query {
  const others = (Object.entries(filters) as [Facet, Query][])
    .filter(([name]) => name !== facet)
    .map(([, filter]) => filter);
  return others.length === 0 ? { match_all: {} } : { bool: { filter: others } };
}
