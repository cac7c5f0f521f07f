import type { estypes } from "@elastic/elasticsearch";
import { foldName } from "../../fold.ts";
import { PRICE_STEPS, priceRange, toAvailabilityFacet, toFacetValues } from "../facet-values.ts";
import type { Facets, SearchQuery } from "../port.ts";
import { readManufacturer } from "./mapping.ts";

type Query = estypes.QueryDslQueryContainer;
type Facet = "manufacturer" | "category" | "availability" | "price";

/** More values than a catalog has. */
const MAX_VALUES = 10_000;

type Filters = Partial<Record<Facet, Query>>;

export function facetFilters({ manufacturers, categories, availabilities, minPrice, maxPrice }: SearchQuery): Filters {
  return {
    ...(manufacturers.length === 0
      ? {}
      : { manufacturer: { terms: { "search.manufacturerKeys": manufacturers.map(foldName) } } }),
    ...(categories.length === 0 ? {} : { category: { terms: { "search.categoryKeys": categories.map(foldName) } } }),
    ...(availabilities === undefined ? {} : { availability: { terms: { availability: [...availabilities] } } }),
    ...(minPrice === undefined && maxPrice === undefined
      ? {}
      : { price: { range: { price: { gte: minPrice, lte: maxPrice } } } }),
  };
}

/** Counts each facet without its own filter. */
export function facetAggregations(filters: Filters): Record<string, estypes.AggregationsAggregationContainer> {
  return {
    manufacturer: {
      filter: allBut("manufacturer", filters),
      aggs: { values: { terms: { field: "search.manufacturerFacet", size: MAX_VALUES } } },
    },
    category: {
      filter: allBut("category", filters),
      aggs: { values: { terms: { field: "category", size: MAX_VALUES } } },
    },
    availability: {
      filter: allBut("availability", filters),
      aggs: { values: { terms: { field: "availability" } } },
    },
    price: {
      filter: allBut("price", filters),
      aggs: {
        min: { min: { field: "price" } },
        max: { max: { field: "price" } },
        ranges: {
          range: {
            field: "price",
            ranges: PRICE_STEPS.map((from, step) => ({
              from,
              ...(PRICE_STEPS[step + 1] === undefined ? {} : { to: PRICE_STEPS[step + 1] }),
            })),
          },
        },
      },
    },
  };
}

/** The answer to `facetAggregations`. */
export interface FacetAnswers {
  manufacturer: { values: { buckets: ValueBucket[] } };
  category: { values: { buckets: ValueBucket[] } };
  availability: { values: { buckets: ValueBucket[] } };
  price: { min: { value: number | null }; max: { value: number | null }; ranges: { buckets: { doc_count: number }[] } };
}

interface ValueBucket {
  key: string;
  doc_count: number;
}

export function toFacets({ manufacturer, category, availability, price }: FacetAnswers): Facets {
  return {
    manufacturer: toFacetValues(
      manufacturer.values.buckets.map(({ key, doc_count: count }) => ({ ...readManufacturer(key), count })),
    ),
    category: toFacetValues(
      category.values.buckets.map(({ key, doc_count: count }) => ({ value: key, label: key, count })),
    ),
    availability: toAvailabilityFacet(
      (value) => availability.values.buckets.find(({ key }) => key === value)?.doc_count ?? 0,
    ),
    price: {
      min: price.min.value,
      max: price.max.value,
      ranges: price.ranges.buckets.map(({ doc_count: count }, step) => ({ ...priceRange(step), count })),
    },
  };
}

function allBut(facet: Facet, filters: Filters): Query {
  const others = (Object.entries(filters) as [Facet, Query][])
    .filter(([name]) => name !== facet)
    .map(([, filter]) => filter);
  return others.length === 0 ? { match_all: {} } : { bool: { filter: others } };
}
