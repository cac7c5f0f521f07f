import type { Params } from "@partline/api-contracts";
import { validationFailed } from "../../mixins/errors.ts";
import { parseTireSize, toCents } from "@partline/parts-language";
import { writeSizes } from "@partline/parts-language/words";
import { type Attribute, ATTRIBUTES, type PartKey, type SearchQuery, MAX_DEPTH } from "@partline/parts-search";
import type { searchContract } from "./contract.ts";

type SearchParams = Params<(typeof searchContract)["actions"]["search"]>;
type FilterParams = Params<(typeof searchContract)["actions"]["filters"]>;

const DEFAULT_LIMIT = 20;

export type PartsOf = (equipment: string) => Promise<readonly PartKey[]>;

/**
 * Builds the filter of an equipment: what manuals list for it, and what fits these machines by the catalog. A form sends
 * an empty field for no filter.
 */
export async function toFits(
  equipment: string | undefined,
  partsOf: PartsOf,
  machines: readonly string[] = [],
): Promise<Pick<SearchQuery, "fits">> {
  if (equipment === undefined || equipment.trim() === "") return {};
  return { fits: { equipment, parts: await partsOf(equipment), machines } };
}

/** @throws VALIDATION_FAILED naming minPrice when it is above maxPrice, page when it is too deep */
export function toSearchQuery(params: SearchParams): { query: SearchQuery; page: number; pageSize: number } {
  const pageSize = params.limit ?? DEFAULT_LIMIT;
  const { page } = params;
  if (page * pageSize > MAX_DEPTH) {
    throw validationFailed({ field: "page", message: `The 'page' field must not go deeper than ${MAX_DEPTH} hits.` });
  }
  return {
    query: {
      ...toFilters(params),
      countsMachines: true,
      sort: params.sort,
      offset: (page - 1) * pageSize,
      limit: pageSize,
    },
    page,
    pageSize,
  };
}

export function toFacetQuery(params: FilterParams): SearchQuery {
  return { ...toFilters(params), countsMachines: true, sort: "relevance", offset: 0, limit: 0 };
}

/** Builds the query for active parts, the best first. */
export function toHitsQuery(q: string, limit: number): SearchQuery {
  return { ...toFilters({ q, status: "active" }), sort: "relevance", offset: 0, limit };
}

function toFilters(params: FilterParams): Omit<SearchQuery, "sort" | "offset" | "limit"> {
  const { q, category, manufacturer, minPrice, maxPrice, inStock, status } = params;
  if (minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice) {
    throw validationFailed({ field: "minPrice", message: "The 'minPrice' field must not be above 'maxPrice'." });
  }
  return {
    q: writeSizes(q ?? ""),
    // A form sends an empty filter for none.
    categories: (category ?? []).filter((value) => value.trim() !== ""),
    manufacturers: (manufacturer ?? []).filter((value) => value.trim() !== ""),
    ...(minPrice === undefined ? {} : { minPrice: toCents(minPrice) }),
    ...(maxPrice === undefined ? {} : { maxPrice: toCents(maxPrice) }),
    ...readAttributes(params),
    ...(inStock ? { availabilities: ["in_stock", "low_stock"] } : {}),
    status,
  };
}

function readAttributes(params: FilterParams): Pick<SearchQuery, "attributes"> {
  const filters = ATTRIBUTES.flatMap((attribute) => {
    const values = params[attribute]?.filter((value) => value.trim() !== "") ?? [];
    return values.length === 0 ? [] : [[attribute, values.flatMap((value) => expandValue(attribute, value))] as const];
  });
  return filters.length === 0 ? {} : { attributes: Object.fromEntries(filters) };
}

const NUMBERS: ReadonlySet<Attribute> = new Set(["tireRim", "tireWidth", "tirePly", "tireLoadIndex"]);

/** The values that a filter may mean: a size in any spelling, `8.50` for 8.5. */
function expandValue(attribute: Attribute, typed: string): string[] {
  if (NUMBERS.has(attribute) && /^\s*\d+(?:\.\d+)?\s*$/.test(typed)) return [String(Number(typed))];
  const size = attribute === "tireSize" ? parseTireSize(typed)?.size : undefined;
  if (size === undefined) return [typed];
  // Without a letter or dash for it, the construction is open: `460 85 38` is 460/85R38 as well.
  return /[rdb-]\s*[\d.]+\s*[a-z]*$/i.test(typed)
    ? [size]
    : ["-", "R", "D"].map((type) => size.replace(/-(?=[\d.]+$)/, type));
}
