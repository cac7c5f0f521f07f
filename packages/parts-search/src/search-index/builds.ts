import { SearchIndexError, type LogicalIndex } from "./port.ts";
import type { IndexDocument } from "./index-document.ts";

/** Writes and builds, which are the same in both engines. */

export interface IndexChanges {
  put: IndexDocument[];
  /** Ids of documents that do not belong in the index. */
  removed: string[];
}

/** Converts documents to changes. If a document comes twice, the last one counts. */
export function toChanges(documents: readonly IndexDocument[], index: LogicalIndex): IndexChanges {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()];
  const isMember = ({ isHidden, isTire }: IndexDocument): boolean => !isHidden && (index === "parts" || isTire);
  return {
    put: last.filter(isMember),
    removed: last.filter((document) => !isMember(document)).map(({ id }) => id),
  };
}

/** A build with a smaller share of the live index's documents is a mistake. */
const LEAST_SHARE = 0.5;

/** @throws BUILD_REFUSED as `publish` of a build does */
export function assertBuilt(
  name: string,
  documents: number,
  { expected = documents, live, force = false }: { expected?: number | undefined; live: number; force?: boolean },
): void {
  if (documents !== expected) throw createRefused(`${name} holds ${documents} documents and was to hold ${expected}`);
  if (!force && documents < live * LEAST_SHARE)
    throw createRefused(`${name} holds ${documents} documents, the live index ${live}`);
}

export function buildIsOver(): SearchIndexError {
  return createRefused("The build is over");
}

export function createRefused(message: string): SearchIndexError {
  return new SearchIndexError("BUILD_REFUSED", message);
}

export function buildNeeded(reason: string): SearchIndexError {
  return new SearchIndexError("BUILD_NEEDED", `The search index must be rebuilt: ${reason}`);
}

export function createNothingOlder(name: string): SearchIndexError {
  return new SearchIndexError("NOTHING_TO_ROLL_BACK", `No index older than ${name} is kept`);
}
