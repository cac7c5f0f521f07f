import type { Availability, Cents, PartStatus } from "@partline/parts-language";
import type { Attributes } from "./attributes.ts";

/** The specification's IndexedPart, with its price in cents. */
export interface IndexedPart {
  id: string;
  slug: string;
  sku: string;
  /** Other spellings of its number, and other numbers that it goes by. */
  skuVariants: string[];
  partNumber: string;
  pnNorm: string;
  title: string;
  description?: string;
  /** `name` is the brand, for most vendors the vendor's own name. */
  manufacturer: { name: string; code: string };
  category: string;
  price: Cents | null;
  media?: { hasImages: boolean; imageCount: number; images?: { url: string; type: string }[] };
  status: PartStatus;
  sources: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface IndexDocument extends IndexedPart {
  vendorName: string;
  vendorAliases: string[];
  /** A narrower category, a filter without a facet. */
  kind?: string;
  /** Address of the first image. */
  imageUrl: string | null;
  availability: Availability;
  /** Number of the successor at the same vendor. */
  supersededBy?: string;
  /** Weight of one piece; missing if unknown. */
  weightGrams?: number;
  /** Dangerous goods. Missing if it is not, as `oversize`. */
  hazmat?: boolean;
  /** Larger than parcel services take. */
  oversize?: boolean;
  /** Belongs in `tires` as well. */
  isTire: boolean;
  /** Belongs in no index: to write it removes it. Never stored. */
  isHidden?: boolean;
  /** Names of the machines that it fits, as the catalog says (`readFits`); missing if it says none. */
  fits?: string[];
  /** Attributes of some parts, for filters and facets. */
  attributes?: Attributes;
}

/** Fields that only a part's own page shows. */
export const BEYOND_HITS = [
  "description",
  "kind",
  "media",
  "sources",
  "attributes",
  "createdAt",
  "updatedAt",
  "isTire",
] as const;

/** A document as searches return it: what a list shows, and what says whether it is the part that was meant. */
export type HitDocument = Omit<IndexDocument, (typeof BEYOND_HITS)[number]>;
