import type { estypes } from "@elastic/elasticsearch";
import { foldName } from "../../fold.ts";
import { type Attribute, attributeKey, ATTRIBUTES } from "../attributes.ts";
import { PRICE_STEPS, priceRange, toAttributeFacets, toAvailabilityFacet, toFacetValues } from "../facet-values.ts";
import type { Facets, SearchQuery } from "../port.ts";
import { readManufacturer } from "./mapping.ts";

type Query = estypes.QueryDslQueryContainer;
type Facet = "manufacturer" | "category" | "availability" | "price" | Attribute;

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
    // One for all attributes, and one for each that is filtered by.
    attributes: {
      filter: allBut(undefined, filters),
      aggs: { values: { terms: { field: "search.attributes", size: MAX_VALUES } } },
    },
    ...Object.fromEntries(
      ATTRIBUTES.filter((attribute) => filters[attribute] !== undefined).map((attribute) => [
        attribute,
        {
          filter: allBut(attribute, filters),
          aggs: { values: { terms: { field: `attributes.${attribute}`, size: MAX_VALUES } } },
        },
      ]),
    ),
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
              to: PRICE_STEPS[step + 1],
            })),
          },
        },
      },
    },
  };
}

/** The answer to `facetAggregations`. */
export interface FacetAnswers extends Partial<Record<Attribute, { values: { buckets: ValueBucket[] } }>> {
  attributes: { values: { buckets: ValueBucket[] } };
  manufacturer: { values: { buckets: ValueBucket[] } };
  category: { values: { buckets: ValueBucket[] } };
  availability: { values: { buckets: ValueBucket[] } };
  price: { min: { value: number | null }; max: { value: number | null }; ranges: { buckets: { doc_count: number }[] } };
}

interface ValueBucket {
  key: string;
  doc_count: number;
}

export function toFacets(answers: FacetAnswers): Facets {
  const { manufacturer, category, availability, attributes, price } = answers;
  const all = Map.groupBy(attributes.values.buckets, ({ key }) => key.slice(0, key.indexOf("\t")));
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
    attributes: toAttributeFacets(
      (attribute) =>
        answers[attribute]?.values.buckets.map(({ key, doc_count: count }) => ({ value: key, count })) ??
        (all.get(attribute) ?? []).map(({ key, doc_count: count }) => ({
          value: key.slice(attribute.length + 1),
          count,
        })),
    ),
    price: {
      min: price.min.value,
      max: price.max.value,
      ranges: price.ranges.buckets.map(({ doc_count: count }, step) => ({ ...priceRange(step), count })),
    },
  };
}

function allBut(facet: Facet | undefined, filters: Filters): Query {
  const others = (Object.entries(filters) as [Facet, Query][])
    .filter(([name]) => name !== facet)
    .map(([, filter]) => filter);
  return others.length === 0 ? { match_all: {} } : { bool: { filter: others } };
}
