import type { PartlineError } from "../../../mixins/errors.ts";
import { isPercentEncoded, isSafeText } from "../../../mixins/safe-text.ts";
import type { Sort } from "../../../mixins/search-index/port.ts";
import { MAX_DEPTH, MOST_PARAMETERS } from "../limits.ts";
import { ONLY_EMPTY, ONLY_OFF } from "./rules.ts";
import { parseFacetFilters, parseFilters, parseNumericFilters, refuse, type Term } from "./filters.ts";

const FACET_ATTRIBUTES = ["manufacturer", "category", "price"] as const;
export type FacetAttribute = (typeof FACET_ATTRIBUTES)[number];

/** The index and its replicas, which sort the same parts. */
export const INDEXES: Readonly<Record<string, Sort>> = {
  parts: "relevance",
  parts_price_asc: "price_asc",
  parts_price_desc: "price_desc",
  parts_newest: "newest",
};

export const HIT_ATTRIBUTES = [
  "objectID",
  "id",
  "productId",
  "slug",
  "sku",
  "partNumber",
  "title",
  "manufacturer",
  "category",
  "price",
  "unitPrice",
  "currency",
  "imageUrl",
  "availability",
  "status",
  "supersededBy",
] as const;
const HIGHLIGHTED_ATTRIBUTES = ["partNumber", "title"] as const;
export type HighlightedAttribute = (typeof HIGHLIGHTED_ATTRIBUTES)[number];

export interface InstantSearchRequest {
  index: string;
  sort: Sort;
  query: string;
  page: number;
  hitsPerPage: number;
  facets: FacetAttribute[];
  maxValuesPerFacet: number;
  sortFacetValuesBy: "count" | "alpha";
  /** All groups must be met, each by any of its terms. */
  filters: Term[][];
  preTag: string;
  postTag: string;
  attributesToRetrieve: readonly string[];
  attributesToHighlight: readonly HighlightedAttribute[];
  analytics: boolean;
  /** A search in the values of a facet instead of parts. */
  facetSearch?: { facet: "manufacturer" | "category"; facetQuery: string; maxFacetHits: number };
  /** The parameters as they came, URL-encoded. */
  params: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param path of the request in error messages: `requests[0]`, or nothing if it is the whole body
 * @throws VALIDATION_FAILED naming an unsupported or wrong parameter
 */
export function readRequest(request: Fields, path: string): InstantSearchRequest {
  const { indexName, type, ...rest } = request;
  const fields = parametersOf(rest, path);
  const read = new ParameterReader(fields, path);
  if (typeof indexName !== "string" || !Object.hasOwn(INDEXES, indexName)) {
    throw refuse(fieldOf(path, "indexName"), `must be one of: ${Object.keys(INDEXES).join(", ")}`);
  }
  if (type !== undefined && type !== "default" && type !== "facet")
    throw refuse(fieldOf(path, "type"), "must be default or facet");

  const result: InstantSearchRequest = {
    index: indexName,
    sort: INDEXES[indexName]!,
    query: read.text("query", 512, ""),
    page: read.integer("page", 0, MAX_DEPTH, 0),
    hitsPerPage: read.integer("hitsPerPage", 0, 100, 20),
    facets: read.names("facets", FACET_ATTRIBUTES, []),
    maxValuesPerFacet: read.integer("maxValuesPerFacet", 1, 100, 10),
    sortFacetValuesBy: read.oneOf("sortFacetValuesBy", ["count", "alpha"], "count"),
    filters: [
      ...read.parsed("facetFilters", parseFacetFilters),
      ...read.parsed("numericFilters", parseNumericFilters),
      ...read.parsed("filters", parseFilters),
    ],
    preTag: read.text("highlightPreTag", 100, "<em>"),
    postTag: read.text("highlightPostTag", 100, "</em>"),
    attributesToRetrieve: read.names("attributesToRetrieve", HIT_ATTRIBUTES, HIT_ATTRIBUTES),
    attributesToHighlight: read.names("attributesToHighlight", HIGHLIGHTED_ATTRIBUTES, HIGHLIGHTED_ATTRIBUTES),
    analytics: read.boolean("analytics", true),
    ...(type === "facet" ? { facetSearch: facetSearchOf(read, path) } : {}),
    params: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ).toString(),
  };
  read.refuseOthers();
  if ((result.page + 1) * result.hitsPerPage > MAX_DEPTH)
    throw refuse(fieldOf(path, "page"), `must not go deeper than ${MAX_DEPTH} hits`);
  return result;
}

function facetSearchOf(read: ParameterReader, path: string): InstantSearchRequest["facetSearch"] {
  const facet = read.text("facet", 100, read.text("facetName", 100, ""));
  if (facet !== "manufacturer" && facet !== "category")
    throw refuse(fieldOf(path, "facet"), "must be manufacturer or category");
  return {
    facet,
    facetQuery: read.text("facetQuery", 512, ""),
    maxFacetHits: read.integer("maxFacetHits", 1, 100, 10),
  };
}

