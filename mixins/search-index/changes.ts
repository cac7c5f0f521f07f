import type { IndexDocument, LogicalIndex } from "./port.ts";

export interface IndexChanges {
  put: IndexDocument[];
  /** Ids of documents that do not belong in the index. */
  removed: string[];
}

/** If a document comes twice, the last one counts. */
export function changesOf(documents: readonly IndexDocument[], index: LogicalIndex): IndexChanges {
  const last = [...new Map(documents.map((document) => [document.id, document])).values()];
  if (index === "parts") return { put: last, removed: [] };
  return {
    put: last.filter(({ isTire }) => isTire),
    removed: last.filter(({ isTire }) => !isTire).map(({ id }) => id),
  };
}
