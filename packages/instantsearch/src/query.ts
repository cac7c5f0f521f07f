import { type Availability, foldName } from "@partline/parts-language";
import { ATTRIBUTES, type SearchQuery } from "@partline/parts-search";
import type { Term, Valued } from "./filters.ts";
import type { InstantSearchRequest } from "./request.ts";

/**
 * Returns undefined if the filters contradict each other: a part has one manufacturer, category, status and price, so
 * two filters on one of them select what both name.
 */
export function toIndexQuery(request: InstantSearchRequest): SearchQuery | undefined {
  const { filters, page, hitsPerPage, query, sort, facetSearch } = request;
  const categories = listValues(filters, "category");
  const manufacturers = listValues(filters, "manufacturer");
  const statuses = listValues(filters, "status");
  const availabilities = listValues(filters, "availability") as Availability[] | undefined;
  const attributes = ATTRIBUTES.flatMap((attribute) => {
    const values = listValues(filters, attribute);
    return values === undefined ? [] : [[attribute, values] as const];
  });
  const price = findPriceRange(filters);
  if (
    [categories, manufacturers, availabilities, statuses, ...attributes.map(([, values]) => values)].some(
      (values) => values?.length === 0,
    ) ||
    (price && price.min > price.max)
  )
    return undefined;
  return {
    q: query,
    categories: categories ?? [],
    manufacturers: manufacturers ?? [],
    ...(availabilities ? { availabilities } : {}),
    ...(attributes.length > 0 ? { attributes: Object.fromEntries(attributes) } : {}),
    ...(price ? { minPrice: price.min, maxPrice: price.max } : {}),
    status: statuses?.[0] === "discontinued" ? "discontinued" : "active",
    sort,
    offset: page * hitsPerPage,
    limit: facetSearch ? 0 : hitsPerPage,
  };
}

/** The values that all groups of an attribute name, in the spelling of the first; undefined without a filter on it. */
export function listValues(filters: readonly Term[][], attribute: Valued): string[] | undefined {
  const groups = filters
    .map((group) => group.flatMap((term) => (term.attribute === attribute ? [term.value] : [])))
    .filter((group) => group.length > 0);
  const [first, ...otherGroups] = groups;
  return first?.filter((value) =>
    otherGroups.every((group) => group.some((otherValue) => foldName(otherValue) === foldName(value))),
  );
}

function findPriceRange(filters: readonly Term[][]): { min: number; max: number } | undefined {
  const ranges = filters.flatMap((group) => group.flatMap((term) => (term.attribute === "price" ? [term] : [])));
  if (ranges.length === 0) return undefined;
  return { min: Math.max(...ranges.map(({ min }) => min)), max: Math.min(...ranges.map(({ max }) => max)) };
}
