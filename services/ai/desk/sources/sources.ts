import type { Model as KnownModel } from "../../../../mixins/fitment-index/models.ts";
import type { PassageRetrieval } from "../../passages/retrieval.ts";
import type { CatalogHit, FitmentRow, FoundPart, Offer } from "../facts.ts";

export type { KnownModel };

/** Where the desk looks things up. All of it is read only. */
export interface DeskSources {
  /** Equipment of the manuals that a text names, however it writes them. */
  modelsNamedIn(text: string): Promise<KnownModel[]>;
  /** Names of all equipment, for a "did you mean". */
  allModels(): Promise<readonly KnownModel[]>;
  /** Parts of an equipment. */
  byModel(model: string): Promise<FitmentRow[]>;
  /** Where a number is listed, and what lists it as its successor. */
  byPart(pnNorm: string): Promise<FitmentRow[]>;
  /** Numbers of manuals that one slip of the keys makes of it: one row of each, three at most. */
  nearNumbers(pnNorm: string): Promise<FitmentRow[]>;
  passages: PassageRetrieval["search"];
  /** The catalog's search. @throws what the search service throws */
  catalog(query: string, limit: number): Promise<CatalogHit[]>;
  /** Price and stock, one for each part in their order, within three seconds or so; never throws. */
  offers(parts: readonly Pick<FoundPart, "partNumber" | "vendor" | "catalog">[]): Promise<Offer[]>;
  /** The question's vector; undefined where the model that makes them did not in time. */
  vector?(text: string): Promise<Float32Array | undefined>;
}
