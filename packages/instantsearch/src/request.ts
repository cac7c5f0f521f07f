import { getAt } from "@partline/toolkit";
import { type InferRules, type Rule, type Rules, compileRules } from "@partline/api-contracts";
import { createFieldError, createValidationError } from "./refusal.ts";
import { isPercentEncoded, isSafeText } from "@partline/parts-language";
import { type Sort, MAX_DEPTH } from "@partline/parts-search";
import { parseFacetFilters, parseFilters, parseNumericFilters } from "./filters.ts";
import {
  FACET_PARAMETERS,
  HIGHLIGHTED_ATTRIBUTES,
  HIT_ATTRIBUTES,
  MOST_PARAMETERS,
  ONLY_EMPTY,
  ONLY_OFF,
  PARAMETERS,
} from "./rules.ts";

/** The index and its replicas, which sort the same parts. */
export const INDEXES: Readonly<Record<string, Sort>> = {
  parts: "relevance",
  parts_price_asc: "price_asc",
  parts_price_desc: "price_desc",
  parts_newest: "newest",
};

export type InstantSearchRequest = ReturnType<typeof readRequest>;

const OFF = new Set<unknown>([false, "false", 0, "0"]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param path of the request in error messages: `requests[0]`, or nothing if it is the whole body
 * @throws VALIDATION_FAILED naming an unsupported or wrong parameter
 */
export function readRequest(request: Fields, path: string) {
  const { indexName, type, ...rest } = request;
  const fields = readParameters(rest, path);
  if (typeof indexName !== "string" || !Object.hasOwn(INDEXES, indexName)) {
    throw createFieldError(joinPath(path, "indexName"), `must be one of: ${Object.keys(INDEXES).join(", ")}`);
  }
  if (type !== undefined && type !== "default" && type !== "facet")
    throw createFieldError(joinPath(path, "type"), "must be default or facet");

  const supported = omitUnsupported(fields, path);
  const { facetName, ...otherFields } = supported;
  const facetSearch = type === "facet" ? facetSearchIn({ facet: facetName, ...otherFields }, path) : undefined;
  const readField = facetSearch ?? searchIn(supported, path);
  if ((readField.page + 1) * readField.hitsPerPage > MAX_DEPTH)
    throw createFieldError(joinPath(path, "page"), `must not go deeper than ${MAX_DEPTH} hits`);
  const {
    facets = [],
    attributesToRetrieve = HIT_ATTRIBUTES,
    attributesToHighlight = HIGHLIGHTED_ATTRIBUTES,
  } = readField;
  return {
    ...readField,
    facets,
    attributesToRetrieve,
    attributesToHighlight,
    index: indexName,
    sort: INDEXES[indexName]!,
    /** All groups must be met, each by any of its terms. */
    filters: [
      ...parseFacetFilters(readField.facetFilters ?? [], joinPath(path, "facetFilters")),
      ...parseNumericFilters(readField.numericFilters ?? [], joinPath(path, "numericFilters")),
      ...parseFilters(readField.filters ?? "", joinPath(path, "filters")),
    ],
    preTag: readField.highlightPreTag,
    postTag: readField.highlightPostTag,
    /** A search in the values of a facet instead of parts. */
    facetSearch,
    /** The parameters as they came, URL-encoded. */
    params: new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    ).toString(),
  };
}

const searchIn = createReader(PARAMETERS);
const facetSearchIn = createReader({ ...PARAMETERS, ...FACET_PARAMETERS });

/** Returns a reader of parameters, which may be texts of a URL. @throws VALIDATION_FAILED naming the first wrong one */
function createReader<R extends Rules>(knownRules: R): (fields: Fields, path: string) => InferRules<R> {
  const check = compileRules(knownRules, { objectStrict: "The '{field}' field is not supported." });
  return (fields, path) => {
    const decodedFields = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, decodeValue(knownRules[name], value)]),
    );
    const problems = check(decodedFields);
    if (problems === true) return decodedFields as InferRules<R>;
    const { field, message = "" } = getAt(problems, 0);
    // A list is named, not its item.
    const name = joinPath(path, field.replace(/\[\d+\]$/, ""));
    throw createValidationError({ field: name, message: message.replace(`'${field}'`, `'${name}'`) });
  };
}

/** A list may be names joined by commas; `*` is all. */
function decodeValue(rule: Rule | undefined, value: unknown): unknown {
  if (rule?.type === "number") return typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (rule?.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (rule?.type !== "array") return value;
  const list: unknown = typeof value === "string" ? value.split(",").filter((entry) => entry !== "") : value;
  const isAll = Array.isArray(list) && list.includes("*");
  return isAll && rule.items.type === "enum" ? [...rule.items.values] : list;
}

/** @throws VALIDATION_FAILED when an unsupported parameter asks for something */
function omitUnsupported(fields: Fields, path: string): Fields {
  const isSupported = ([name, value]: [string, unknown]): boolean => {
    const mayBe = ONLY_OFF.includes(name) ? "off" : ONLY_EMPTY.includes(name) ? "empty" : undefined;
    if (mayBe === undefined) return true;
    const isNothing = mayBe === "off" ? OFF.has(value) : value === "" || (Array.isArray(value) && value.length === 0);
    if (!isNothing) throw createFieldError(joinPath(path, name), `is not supported, and may only be ${mayBe}`);
    return false;
  };
  return Object.fromEntries(Object.entries(fields).filter(isSupported));
}

/** Parameters are beside the index name or under `params`, possibly URL-encoded. Null counts as absent. */
function readParameters({ params, ...topLevelFields }: Fields, path: string): Fields {
  if (params === undefined || params === null) return omitNulls(topLevelFields, path);
  if (typeof params === "string") {
    if (!isPercentEncoded(params)) throw createFieldError(joinPath(path, "params"), "must be percent-encoded UTF-8");
    const encoded: Record<string, unknown> = {};
    for (const [name, value] of new URLSearchParams(params)) {
      if (Object.hasOwn(encoded, name))
        throw createFieldError(joinPath(path, `params.${name.slice(0, 100)}`), "must be given once");
      const decoded = decode(value);
      if (!isSafeText(name) || !isSafe(decoded))
        throw createFieldError(joinPath(path, "params"), "must not contain null characters or broken Unicode");
      Object.defineProperty(encoded, name, { value: decoded, enumerable: true });
    }
    return omitNulls({ ...topLevelFields, ...encoded }, path);
  }
  if (typeof params !== "object" || Array.isArray(params))
    throw createFieldError(joinPath(path, "params"), "must be an object or a URL-encoded string");
  return omitNulls({ ...topLevelFields, ...params }, path);
}

function omitNulls(fields: Fields, path: string): Fields {
  const entries = Object.entries(fields);
  if (entries.length > MOST_PARAMETERS)
    throw createFieldError(joinPath(path, "params"), `must have at most ${MOST_PARAMETERS} parameters`);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** Decodes a URL-encoded string: lists are JSON, everything else is text. */
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
export function omitClientHeaders(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith("x-algolia-")));
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
