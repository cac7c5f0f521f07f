import type { Result } from "@partline/api-contracts";
import type { IndexStatus } from "@partline/parts-search";
import type { Actions } from "../contracts.ts";

type SearchHealth = Result<Actions["search.health"]>;

/** Compares index and catalog; the numbers of one that does not answer are null. */
export async function checkHealth(sources: {
  index(): Promise<IndexStatus>;
  loadCatalogStats(): Promise<{ total: number }>;
}): Promise<SearchHealth> {
  const [index, catalog] = await Promise.allSettled([sources.index(), sources.loadCatalogStats()]);
  const indexed = index.status === "fulfilled" ? index.value : undefined;
  const inIndex = indexed?.parts.documents ?? null;
  const inCatalog = catalog.status === "fulfilled" ? catalog.value.total : null;
  return {
    elasticsearch: index.status === "fulfilled" ? "ok" : "error",
    mongodb: catalog.status === "fulfilled" ? "ok" : "error",
    docCount_es: inIndex,
    docCount_api: inCatalog,
    delta: inIndex === null || inCatalog === null ? null : inCatalog - inIndex,
    aliasTarget: { parts: indexed?.parts.name ?? null, tires: indexed?.tires.name ?? null },
  };
}
