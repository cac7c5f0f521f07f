import { DEFAULT_CATEGORY, toldPrice, type PartContent, type PartDocument } from "./part.ts";
import type { Vendor } from "./vendors.ts";

/**
 * What a source says of a part. A field that it does not tell is left out and stays as it is known; null says that
 * there is none. `kind` goes with `category`.
 */
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
}

/**
 * The content of a part after the news: what it does not tell is taken from the known part, and of a new one has its
 * default.
 */
export function contentAfter(vendor: Vendor, news: PartNews, known?: PartDocument): PartContent {
  const { description = known?.description, supersededBy = known?.supersededBy, quantityOnHand } = news;
  const kind = news.category === undefined ? known?.kind : news.kind;
  return {
    partNumber: news.partNumber,
    title: news.title,
    ...(description ? { description } : {}),
    manufacturer: news.manufacturer ?? known?.manufacturer ?? { name: vendor.name, code: vendor.code },
    category: news.category ?? known?.category ?? DEFAULT_CATEGORY,
    ...(kind ? { kind } : {}),
    price: news.price !== undefined ? news.price : known ? toldPrice(known) : null,
    imageUrls: news.imageUrls ?? known?.media?.images?.map(({ url }) => url) ?? [],
    status: news.status ?? known?.status ?? "active",
    ...(supersededBy ? { supersededBy } : {}),
    ...(quantityOnHand === undefined ? {} : { quantityOnHand }),
  };
}
