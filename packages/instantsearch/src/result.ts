import { fold, foldName, toDecimal } from "@partline/parts-language";
import {
  type Attribute,
  type Facets,
  type FacetValue,
  type HitDocument,
  type SearchHit,
  type SearchPage,
  presentPart,
  countPages,
} from "@partline/parts-search";
import { markTerms, withTags } from "./highlight.ts";
import { listValues } from "./query.ts";
import type { InstantSearchRequest } from "./request.ts";

type Json = Record<string, unknown>;
type ValueFacet = Exclude<keyof Facets, "price" | "machine" | "attributes"> | Attribute;

/** The page if filters contradict each other. */
export const NOTHING: Pick<SearchPage, "hits" | "total" | "facets"> = {
  hits: [],
  total: 0,
  facets: {
    manufacturer: [],
    category: [],
    availability: [],
    machine: [],
    attributes: {},
    price: { min: null, max: null, ranges: [] },
  },
};

export function toResult(request: InstantSearchRequest, page: typeof NOTHING, processingTimeMS: number): Json {
  const { facets, facetSearch, hitsPerPage } = request;
  if (facetSearch) return { ...toFacetHits(request, page.facets), processingTimeMS };
  // Of the hits without the filter on price, while Algolia gives those of the hits: a slider needs its ends, for which
  // InstantSearch sends another request without that filter.
  const { min, max } = page.facets.price;
  return {
    hits: page.hits.map((hit) => toHit(request, hit)),
    nbHits: page.total,
    page: request.page,
    nbPages: hitsPerPage === 0 ? 0 : countPages(page.total, hitsPerPage),
    hitsPerPage,
    facets: Object.fromEntries(
      facets.map((facet) => [
        facet,
        facet === "price" ? {} : countValues(request, facet, listFacetValues(page.facets, facet)),
      ]),
    ),
    ...(facets.includes("price") && min !== null && max !== null
      ? { facets_stats: { price: { min: toDecimal(min), max: toDecimal(max) } } }
      : {}),
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    query: request.query,
    params: request.params,
    index: request.index,
    processingTimeMS,
  };
}

export function toObject(document: HitDocument, attributes: readonly string[]): Json {
  const hit: Json = presentPart(document);
  return { ...Object.fromEntries(attributes.map((name) => [name, hit[name]])), objectID: document.id };
}

function toHit(request: InstantSearchRequest, { document, highlights }: SearchHit): Json {
  const { attributesToRetrieve, attributesToHighlight } = request;
  const highlighted = attributesToHighlight.map((name) => [name, withTags(highlights[name], document[name], request)]);
  return {
    ...toObject(document, attributesToRetrieve),
    ...(highlighted.length > 0 ? { _highlightResult: Object.fromEntries(highlighted) as Json } : {}),
  };
}

/**
 * Counts among the hits. The index counts a facet without its own filter, and a part has one value of it, so behind a
 * filter the named values keep their counts and the others have none.
 */
function countValues(
  request: InstantSearchRequest,
  facet: ValueFacet,
  values: readonly FacetValue[],
): Record<string, number> {
  const filteredNames = listValues(request.filters, facet)?.map(foldName);
  const keptValues =
    filteredNames === undefined
      ? values
      : values.filter(
          ({ value, label }) => filteredNames.includes(foldName(value)) || filteredNames.includes(foldName(label)),
        );
  return Object.fromEntries(
    sortValues(keptValues, request)
      .slice(0, request.maxValuesPerFacet)
      .map((value) => [getDisplayName(facet, value), value.count]),
  );
}

function toFacetHits(request: InstantSearchRequest, facets: Facets): Json {
  const { facet, facetQuery, maxFacetHits } = request.facetSearch!;
  const typed = fold(facetQuery).match(/[\p{L}\p{N}]+/gu) ?? [];
  const facetHits = sortValues(listFacetValues(facets, facet), request).flatMap((value) => {
    const name = getDisplayName(facet, value);
    const highlighted = markTerms(name, typed, request);
    return highlighted === undefined ? [] : [{ value: name, highlighted, count: value.count }];
  });
  return { facetHits: facetHits.slice(0, maxFacetHits), exhaustiveFacetsCount: true };
}

function listFacetValues({ attributes, ...facets }: Facets, facet: ValueFacet): readonly FacetValue[] {
  return facet in facets ? facets[facet as keyof typeof facets & ValueFacet] : (attributes[facet as Attribute] ?? []);
}

function sortValues(values: readonly FacetValue[], { sortFacetValuesBy }: InstantSearchRequest): readonly FacetValue[] {
  return sortFacetValuesBy === "count" ? values : [...values].sort((a, b) => (fold(a.label) < fold(b.label) ? -1 : 1));
}

/** Front ends send back what they show: names of manufacturers, not codes. */
function getDisplayName(facet: ValueFacet, { value, label }: FacetValue): string {
  return facet === "manufacturer" ? label : value;
}
