import { HIGHLIGHTED, type Highlighted } from "./highlight.ts";
import { BEYOND_HITS, type HitDocument, type IndexDocument } from "./port.ts";

type Stored = Omit<IndexDocument, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };

/** An index document as JSON: what hits have of it, and the rest. */
export interface StoredDocument {
  /** Begins with what is highlighted; a tab, which is a blank in JSON, is behind it. */
  hit: string;
  rest: string;
}

const OF_HITS = new Set<string>(HIGHLIGHTED);
const OF_REST = new Set<string>(BEYOND_HITS);

export function storedDocument(document: IndexDocument): StoredDocument {
  const [highlighted, hit, rest]: Record<string, unknown>[] = [{}, {}, {}];
  for (const [name, value] of Object.entries(document))
    (OF_HITS.has(name) ? highlighted : OF_REST.has(name) ? rest : hit)![name] = value;
  return {
    hit: `${JSON.stringify(highlighted).slice(0, -1)}\t,${JSON.stringify(hit).slice(1)}`,
    rest: JSON.stringify(rest),
  };
}

/** Reads what is highlighted out of a stored document's `hit`, a third of it. */
export function highlightedOf(hit: string): Highlighted {
  return JSON.parse(`${hit.slice(0, hit.indexOf("\t"))}}`) as Highlighted;
}

export function readHit(hit: string): HitDocument {
  return JSON.parse(hit) as HitDocument;
}

export function readDocument({ hit, rest }: StoredDocument): IndexDocument {
  return reviveDocument(Object.assign(JSON.parse(hit), JSON.parse(rest)));
}

/** Makes an index document of its JSON value. It is the same object. */
export function reviveDocument(value: unknown): IndexDocument {
  const document = value as Stored;
  return Object.assign(document, {
    createdAt: new Date(document.createdAt),
    updatedAt: new Date(document.updatedAt),
  });
}
