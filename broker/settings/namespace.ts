/** Of a system that has its servers to itself. */
export const DEFAULT_NAMESPACE = "partline";

/** Prefix of a system's index names; none by default, so that they are the specification's. */
export function indexPrefixOf(namespace: string): string {
  return namespace === DEFAULT_NAMESPACE ? "" : `${namespace.toLowerCase().replace(/[^a-z0-9_]+/g, "_")}_`;
}
