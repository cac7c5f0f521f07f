import type { CatalogSitemapPageParams, Partline } from "@partline/client";
import { NotHere } from "./page.ts";

/** A file for search engines. */
export interface EngineFile {
  /** Path's template. */
  label: string;
  /** @throws PartlineError, NotHere */
  make(partline: Partline, origin: string): Promise<{ type: string; body: string }>;
}

/** Search engines need nothing of a shopper's own, and a list once, not by every filter; an answer is work. */
const NOT_FOR_THEM = [
  "/account/",
  "/cart",
  "/checkout/",
  "/desk?",
  "/orders",
  "/session/",
  "/search?*sort=",
  "/search?*Price=",
];
const INDEX_PATH = "/sitemap.xml";
const PAGES_PATH = "/sitemaps/pages.xml";
/** The id of the part before them; the first have the vendor alone. */
const PARTS_PATH = /^\/sitemaps\/([a-z]{3})(-[a-z0-9]{1,100})?\.xml$/;
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export function engineFileAt(path: string): EngineFile | undefined {
  const label = path;
  switch (path) {
    case "/robots.txt":
      return {
        label,
        make: (_, origin) => Promise.resolve({ type: "text/plain; charset=utf-8", body: robots(origin) }),
      };
    case INDEX_PATH:
      return { label, make: index };
    case PAGES_PATH:
      return {
        label,
        make: (_, origin) => Promise.resolve(urlSet(["/", "/machines", "/desk"].map((path) => [origin + path]))),
      };
    default: {
      const [, vendor, number] = PARTS_PATH.exec(path) ?? [];
      if (vendor === undefined) return undefined;
      const page = { vendor, ...(number === undefined ? {} : { after: vendor + number }) };
      return { label: "/sitemaps/{after}.xml", make: (...to) => parts(page, ...to) };
    }
  }
}

function robots(origin: string): string {
  return [
    "User-agent: *",
    ...NOT_FOR_THEM.map((path) => `Disallow: ${path}`),
    `Sitemap: ${origin}${INDEX_PATH}`,
    "",
  ].join("\n");
}

async function index(partline: Partline, origin: string) {
  const { pages } = await partline.catalog.sitemap();
  const paths = [PAGES_PATH, ...pages.map(({ vendor, after }) => `/sitemaps/${after ?? vendor.toLowerCase()}.xml`)];
  return xml(
    "sitemapindex",
    paths.map((path) => `<sitemap>${element("loc", origin + path)}</sitemap>`),
  );
}

async function parts(page: CatalogSitemapPageParams, partline: Partline, origin: string) {
  const answer = await partline.catalog.sitemapPage(page);
  if (answer.parts.length === 0) throw new NotHere();
  return urlSet(answer.parts.map(({ slug, updatedAt }) => [`${origin}/parts/${encodeURIComponent(slug)}`, updatedAt]));
}

function urlSet(urls: readonly (readonly [address: string, changed?: string])[]) {
  return xml(
    "urlset",
    urls.map(
      ([address, changedAt]) =>
        `<url>${element("loc", address)}${changedAt ? element("lastmod", changedAt) : ""}</url>`,
    ),
  );
}

function xml(root: string, children: readonly string[]): { type: string; body: string } {
  return {
    type: "application/xml; charset=utf-8",
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${children.join("\n")}\n</${root}>\n`,
  };
}

function element(name: string, text: string): string {
  return `<${name}>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</${name}>`;
}
