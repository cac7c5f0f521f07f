import type { DeclaredSupplier } from "../../../broker/settings/suppliers.ts";
import type { PartNews } from "../part-news.ts";
import type { ItemFields } from "./item.ts";

/** Asks the supplier's API, with its key, within its rate, retried. `read` throws `UnreadableAnswer`. */
export type Get = <T>(
  path: string,
  query: Readonly<Record<string, string | number>>,
  read: (answer: unknown) => T,
) => Promise<T>;

export interface PageAsked {
  /** From 1. */
  page: number;
  /** Items, as many as the supplier allows. */
  pageSize: number;
  /** Of a listing by cursor: `next` of the page before, undefined for the first. */
  cursor?: string;
}

/** A page of a listing, its items unread. */
export type ListedPage = {
  items: readonly unknown[];
  /** Items that the supplier says it lists, if it says so. */
  total?: number;
} & (
  | {
      /** As the supplier made the page, which may be smaller than was asked for. */
      pageSize: number;
      totalPages: number;
      next?: undefined;
    }
  /** Cursor of the page that follows; null behind the last. Such a listing is read one page after another. */
  | { next: string | null; pageSize?: undefined; totalPages?: undefined }
);

/** A supplier that lists its parts over an HTTP API of its own. Each is in list.ts, and nowhere else by name. */
export interface Supplier extends DeclaredSupplier {
  name: string;
  /** Other names that it goes by. */
  aliases: readonly string[];
  /** Who is asked, as an error says it after "The". */
  title: string;
  /** What callers see as the kind of its syncs. */
  kind: "tires" | "listing";
  /** Of all processes together. */
  requestsPerSecond: number;
  /** Headers that carry the key. */
  headers(apiKey: string): Readonly<Record<string, string>>;
  list(get: Get, asked: PageAsked): Promise<ListedPage>;
  /** Field of an item that has the part's number. */
  numberField: string;
  /**
   * Returns what an item says of a part beside its number; `maker` is its brand or manufacturer by name. `item` throws
   * for what cannot be used.
   */
  toPart(item: ItemFields): Omit<PartNews, "partNumber" | "manufacturer"> & { maker: string };
}
