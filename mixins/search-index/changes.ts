import type { IndexDocument, LogicalIndex } from "./port.ts";

/** What a batch changes in an index. */
export interface IndexChanges {
  put: IndexDocument[];
  /** Ids of documents that do not belong in it (any more). */
  removed: string[];
}

/** Of a document that comes twice the last counts. */
export function changesOf(documents: readonly IndexDocument[], index: LogicalIndex): IndexChanges {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()];
  if (index === "parts") return { put: last, removed: [] };
  return {
    put: last.filter(({ isTire }) => isTire),
    removed: last.filter(({ isTire }) => !isTire).map(({ id }) => id),
  };
}
