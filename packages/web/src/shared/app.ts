import type { ShopFacts } from "../../../../mixins/shop/shop-facts.ts";
import type { Scope } from "../../../../broker/contract/scopes.ts";

/** What an entry point and the server's half of its pages say to each other. */
export interface PageRequest {
  path: string;
  query: URLSearchParams;
  /** Base of canonical links, without a trailing slash. */
  origin: string;
  /** Where the page's data is asked for, with the browser's credentials. */
  api: { url: string; headers: Record<string, string> };
  /** As the browser sends it. */
  acceptLanguage: string;
  /** Reads pages for a search engine: the supplier is not asked for it. */
  isCrawler: boolean;
  cookies: Readonly<Record<string, string | undefined>>;
  user: PageUser | undefined;
  canSignIn: boolean;
  /** By a link that is sent to an address, not at an identity provider's page. */
  signsInByMail: boolean;
  /** The payment provider adds taxes to what is paid. */
  isTaxed: boolean;
  shop: Readonly<ShopFacts>;
  /** Countries that are shipped to, ISO 3166; at least one. */
  shipTo: readonly string[];
  assets: Assets;
  /** Of styles that the app's script adds; the policy knows it where `APPS` says so. */
  styleNonce: string;
  /** CSS of the shop's colours, which the policy knows; may be empty. */
  themeStyle: string;
  /** Status of why the page cannot be answered now: what is rendered in its place asks for nothing. */
  failure: number | undefined;
}

export interface PageUser {
  id: string;
  email?: string | undefined;
  /** What they may do with what is not their own; of staff alone. */
  scopes: readonly Scope[];
}

/** Addresses of what the browser loads. */
export interface Assets {
  script: string;
  style: string;
  /** Fonts that the style needs at once. */
  fonts: readonly string[];
  /**
   * Of modules that the script loads, by their source (`packages/web/src/shop/texts/de.ts`): its own, then its imports.
   */
  chunks: Readonly<Record<string, readonly string[]>>;
}

export interface PageAnswer {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
  /** Path's template, for logs and metrics: `/parts/{slug}`. */
  label: string;
}

/** What `src/NAME/server.tsx` exports. */
export interface WebApp {
  answer(request: PageRequest): Promise<PageAnswer>;
}
