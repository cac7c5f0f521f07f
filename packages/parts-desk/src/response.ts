import {
  isForSale,
  toPartKey,
  selectModelRows,
  UNKNOWN_OFFER,
  type FoundPart,
  type ManualLinks,
  type Offer,
} from "./port.ts";
import { cleanTitle } from "@partline/parts-language";
import { renderText, type Texts } from "./texts.ts";

/** A part as it is answered: specification, "AI query". */
export interface PartResponse {
  part_number: string;
  description: string;
  schemas: string[];
  quantity: number | null;
  pdf_link: string | null;
  available_for_purchase: boolean;
  in_stock: boolean | null;
  stock_quantity: number | null;
  price: number | null;
  estimated_delivery: string | null;
  store_link?: string;
}

export interface ItemToAdd {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  unitPrice: number;
  manufacturer?: string;
}

/** What a client may do with an answer: the desk does none of it. */
export interface DeskAction {
  type: "add_to_cart" | "open_store" | "look_up_order";
  method?: "GET" | "POST";
  path?: string;
  body?: { item: ItemToAdd };
  url?: string;
}

/** An answer, in the names of the specification, "AI query". */
export interface QueryResponse {
  answer: string;
  parts: PartResponse[];
  needs_confirmation: boolean;
  store_link_question: string | null;
  actions: DeskAction[];
}

/** A part as it is answered. Nothing is left out: what is not known is null. */
function toPartResponse(
  part: FoundPart,
  offer: Offer,
  models: readonly string[],
  { links, texts }: ResponseOptions,
): PartResponse {
  const rows = selectModelRows(part, models);
  const [first] = rows;
  return {
    part_number: part.partNumber,
    description: cleanTitle(part.description) ?? part.partNumber,
    schemas: [...new Set(rows.flatMap(({ schema }) => cleanTitle(schema) ?? []))],
    quantity: first?.quantity ?? null,
    pdf_link: first === undefined ? null : links.pdf(first.sha256, first.page),
    available_for_purchase: isForSale(offer),
    in_stock: isInStock(offer),
    stock_quantity: offer.stock,
    price: offer.price,
    estimated_delivery: isInStock(offer) ? formatDelivery(offer, texts) : null,
  };
}

/** Formats `2 to 5 business days`. */
function formatDelivery({ deliveryDays }: Offer, texts: Texts): string | null {
  if (!deliveryDays) return null;
  const [fastest, cheapest] = deliveryDays;
  if (fastest === cheapest && cheapest === 1) return texts["in one day"];
  const range = { fastest: String(fastest), slowest: String(cheapest) };
  const days = fastest === cheapest ? String(cheapest) : renderText(texts, "days range", range);
  return renderText(texts, "in days", { days });
}

function isInStock({ availability }: Offer): boolean | null {
  if (availability === null || availability === "unknown") return null;
  return availability !== "out_of_stock";
}

/** Returns the store's address of a part, from what the catalog says alone. */
function toStoreLink(offer: Offer, storeUrl: string): string | undefined {
  return isForSale(offer) && offer.slug !== null ? `${storeUrl}/parts/${encodeURIComponent(offer.slug)}` : undefined;
}

export interface CartWish {
  part: FoundPart;
  count: number;
}

export interface ResponseOptions {
  links: ManualLinks;
  storeUrl: string;
  texts: Texts;
  includeStoreLink: boolean;
  /** The next question of this client can refer to this answer. */
  isRemembered: boolean;
  /** Equipment that was asked about: its places come first. */
  models: readonly string[];
  cart?: readonly CartWish[];
  /** It is about an order; its id, if that was typed. */
  order?: { id?: string };
}

/** @param parts those that the words are about */
export function toQueryResponse(
  answer: string,
  parts: readonly FoundPart[],
  offers: ReadonlyMap<string, Offer>,
  options: ResponseOptions,
): QueryResponse {
  const { storeUrl, texts, includeStoreLink, isRemembered, models, cart = [], order } = options;
  const getOffer = (part: FoundPart): Offer => offers.get(toPartKey(part)) ?? UNKNOWN_OFFER;
  const responses = parts.map((part): PartResponse => {
    const link = includeStoreLink ? toStoreLink(getOffer(part), storeUrl) : undefined;
    return {
      ...toPartResponse(part, getOffer(part), models, options),
      ...(link !== undefined && { store_link: link }),
    };
  });
  const asks = !includeStoreLink && parts.some((part) => isForSale(getOffer(part)));
  const actions: DeskAction[] = [
    ...cart.flatMap(({ part, count }) => addToCart(part, getOffer(part), count)),
    ...responses.flatMap(({ store_link: url }) => (url === undefined ? [] : [{ type: "open_store" as const, url }])),
    ...(order ? [{ type: "look_up_order" as const, method: "GET" as const, path: orderPath(order.id) }] : []),
  ];
  return {
    answer,
    parts: responses,
    needs_confirmation: asks,
    store_link_question: asks ? `${texts["links wanted"]} ${texts[isRemembered ? "say yes" : "ask for links"]}` : null,
    actions,
  };
}

function addToCart(part: FoundPart, offer: Offer, quantity: number): DeskAction[] {
  const { id: productId, price: unitPrice } = offer;
  if (!isForSale(offer) || productId === null || unitPrice === null) return [];
  const { partNumber, catalog, description } = part;
  const title = cleanTitle(catalog?.title ?? description) ?? partNumber;
  const manufacturer = catalog && { manufacturer: catalog.manufacturer.name };
  const item = { productId, partNumber, title, quantity, unitPrice, ...manufacturer };
  return [{ type: "add_to_cart", method: "POST", path: "/api/cart/items", body: { item } }];
}

function orderPath(id: string | undefined): string {
  return id === undefined ? "/api/orders/user/{userId}" : `/api/orders/${encodeURIComponent(id)}`;
}
