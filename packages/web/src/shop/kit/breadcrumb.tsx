import type { ReactNode } from "react";
import { useShop } from "../context.tsx";

export interface Crumb {
  name: string;
  /** Path; the page itself has none. */
  path?: string;
}

/** Renders the way to a page from the home page, which is its first step. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }): ReactNode {
  const { texts } = useShop();
  return (
    <nav aria-label={texts.breadcrumb} className="no-print">
      <ol className="breadcrumb">
        {[{ name: texts.home, path: "/" }, ...crumbs].map(({ name, path }) => (
          <li key={name}>{path === undefined ? <span aria-current="page">{name}</span> : <a href={path}>{name}</a>}</li>
        ))}
      </ol>
    </nav>
  );
}

/** The same way for search engines (schema.org). @param origin base of absolute links */
export function createBreadcrumbJsonLd(crumbs: readonly Crumb[], origin: string): object {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      ...(path !== undefined && { item: origin + path }),
    })),
  };
}
