import type { ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";

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
