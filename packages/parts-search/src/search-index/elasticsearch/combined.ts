import type { estypes } from "@elastic/elasticsearch";

export type Query = estypes.QueryDslQueryContainer;

export const NOTHING: Query = { match_none: {} };

/** The server parses each query: what is sent is kept short. */
export function joinAny(queries: readonly Query[]): Query {
  const met = queries.filter((query) => !isNothing(query));
  if (met.length === 0) return NOTHING;
  return met.length === 1 ? met[0]! : { bool: { should: met } };
}

export function joinEvery(queries: Query[]): Query {
  return queries.some(isNothing) ? NOTHING : { bool: { filter: queries } };
}

export function isNothing(query: Query): boolean {
  return query?.match_none !== undefined;
}
