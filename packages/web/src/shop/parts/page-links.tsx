import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Moved } from "../page.ts";

interface PageLinksProps {
  page: number;
  pages: number;
  addressOf: (page: number) => string;
}

/** The way through a list of several pages. */
export function PageLinks({ page, pages, addressOf }: PageLinksProps): ReactNode {
  const { texts } = useShop();
  if (pages <= 1) return null;
  return (
    <nav aria-label={texts.pages} className="pages">
      {page > 1 && (
        <a href={addressOf(page - 1)} rel="prev" className="button">
          {texts.previous}
        </a>
      )}
      <span className="number">{fill(texts.pageOf, { page, pages })}</span>
      {page < pages && (
        <a href={addressOf(page + 1)} rel="next" className="button">
          {texts.next}
        </a>
      )}
    </nav>
  );
}

/** The page that an address names, from 1. */
export function pageIn(query: URLSearchParams): number {
  return Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1);
}

/** Returns a list as it was found. @throws Moved to its last page, from the address of one behind it */
export function withinPages<List extends { pagination: { page: number; totalPages: number } }>(
  list: List,
  address: string,
): List {
  const { page, totalPages } = list.pagination;
  const last = Math.max(1, totalPages);
  if (page <= last) return list;
  const [path, query] = address.split("?");
  const params = new URLSearchParams(query);
  params.set("page", String(last));
  throw new Moved(`${path}?${params.toString()}`, 302);
}
