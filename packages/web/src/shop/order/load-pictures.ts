import type { Order } from "@partline/client";
import type { PageLoad } from "../page.ts";
import { loadStock } from "../parts/load-stock.ts";

/** Addresses of pictures by the id of their part: an order keeps none. */
export type PicturesById = Readonly<Record<string, string | null>>;

/** Loads what the lines of an order look like today; what is not here in time is drawn by its kind. */
export async function loadPictures(
  page: Pick<PageLoad, "partline" | "isCrawler">,
  { items }: Order,
): Promise<PicturesById> {
  const parts = await loadStock(
    page,
    items.map(({ productId }) => productId),
  );
  return Object.fromEntries(parts.map(({ id, imageUrl }) => [id, imageUrl]));
}
