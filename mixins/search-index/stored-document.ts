import type { IndexDocument } from "./port.ts";

type Stored = Omit<IndexDocument, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };

/** Makes an index document of its JSON value. It is the same object: a search does this for each hit. */
export function reviveDocument(value: unknown): IndexDocument {
  const document = value as Stored;
  return Object.assign(document, {
    createdAt: new Date(document.createdAt),
    updatedAt: new Date(document.updatedAt),
  });
}
