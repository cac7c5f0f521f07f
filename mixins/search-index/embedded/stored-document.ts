import type { IndexDocument } from "../port.ts";

/** Returns a document from the JSON of the index file. */
export function reviveDocument(json: string): IndexDocument {
  const document = JSON.parse(json) as Omit<IndexDocument, "createdAt"> & { createdAt: string };
  return { ...document, createdAt: new Date(document.createdAt) };
}
