import { DEFAULT_CATEGORY, toldPrice, type PartContent, type PartDocument } from "./part.ts";
import type { Vendor } from "./vendors.ts";

type Deletable = "description" | "supersededBy" | "weightGrams";

/** What a source says of a part: a missing field stays as it is known; null deletes. `kind` goes with `category`. */
export type PartNews = Pick<PartContent, "partNumber" | "title"> &
  Partial<Omit<PartContent, "partNumber" | "title" | Deletable>> & { [F in Deletable]?: PartContent[F] | null };

/** Merges the news into the known part, or into the defaults of a new one. */
export function contentAfter(vendor: Vendor, news: PartNews, known?: PartDocument): PartContent {
  const said = <F extends keyof PartNews & keyof PartDocument>(field: F) =>
    news[field] === undefined ? known?.[field] : news[field];
  const components = said("components") ?? [];
  return {
    partNumber: news.partNumber,
    title: news.title,
    description: said("description") || undefined,
    manufacturer: said("manufacturer") ?? { name: vendor.name, code: vendor.code },
    category: said("category") ?? DEFAULT_CATEGORY,
    kind: news.category === undefined ? known?.kind : news.kind,
    price: news.price !== undefined ? news.price : known ? toldPrice(known) : null,
    imageUrls: news.imageUrls ?? known?.media?.images?.map(({ url }) => url) ?? [],
    status: said("status") ?? "active",
    supersededBy: said("supersededBy") || undefined,
    quantityOnHand: news.quantityOnHand,
    weightGrams: said("weightGrams") ?? undefined,
    hazmat: said("hazmat") || undefined,
    oversize: said("oversize") || undefined,
    components: components.length > 0 ? components : undefined,
  };
}
