import type { SearchSearchParams } from "@partline/client";

/** Facets that the page offers, by the API's names. */
export const FACET_FIELDS = ["category", "manufacturer", "machine", "tireSize", "tireRim", "tirePly"] as const;
export const SORTS = ["relevance", "price_asc", "price_desc", "newest"] as const;
/** How results are listed. */
export const VIEWS = ["rows", "tiles"] as const;
export type View = (typeof VIEWS)[number];
/** What filters set; the rest is kept when they are set again. */
const PLAIN_FILTERS = ["equipment", "minPrice", "maxPrice", "inStock"] as const;
const PLAIN_FIELDS = ["q", ...PLAIN_FILTERS, "sort", "view"] as const;
const PAGE_SIZE = 20;
/** The API answers the first 10,000 hits. */
const LAST_PAGE = 10_000 / PAGE_SIZE;

/** What the API is asked for an address of this page; what makes no sense there is left out. */
export function readSearch(query: URLSearchParams): SearchSearchParams {
  const lists = Object.fromEntries(
    FACET_FIELDS.flatMap((field) => {
      const values = query.getAll(field).filter((value) => value !== "");
      return values.length > 0 ? [[field, values]] : [];
    }),
  );
  const page = Math.min(Math.max(1, Math.floor(numberIn(query, "page") ?? 1)), LAST_PAGE);
  return {
    ...lists,
    q: query.get("q")?.trim() || undefined,
    equipment: query.get("equipment")?.trim() || undefined,
    ...(pricesCross(query) ? {} : pricesIn(query)),
    inStock: query.get("inStock") === "true" ? true : undefined,
    sort: SORTS.find((sort) => sort === query.get("sort")),
    page,
    limit: PAGE_SIZE,
  };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  const value = Number(text ?? NaN);
  return text !== null && text !== "" && value >= 0 ? value : undefined;
}

export function pricesIn(query: URLSearchParams) {
  return { minPrice: numberIn(query, "minPrice"), maxPrice: numberIn(query, "maxPrice") };
}

/** Whether no price is within the bounds: the API is asked without them. */
export function pricesCross(query: URLSearchParams): boolean {
  const { minPrice = 0, maxPrice = Infinity } = pricesIn(query);
  return minPrice > maxPrice;
}

/** Whether the search is narrowed by price. */
export function hasPrice(query: URLSearchParams): boolean {
  return Object.values(pricesIn(query)).some((price) => price !== undefined);
}

/** Returns how the address wants results listed, or else what the shopper chose earlier. */
export function findView(query: URLSearchParams, lastView: View): View {
  return VIEWS.find((view) => view === query.get("view")) ?? lastView;
}

/** The same search with a facet's value added, or without it if it has it; from its first page. */
export function toggled(query: URLSearchParams, field: string, value: string): string {
  const next = keepFields(query);
  const rest = next.getAll(field).filter((entry) => entry !== value);
  const isNew = rest.length === next.getAll(field).length;
  next.delete(field);
  for (const entry of isNew ? [...rest, value] : rest) next.append(field, entry);
  return toAddress(next);
}

/** The same search with these fields in place of what they were; undefined removes one. */
export function changed(query: URLSearchParams, fields: Readonly<Record<string, string | undefined>>): string {
  const next = keepFields(query);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return toAddress(next);
}

/** The same search without any filter. */
export function dropFilters(query: URLSearchParams): URLSearchParams {
  const filters: readonly string[] = [...FACET_FIELDS, ...PLAIN_FILTERS];
  return new URLSearchParams([...keepFields(query)].filter(([name]) => !filters.includes(name)));
}

export function toAddress(query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? "/search" : `/search?${text}`;
}

/** Without the page, and without fields of others. */
function keepFields(query: URLSearchParams): URLSearchParams {
  const knownFields: readonly string[] = [...FACET_FIELDS, ...PLAIN_FIELDS];
  return new URLSearchParams([...query].filter(([name, value]) => knownFields.includes(name) && value !== ""));
}
