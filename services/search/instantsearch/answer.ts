import { validationFailed } from "../../../mixins/errors.ts";
import type { SearchPage, SearchQuery } from "../../../mixins/search-index/port.ts";
import { MAX_HITS } from "../limits.ts";
import type { Shown } from "../performed.ts";
import type { SupplierCoder } from "../routing.ts";
import type { Term } from "./filters.ts";
import { toIndexQuery } from "./query.ts";
import { readRequest } from "./request.ts";
import { NOTHING, toResult } from "./result.ts";

export interface InstantSearchDeps {
  find(query: SearchQuery): Promise<SearchPage>;
  /** Records searches for hits, not those that a front end sends for its facets. */
  performed(query: SearchQuery, found: number, tookMs: number, shown: Shown): void;
  toCode: SupplierCoder;
}

/**
 * Answers the requests in order; a wrong one refuses all.
 * @throws VALIDATION_FAILED naming the request and the parameter, or `requests` when they ask for too many hits
 * together
 */
export async function answerRequests(
  requests: readonly Record<string, unknown>[],
  deps: InstantSearchDeps,
): Promise<Record<string, unknown>[]> {
  return answerAll(
    requests.map((fields, index) => ({ fields, path: `requests[${index}]` })),
    deps,
  );
}

/** Answers a request that is the whole body. @throws VALIDATION_FAILED naming the parameter */
export async function answerRequest(
  fields: Record<string, unknown>,
  deps: InstantSearchDeps,
): Promise<Record<string, unknown>> {
  const [result] = await answerAll([{ fields, path: "" }], deps);
  return result!;
}

async function answerAll(
  requests: readonly { fields: Record<string, unknown>; path: string }[],
  deps: InstantSearchDeps,
): Promise<Record<string, unknown>[]> {
  // Codes come before filters are compared: two names of one supplier do not contradict each other.
  const coded = (term: Term): Term =>
    term.attribute === "manufacturer" ? { ...term, value: deps.toCode(term.value) } : term;
  const read = requests.map(({ fields, path }) => {
    const asked = readRequest(fields, path);
    const request = { ...asked, filters: asked.filters.map((group) => group.map(coded)) };
    return { request, query: toIndexQuery(request) };
  });
  const asked = read.reduce((sum, { query }) => sum + (query?.limit ?? 0), 0);
  if (asked > MAX_HITS)
    throw validationFailed({
      field: "requests",
      message: `The 'requests' field must not ask for more than ${MAX_HITS} hits in all (hitsPerPage).`,
    });
  return Promise.all(
    read.map(async ({ request, query }) => {
      const startedAt = performance.now();
      const page = query ? await deps.find(query) : NOTHING;
      const tookMs = performance.now() - startedAt;
      if (query && request.analytics && !request.facetSearch && request.hitsPerPage > 0)
        deps.performed(query, page.total, tookMs, { parts: () => JSON.stringify(page.hits) });
      return toResult(request, page, Math.round(tookMs));
    }),
  );
}
