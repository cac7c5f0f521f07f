import type { Result } from "../../broker/contract/define.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { type IndexStatus, SearchIndexError, type SearchIndexErrorCode } from "../../mixins/search-index/port.ts";
import { withinTime } from "../../mixins/within-time.ts";
import type { Actions } from "../contracts.ts";

/** Longest wait for the index, milliseconds: less than the broker's limit of a call. */
const LONGEST_WAIT = 5_000;

export function hasIndexCode(error: unknown, code: SearchIndexErrorCode): boolean {
  return error instanceof SearchIndexError && error.code === code;
}

/** @throws SERVICE_UNAVAILABLE when the index cannot answer, or not in time */
export async function answerInTime<T>(answer: Promise<T>, milliseconds = LONGEST_WAIT): Promise<T> {
  const late = (): never => {
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index did not answer in time");
  };
  try {
    return await withinTime(answer, milliseconds, late);
  } catch (error) {
    if (!hasIndexCode(error, "UNAVAILABLE") && !hasIndexCode(error, "BUILD_NEEDED")) throw error;
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index does not answer", undefined, { cause: error });
  }
}

type SearchHealth = Result<Actions["search.health"]>;

/** Compares index and catalog; the numbers of one that does not answer are null. */
export async function healthOf(sources: {
  index(): Promise<IndexStatus>;
  catalog(): Promise<{ total: number }>;
}): Promise<SearchHealth> {
  const [index, catalog] = await Promise.allSettled([sources.index(), sources.catalog()]);
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

/** Moleculer's error types of a service that no node offers (yet). */
export function isAbsent(error: unknown): boolean {
  const type = error instanceof Error && "type" in error ? error.type : undefined;
  return type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE";
}
