import type { HitDocument, BEYOND_HITS, IndexDocument } from "./index-document.ts";
import { presentPart, type ShownPart } from "./shown.ts";

type Dates = "createdAt" | "updatedAt";
/** Dates are epoch milliseconds, or texts as `JSON.stringify` writes them. */
type StoredFields = Omit<IndexDocument, Dates> & Record<Dates, number | string>;

/** An index document as JSON: what hits have of it, and the rest. */
export interface StoredDocument {
  /** Hit as lists show it, ready to be sent except for the last brace; a tab; the fields that hits have beside it. */
  hit: string;
  rest: string;
}

export function toStoredDocument(document: IndexDocument): StoredDocument {
  return {
    hit: `${JSON.stringify(presentPart(document)).slice(0, -1)}\t${JSON.stringify(selectUnshown(document))}`,
    rest: JSON.stringify(selectRest(document)),
  };
}

/** Each field of `T`: one that is missing is undefined, which JSON leaves out. */
type Complete<T> = { [name in keyof Required<T>]: T[name] };

// Spelled out: to pick fields by their names takes three times as long, a tenth of a build.
function selectUnshown({ pnNorm, skuVariants, vendorName, vendorAliases, price }: IndexDocument) {
  return { pnNorm, skuVariants, vendorName, vendorAliases, price };
}

// Dates as JSON writes them take longer than all the rest.
function selectRest(document: IndexDocument): Complete<Pick<StoredFields, (typeof BEYOND_HITS)[number]>> {
  const { description, kind, media, sources, attributes, createdAt, updatedAt, isTire } = document;
  return {
    description,
    kind,
    media,
    sources,
    attributes,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
    isTire,
  };
}

/** Returns the part of a stored document's `hit` that lists show, without the last brace. */
export function getShownText(hit: string): string {
  return hit.slice(0, hit.indexOf("\t"));
}

const [TITLE, BEHIND_TITLE] = [',"title":"', '","manufacturer":'];

export function readTitle(hit: string): string {
  // Inside of a text these would be escaped.
  const start = hit.indexOf(TITLE) + TITLE.length;
  const title = hit.slice(start, hit.indexOf(BEHIND_TITLE, start));
  return title.includes("\\") ? (JSON.parse(`"${title}"`) as string) : title;
}

export function readHit(hit: string): HitDocument {
  const tab = hit.indexOf("\t");
  const partShown = JSON.parse(`${hit.slice(0, tab)}}`) as ShownPart;
  const { pnNorm, skuVariants, vendorName, vendorAliases, price } = JSON.parse(hit.slice(tab + 1)) as ReturnType<
    typeof selectUnshown
  >;
  const { supersededBy, weightGrams, hazmat, oversize, fits } = partShown;
  return {
    id: partShown.id,
    slug: partShown.slug,
    sku: partShown.sku,
    skuVariants,
    partNumber: partShown.partNumber,
    pnNorm,
    title: partShown.title,
    manufacturer: partShown.manufacturer,
    vendorName,
    vendorAliases,
    category: partShown.category,
    price,
    imageUrl: partShown.imageUrl,
    status: partShown.status,
    availability: partShown.availability,
    ...(supersededBy === null ? {} : { supersededBy }),
    weightGrams,
    hazmat,
    oversize,
    ...(fits === undefined ? {} : { fits }),
  };
}

export function readDocument({ hit, rest }: StoredDocument): IndexDocument {
  return reviveDocument(Object.assign(readHit(hit), JSON.parse(rest)));
}

/** Makes an index document of its JSON value. It is the same object. */
export function reviveDocument(value: unknown): IndexDocument {
  const document = value as StoredFields;
  return Object.assign(document, {
    createdAt: new Date(document.createdAt),
    updatedAt: new Date(document.updatedAt),
  });
}
