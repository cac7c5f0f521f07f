import type { Attribute } from "./attributes.ts";
import type { Cents } from "@partline/parts-language";
import type { HitDocument } from "./index-document.ts";

export interface Highlights {
  /** HTML: matches in `<em>`, the rest escaped. */
  partNumber?: string;
  title?: string;
}

export interface SearchHit {
  document: HitDocument;
  highlights: Highlights;
  /** The part number that the query names, if the hit is there since it replaces that part. */
  replaces?: string;
}

export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

/** Each facet is counted without its own filter. */
export interface Facets {
  manufacturer: FacetValue[];
  category: FacetValue[];
  /** Machines that hits fit by the catalog, including the query's own; none if there are too many hits to count. */
  machine: FacetValue[];
  /** Values without parts are left out. */
  availability: FacetValue[];
  /** Values of attributes that have parts. */
  attributes: Partial<Record<Attribute, FacetValue[]>>;
  /** Both ends of a range are included; `to` null is open. */
  price: { min: Cents | null; max: Cents | null; ranges: { from: Cents; to: Cents | null; count: number }[] };
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  facets: Facets;
  /** Query that finds something, if nothing is found. */
  suggestion?: string;
}
