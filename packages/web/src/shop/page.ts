import type { Partline } from "@partline/client";
import type { ReactNode } from "react";
import type { PolicyName, ShopFacts } from "../../../../mixins/shop/shop-facts.ts";
import type { PageUser } from "../shared/app.ts";
import type { Head } from "../shared/document.tsx";
import type { Language } from "../shared/language.ts";
import type { ChosenMachine } from "./machine/chosen-machine.ts";
import type { Texts } from "./texts/en.ts";

/** What every page knows, in the browser too. */
export interface PageContext {
  language: Language;
  theme: string | undefined;
  /** The machine that the shopper buys for. */
  machine: ChosenMachine | undefined;
  /** How results were listed last. */
  listView: "rows" | "tiles";
  user: PageUser | undefined;
  canSignIn: boolean;
  signsInByMail: boolean;
  /** Taxes are added where it is paid. */
  isTaxed: boolean;
  shopName: string;
  /** Id of an image. */
  logo: string | null;
  facts: Pick<
    ShopFacts,
    "legalName" | "address" | "phone" | "email" | "openingHours" | "taxIds" | "pickupPlaces" | "returns"
  >;
  /** Those that have a text. */
  policies: readonly PolicyName[];
  /** Countries that are shipped to, ISO 3166; at least one. */
  shipTo: readonly string[];
  /** Whose days dates are. */
  timeZone: string;
  /** Of this page, to come back to it. */
  address: string;
}

export interface PageLoad extends PageContext {
  texts: Texts;
  partline: Partline;
  isCrawler: boolean;
  /** Values of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Texts of all policies. */
  policyTexts: ShopFacts["policies"];
  /** Turns Markdown into HTML that runs nothing. */
  renderMarkdown(text: string): string;
}

export interface PageHead {
  texts: Texts;
  shopName: string;
  language: Language;
  /** Base of absolute links, without a trailing slash. */
  origin: string;
}

/** Why there is nothing at an address. */
export type Missing = "not-found" | "order-link-gone";

/** One page: what it reads, what it says of itself to search engines, and how it looks. */
export interface PageDefinition<Data> {
  /** `/parts/{slug}`. */
  path: string;
  /** What is said where its data is not found; `not-found` unless given. */
  missing?: Missing;
  /** @throws PartlineError, NotHere, Moved */
  load(request: PageLoad): Promise<Data>;
  head(data: Data, page: PageHead): Head;
  View: (props: { data: Data }) => ReactNode;
}

/** There is no such page. */
export class NotHere extends Error {}

/** The page has another address. */
export class Moved extends Error {
  readonly location: string;
  readonly status: 301 | 302;

  constructor(location: string, status: 301 | 302 = 301) {
    super(location);
    this.location = location;
    this.status = status;
  }
}
