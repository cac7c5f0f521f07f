import { SearchIndexError } from "./port.ts";

/** A build with a smaller share of the live index's documents is a mistake. */
const LEAST_SHARE = 0.5;

/** @throws BUILD_REFUSED as `publish` of a build does */
export function assertBuilt(
  name: string,
  documents: number,
  { expected = documents, live, force = false }: { expected?: number | undefined; live: number; force?: boolean },
): void {
  if (documents !== expected) throw refused(`${name} holds ${documents} documents and was to hold ${expected}`);
  if (!force && documents < live * LEAST_SHARE)
    throw refused(`${name} holds ${documents} documents, the live index ${live}`);
}

export function buildIsOver(): SearchIndexError {
  return refused("The build is over");
}

export function refused(message: string): SearchIndexError {
  return new SearchIndexError("BUILD_REFUSED", message);
}
