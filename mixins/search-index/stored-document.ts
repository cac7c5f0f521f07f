import type { IndexDocument } from "./port.ts";

/** Returns an index document from its JSON value. */
export function reviveDocument(value: unknown): IndexDocument {
  const document = value as Omit<IndexDocument, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };
  return { ...document, createdAt: new Date(document.createdAt), updatedAt: new Date(document.updatedAt) };
}