/** Parameters are beside the index name or under `params`, possibly URL-encoded. Null counts as absent. */
function parametersOf({ params, ...beside }: Fields, path: string): Fields {
  if (params === undefined || params === null) return withoutNulls(beside, path);
  if (typeof params === "string") {
    if (!isPercentEncoded(params)) throw refuse(fieldOf(path, "params"), "must be percent-encoded UTF-8");
    const encoded: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(params)) {
      if (Object.hasOwn(encoded, name))
        throw refuse(fieldOf(path, `params.${name.slice(0, 100)}`), "must be given once");
      const decoded = decode(value);
      if (!isSafeText(name) || !isSafe(decoded))
        throw refuse(fieldOf(path, "params"), "must not contain null characters or broken Unicode");
      Object.defineProperty(encoded, name, { value: decoded, enumerable: true });
    }
    return withoutNulls({ ...beside, ...encoded }, path);
  }
  if (typeof params !== "object" || Array.isArray(params))
    throw refuse(fieldOf(path, "params"), "must be an object or a URL-encoded string");
  return withoutNulls({ ...beside, ...params }, path);
}

function withoutNulls(fields: Fields, path: string): Fields {
  const entries = Object.entries(fields);
  if (entries.length > MOST_PARAMETERS)
    throw refuse(fieldOf(path, "params"), `must have at most ${MOST_PARAMETERS} parameters`);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** In a URL-encoded string lists are JSON, everything else is text. */
function decode(text: string): unknown {
  if (!text.startsWith("[")) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isSafe(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isSafe) : typeof value !== "string" || isSafeText(value);
}

/** Removes the headers that a client may send as parameters. */
export function withoutClient(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith("x-algolia-")));
}

class ParameterReader {
  readonly #fields: Fields;
  readonly #path: string;
  readonly #known = new Set<string>();

  constructor(fields: Fields, path: string) {
    this.#fields = fields;
    this.#path = path;
  }

  text(name: string, max: number, fallback: string): string {
    return this.#read(name, fallback, (value) => {
      if (typeof value !== "string") throw this.#refuse(name, "must be a string");
      if (value.length > max) throw this.#refuse(name, `must be at most ${max} characters`);
      return value;
    });
  }

  integer(name: string, min: number, max: number, fallback: number): number {
    return this.#read(name, fallback, (value) => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isInteger(number) || number < min || number > max) {
        throw this.#refuse(name, `must be a whole number from ${min} to ${max}`);
      }
      return number;
    });
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.#read(name, fallback, (value) => {
      if (value === true || value === "true") return true;
      if (value === false || value === "false") return false;
      throw this.#refuse(name, "must be true or false");
    });
  }

  oneOf<const T extends string>(name: string, values: readonly T[], fallback: T): T {
    return this.#read(name, fallback, (value) => {
      const found = values.find((one) => one === value);
      if (found === undefined) throw this.#refuse(name, `must be one of: ${values.join(", ")}`);
      return found;
    });
  }

  /** A list of names, or one of them; `*` is all. */
  names<const T extends string>(name: string, values: readonly T[], fallback: readonly T[]): T[] {
    return this.#read(name, [...fallback], (value) => {
      const given: unknown[] = Array.isArray(value)
        ? value
        : typeof value === "string"
          ? value.split(",").filter((one) => one !== "")
          : [value];
      if (given.includes("*")) return [...values];
      return given.map((one) => {
        const found = values.find((known) => known === one);
        if (found === undefined) throw this.#refuse(name, `must name: ${values.join(", ")}, or *`);
        return found;
      });
    });
  }

  parsed(name: string, parse: (value: unknown, field: string) => Term[][]): Term[][] {
    return this.#read(name, [], (value) => parse(value, fieldOf(this.#path, name)));
  }

  /** A parameter that nobody read is refused, not ignored. */
  refuseOthers(): void {
    for (const name of ONLY_OFF) {
      this.#read(name, undefined, (value) => {
        if (value !== false && value !== "false" && value !== 0 && value !== "0")
          throw this.#refuse(name, "is not supported, and may only be off");
        return undefined;
      });
    }
    for (const name of ONLY_EMPTY) {
      this.#read(name, undefined, (value) => {
        if (!(Array.isArray(value) && value.length === 0) && value !== "")
          throw this.#refuse(name, "is not supported, and may only be empty");
        return undefined;
      });
    }
    const other = Object.keys(this.#fields).find((name) => !this.#known.has(name));
    if (other !== undefined) throw this.#refuse(other.slice(0, 100), "is not supported");
  }

  #read<T>(name: string, fallback: T, convert: (value: unknown) => T): T {
    this.#known.add(name);
    return Object.hasOwn(this.#fields, name) ? convert(this.#fields[name]) : fallback;
  }

  #refuse(name: string, why: string): PartlineError {
    return refuse(fieldOf(this.#path, name), why);
  }
}

function fieldOf(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
