/** Of a system that has its servers to itself. */
export const DEFAULT_NAMESPACE = "partline";

/**
 * Of the names of a system's indexes. None for one that has its servers to itself, so that they are the
 * specification's.
 */
export function indexPrefixOf(namespace: string): string {
  return namespace === DEFAULT_NAMESPACE ? "" : `${namespace.toLowerCase().replace(/[^a-z0-9_]+/g, "_")}_`;
}
