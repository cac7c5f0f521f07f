import type { Cents } from "@partline/parts-language";
import type { Component } from "./components.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import type { catalogPartRule } from "./resources.ts";

export type CatalogPart = Infer<typeof catalogPartRule>;

/** What sources say of a part; the rest of the document follows from it. */
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
  /** Missing if the source has no stock. */
  quantityOnHand?: number;
  components?: Component[];
  /** Machines that the source's data lists; the description may name others. */
  fits?: string[];
}

type Deletable = "description" | "supersededBy" | "weightGrams";

/** What a source says of a part: a missing field stays as it is known; null deletes. `kind` goes with `category`. */
export type PartNews = Pick<PartContent, "partNumber" | "title"> &
  Partial<Omit<PartContent, "partNumber" | "title" | Deletable>> & {
    [F in Deletable]?: PartContent[F] | null;
  };
