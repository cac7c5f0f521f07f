import type { Highlighted } from "./highlight.ts";
import type { BEYOND_HITS, HitDocument, IndexDocument } from "./port.ts";

type Stored = Omit<IndexDocument, "createdAt" | "updatedAt"> & { createdAt: string; updatedAt: string };

/** An index document as JSON: what hits have of it, and the rest. */
export interface StoredDocument {
  /** Begins with what is highlighted; a tab, which is a blank in JSON, is behind it. */
  hit: string;
  rest: string;
}

export function storedDocument(document: IndexDocument): StoredDocument {
  return {
    hit: `${JSON.stringify(highlightedPart(document)).slice(0, -1)}\t,${JSON.stringify(shownPart(document)).slice(1)}`,
    rest: JSON.stringify(restOf(document)),
  };
}

/** Each field of `T`: one that is missing is undefined, which JSON leaves out. */
type Whole<T> = { [name in keyof Required<T>]: T[name] };

// Spelled out: to pick fields by their names takes three times as long, a tenth of a build.
function highlightedPart({ title, partNumber, pnNorm, skuVariants, manufacturer }: IndexDocument): Highlighted {
  return { title, partNumber, pnNorm, skuVariants, manufacturer };
}

function shownPart(document: IndexDocument): Whole<Omit<HitDocument, keyof Highlighted>> {
  return {
    id: document.id,
    slug: document.slug,
    sku: document.sku,
    vendorName: document.vendorName,
    vendorAliases: document.vendorAliases,
    category: document.category,
    price: document.price,
    imageUrl: document.imageUrl,
    status: document.status,
    availability: document.availability,
    supersededBy: document.supersededBy,
    weightGrams: document.weightGrams,
    hazmat: document.hazmat,
    oversize: document.oversize,
  };
}

function restOf(document: IndexDocument): Whole<Pick<IndexDocument, (typeof BEYOND_HITS)[number]>> {
  const { description, kind, media, sources, attributes, createdAt, updatedAt, isTire } = document;
  return { description, kind, media, sources, attributes, createdAt, updatedAt, isTire };
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
