import { validationFailed } from "../../../mixins/errors.ts";
import { foldName } from "../../../mixins/fold.ts";
import type { PartStatus, SearchQuery } from "../../../mixins/search-index/port.ts";
import type { Term } from "./filters.ts";
import type { InstantSearchRequest } from "./request.ts";

/**
 * The index's query for a request, or undefined when its filters contradict each other: a part has one manufacturer, one
 * category, one status and one price, so two filters of one of them are met by what both name.
 * @throws VALIDATION_FAILED for both statuses at once, which no query can ask for
 */
export function toIndexQuery(request: InstantSearchRequest, path: string): SearchQuery | undefined {
  const { filters, page, hitsPerPage, query, sort, facetSearch } = request;
  const categories = valuesOf(filters, "category");
  const manufacturers = valuesOf(filters, "manufacturer");
  const statuses = valuesOf(filters, "status");
  const price = priceOf(filters);
  if ([categories, manufacturers, statuses].some((values) => values?.length === 0) || (price && price.min > price.max)) return undefined;
  return {
    q: query,
    categories: categories ?? [],
    manufacturers: manufacturers ?? [],
    ...(price ? { minPrice: price.min, maxPrice: price.max } : {}),
    status: statusOf(statuses, path),
    sort,
    offset: page * hitsPerPage,
    limit: facetSearch ? 0 : hitsPerPage,
  };
}

/** The values that every group of an attribute names, in the spelling of the first; undefined without a filter on it. */
export function valuesOf(filters: readonly Term[][], attribute: "manufacturer" | "category" | "status"): string[] | undefined {
  const groups = filters.map((group) => group.flatMap((term) => (term.attribute === attribute ? [term.value] : []))).filter((group) => group.length > 0);
  const [first, ...others] = groups;
  return first?.filter((value) => others.every((group) => group.some((other) => foldName(other) === foldName(value))));
}

function priceOf(filters: readonly Term[][]): { min: number; max: number } | undefined {
  const ranges = filters.flatMap((group) => group.flatMap((term) => (term.attribute === "price" ? [term] : [])));
  if (ranges.length === 0) return undefined;
  return { min: Math.max(...ranges.map(({ min }) => min)), max: Math.min(...ranges.map(({ max }) => max)) };
}

function statusOf(values: string[] | undefined, path: string): PartStatus {
  const [status, ...others] = new Set((values ?? ["active"]).map((value) => value.toLowerCase()));
  if (others.length > 0 || (status !== "active" && status !== "discontinued")) {
    throw validationFailed({ field: path, message: `The '${path}' field must filter status by active or by discontinued.` });
  }
  return status;
}
