import { DEFAULT_CATEGORY, toldPrice, type PartContent, type PartDocument } from "./part.ts";
import type { Vendor } from "./vendors.ts";

/** What a source says of a part: a missing field stays as it is known; null deletes. `kind` goes with `category`. */
export interface PartNews extends Pick<PartContent, "partNumber" | "title"> {
  description?: string | null;
  manufacturer?: PartContent["manufacturer"];
  category?: string;
  kind?: PartContent["kind"];
  price?: PartContent["price"];
  imageUrls?: string[];
  status?: PartContent["status"];
  supersededBy?: string | null;
  quantityOnHand?: number;
  weightGrams?: number | null;
  hazmat?: boolean;
  oversize?: boolean;
  components?: PartContent["components"];
}

/** Merges the news into the known part, or into the defaults of a new one. */
export function contentAfter(vendor: Vendor, news: PartNews, known?: PartDocument): PartContent {
  const { partNumber, title, description = known?.description, supersededBy = known?.supersededBy } = news;
  const { weightGrams = known?.weightGrams, hazmat = known?.hazmat, oversize = known?.oversize } = news;
  const { components = known?.components ?? [] } = news;
  return {
    partNumber,
    title,
    description: description || undefined,
    manufacturer: news.manufacturer ?? known?.manufacturer ?? { name: vendor.name, code: vendor.code },
    category: news.category ?? known?.category ?? DEFAULT_CATEGORY,
    kind: news.category === undefined ? known?.kind : news.kind,
    price: news.price !== undefined ? news.price : known ? toldPrice(known) : null,
    imageUrls: news.imageUrls ?? known?.media?.images?.map(({ url }) => url) ?? [],
    status: news.status ?? known?.status ?? "active",
    supersededBy: supersededBy || undefined,
    quantityOnHand: news.quantityOnHand,
    weightGrams: weightGrams ?? undefined,
    hazmat: hazmat || undefined,
    oversize: oversize || undefined,
    components: components.length > 0 ? components : undefined,
  };
}
