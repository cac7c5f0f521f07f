import { getAt } from "@partline/toolkit";
import { createNotFoundError, createValidationError } from "./refusal.ts";
import type { IndexDocument, SearchPage, SearchQuery } from "@partline/parts-search";
import type { Term } from "./filters.ts";
import { toIndexQuery } from "./query.ts";
import { INDEXES, readRequest } from "./request.ts";
import { NOTHING, toObject, toResult } from "./result.ts";
import { HIT_ATTRIBUTES, MAX_HITS } from "./rules.ts";

export interface InstantSearchDeps {
  find(query: SearchQuery): Promise<Pick<SearchPage, "hits" | "total" | "facets">>;
  /** Records searches for hits, not those that a front end sends for its facets. */
  recordSearch(query: SearchQuery, total: number, tookMs: number, result: { serializeHits: () => string }): void;
  /** Returns the code of a manufacturer that is named otherwise; other values as they are. */
  toCode(manufacturer: string): string;
}

/**
 * Answers the requests in order; a wrong one refuses all. @param toPath where a request is, for messages
 * @throws VALIDATION_FAILED naming the request and the parameter, or `requests` when they ask for too many hits
 * together
 */
export async function answerRequests(
  requests: readonly Record<string, unknown>[],
  deps: InstantSearchDeps,
  toPath = (index: number): string => `requests[${index}]`,
): Promise<Record<string, unknown>[]> {
  // Codes come before filters are compared: two names of one supplier do not contradict each other.
  const toCodedTerm = (term: Term): Term =>
    term.attribute === "manufacturer" ? { ...term, value: deps.toCode(term.value) } : term;
  const parsedRequests = requests.map((fields, index) => {
    const parsed = readRequest(fields, toPath(index));
    const request = { ...parsed, filters: parsed.filters.map((group) => group.map(toCodedTerm)) };
    return { request, query: toIndexQuery(request) };
  });
  const requestedHits = parsedRequests.reduce((sum, { query }) => sum + (query?.limit ?? 0), 0);
  if (requestedHits > MAX_HITS)
    throw createValidationError({
      field: "requests",
      message: `The 'requests' field must not ask for more than ${MAX_HITS} hits in all (hitsPerPage).`,
    });
  return Promise.all(
    parsedRequests.map(async ({ request, query }) => {
      const startedAt = performance.now();
      const page = query ? await deps.find(query) : NOTHING;
      const tookMs = performance.now() - startedAt;
      if (query && request.analytics && !request.facetSearch && request.hitsPerPage > 0)
        deps.recordSearch(query, page.total, tookMs, { serializeHits: () => JSON.stringify(page.hits) });
      return toResult(request, page, Math.round(tookMs));
    }),
  );
}

/** Answers a request that is the whole body. @throws VALIDATION_FAILED naming the parameter */
export async function answerRequest(
  fields: Record<string, unknown>,
  deps: InstantSearchDeps,
): Promise<Record<string, unknown>> {
  return getAt(await answerRequests([fields], deps, () => ""), 0);
}

export interface ObjectRequest {
  indexName: string;
  objectID: string;
  attributesToRetrieve?: readonly string[];
}

/** Returns the objects in the order of the requests, null for a missing one. @throws NOT_FOUND for an unknown index */
export async function findObjects(
  requests: readonly ObjectRequest[],
  get: (ids: string[]) => Promise<IndexDocument[]>,
): Promise<(Record<string, unknown> | null)[]> {
  for (const { indexName } of requests)
    if (!Object.hasOwn(INDEXES, indexName)) throw createNotFoundError("Index", indexName);
  const documents = await get([...new Set(requests.map(({ objectID }) => objectID.toLowerCase()))]);
  const documentsById = new Map(documents.map((document) => [document.id, document]));
  return requests.map(({ objectID, attributesToRetrieve: requestedAttributes = ["*"] }) => {
    const document = documentsById.get(objectID.toLowerCase());
    const attributes = requestedAttributes.includes("*")
      ? HIT_ATTRIBUTES
      : HIT_ATTRIBUTES.filter((name) => requestedAttributes.includes(name));
    return document ? toObject(document, attributes) : null;
  });
}
