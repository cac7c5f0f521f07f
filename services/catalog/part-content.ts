import type { Cents } from "@partline/parts-language";
import type { Component } from "./components.ts";
import type { Infer } from "@partline/api-contracts";
import type { catalogPartRule } from "./resources.ts";

export type CatalogPart = Infer<typeof catalogPartRule>;

/** Data of a part from its sources; the rest of the document is derived from it. */
export interface PartContent extends Pick<
  CatalogPart,
  | "partNumber"
  | "title"
  | "description"
  | "manufacturer"
  | "category"
  | "kind"
  | "status"
  | "supersededBy"
  | "weightGrams"
  | "hazmat"
  | "oversize"
> {
  /** List price; null without one. */
  price: Cents | null;
  imageUrls: string[];
  /** What the shop pays for it: staff alone sees it, and a margin counts on it. */
  cost?: Cents;
  /** Missing if the source has no stock. */
  quantityOnHand?: number;
  /** Yes or no of a source that has no number. */
  available?: boolean;
  components?: Component[];
  /** Machines that the source's data lists; the description may name others. */
  fits?: string[];
}

type Deletable = "description" | "supersededBy" | "weightGrams" | "cost";

/** What a price file says of the shop's own shelf, beside the pieces: a missing field does not change, null deletes. */
interface ShelfNews {
  bin?: string | null;
  reorderPoint?: number | null;
}

/**
 * News of a part from a source: a missing field does not change, null deletes. `kind` goes with
 * `category`. A part that is new needs a title.
 */
export type PartNews = Pick<PartContent, "partNumber"> &
  Partial<Omit<PartContent, "partNumber" | Deletable>> & {
    [F in Deletable]?: PartContent[F] | null;
  } & ShelfNews;
