import { readSampleText } from "../samples.ts";

/** A tire or wheel as the supplier lists it. @see design, Catalog, "What we expect of the tire supplier" */
export interface Tire {
  itemNumber: string;
  description: string;
  brand: string;
  size: string;
  category: "Tires" | "Wheels";
  /** Decimal currency units; null where the price is on request. */
  price: number | null;
  currency: string;
  quantityOnHand: number;
  images: string[];
  discontinued: boolean;
  updatedAt: string;
}

/** Reads samples/tires.ndjson. `imageUrlBase` is where the media service serves images. */
export const listedTires = (imageUrlBase?: string): Tire[] =>
  readSampleText("tires.ndjson", imageUrlBase)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Tire);
