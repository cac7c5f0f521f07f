import type { ShippingTable } from "../shipping-rates/table.ts";
import type { Mailbox } from "@partline/toolkit";
import { mergePatch, type WorkPlan } from "@partline/toolkit/pure";
import type { Language } from "./languages.ts";
import type { ReturnTerms } from "./return-terms.ts";
import { setShopTimeZone, shopDays } from "./shop-days.ts";

export const POLICIES = ["returns", "shipping", "privacy", "terms"] as const;
export type PolicyName = (typeof POLICIES)[number];

export function isPolicy(name: string): name is PolicyName {
  return POLICIES.some((policy) => policy === name);
}

/** Markdown by language. */
export type PolicyTexts = Record<Language, string | null>;

export interface PickupPlace {
  id: string;
  name: string;
  address: string[];
  hours: string[];
}

/** When the shop packs orders. */
export interface ShopPlan extends WorkPlan {
  /** Working days more for pieces that come from the dealer. */
  dealerDays: number;
}

/** What a shop says of itself: people change it while the system runs. */
export interface ShopFacts extends ShopPlan {
  workHours: string[];
  shopName: string;
  legalName: string | null;
  /** Lines. */
  address: string[];
  phone: string | null;
  email: string | null;
  /** Lines, such as `Mon–Fri 8–17`. */
  openingHours: string[];
  taxIds: string[];
  timeZone: string;
  policies: Record<PolicyName, PolicyTexts>;
  pickupPlaces: PickupPlace[];
  /** Id of an image, as is `favicon`. */
  logo: string | null;
  favicon: string | null;
  /** `#rrggbb`. `primary`: buttons and links; `accent`: symbols on the start page, and the cart's count. */
  colours: { primary: string | null; accent: string | null };
  returns: ReturnTerms;
  /** Language of the shop's mails about new orders, of which `off` sends none. */
  newOrderMails: Language | "off";
  /** Sender of mails; without a name, by the shop's. */
  mailSender: Mailbox | null;
  stockPolicy: StockPolicies;
  /** Null: the default one. */
  shippingTable: ShippingTable | null;
}

/** Policy for pieces beyond the stock. */
export interface StockPolicy {
  /** `sell`: they are sold as backordered; `up_to_stock`: they are refused. */
  beyond: "sell" | "up_to_stock";
  /** Days until backordered pieces ship, as the vendor says. */
  days?: number;
}

export interface StockPolicies {
  usual: StockPolicy;
  /** Exceptions by vendor code. */
  vendors: (StockPolicy & { vendor: string })[];
}

const NO_TEXTS: PolicyTexts = { en: null, de: null, es: null };

const DEFAULT_FACTS: ShopFacts = {
  shopName: "Partline",
  legalName: null,
  address: [],
  phone: null,
  email: null,
  openingHours: [],
  taxIds: [],
  timeZone: "UTC",
  policies: { returns: NO_TEXTS, shipping: NO_TEXTS, privacy: NO_TEXTS, terms: NO_TEXTS },
  pickupPlaces: [],
  workHours: ["Mon-Fri 09:00-17:00"],
  handlingDays: 1,
  dealerDays: 3,
  logo: null,
  favicon: null,
  colours: { primary: null, accent: null },
  returns: { days: 30, approval: "manual", fee: 0 },
  newOrderMails: "en",
  mailSender: null,
  stockPolicy: { usual: { beyond: "sell" }, vendors: [] },
  shippingTable: null,
};

/** Returns the path of a picture of the shop's, at most so large (pixels). */
export function toPicturePath(image: string, { width, height }: { width: number; height: number }): string {
  return `/api/media/${image}?w=${width}&h=${height}&format=png`;
}

/** Returns what holds: what people have set, over the defaults, and over both what the environment pins. */
export function resolveShopFacts(stored: object, pins: object): ShopFacts {
  return mergePatch(mergePatch(DEFAULT_FACTS, stored), pins);
}

/** Returns the policy for a vendor's parts. */
export function getStockPolicy({ usual, vendors }: StockPolicies, code: string): StockPolicy {
  return vendors.find(({ vendor }) => vendor === code) ?? usual;
}

/**
 * Lists where buyers pick orders up: the shop itself, unless it names places.
 * @param chosenId place of one order; one that the shop does not have any more is named by its id
 */
export function listPickupPlaces(
  facts: Pick<ShopFacts, "shopName" | "address" | "openingHours" | "pickupPlaces">,
  chosenId?: string,
): readonly (Omit<PickupPlace, "id"> & { id?: string })[] {
  const { shopName: name, address, openingHours: hours, pickupPlaces } = facts;
  if (chosenId === undefined) return pickupPlaces.length > 0 ? pickupPlaces : [{ name, address, hours }];
  return [pickupPlaces.find(({ id }) => id === chosenId) ?? { id: chosenId, name: chosenId, address: [], hours: [] }];
}

/** Puts facts in force for this process: in place, as each part reads `settings.shop` when it needs it. */
export function applyShopFacts(shop: ShopFacts, facts: ShopFacts): void {
  Object.assign(shop, facts);
  if (shopDays().timeZone !== facts.timeZone) setShopTimeZone(facts.timeZone);
}
