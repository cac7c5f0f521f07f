import type { DeclaredSupplier } from "../../shared/settings/suppliers.ts";
import type { PartNews } from "../part-content.ts";
import type { ItemFields } from "./item.ts";

/** Requests with key, rate limit and retries. `read` throws `UnreadableAnswer`. */
export type Get = <T>(
  path: string,
  query: Readonly<Record<string, string | number>>,
  read: (answer: unknown) => T,
) => Promise<T>;

export interface PageRequest {
  page: number;
  pageSize: number;
  /** `next` of the page before; undefined for the first. */
  cursor?: string;
}

export type ListedPage = {
  items: readonly unknown[];
  /** Items, if the supplier says so. */
  total?: number;
} & (
  | {
      /** Size of the page as sent; it may be smaller than requested. */
      pageSize: number;
      totalPages: number;
      next?: undefined;
    }
  /** Cursor of the next page; null behind the last. Such pages are read in sequence. */
  | { next: string | null; pageSize?: undefined; totalPages?: undefined }
);

/** A supplier that lists its parts over an API of its own. Only list.ts names it. */
export interface Supplier extends DeclaredSupplier {
  name: string;
  aliases: readonly string[];
  /** Its name in errors, after "The". */
  title: string;
  /** Kind of its syncs, for clients. */
  kind: "tires" | "listing";
  requestsPerSecond: number;
  buildHeaders(apiKey: string): Readonly<Record<string, string>>;
  list(get: Get, request: PageRequest): Promise<ListedPage>;
  numberField: string;
  /** Reads an item without its number; `maker` is a name. `item` throws for unusable values. */
  toPart(item: ItemFields): Omit<PartNews, "partNumber" | "manufacturer"> & { maker: string };
}
