import type { Infer } from "../../../broker/contract/rules.ts";
import type { ManualLinks } from "../../shared/manual-links.ts";
import type { partResponseRule, queryResponseRule } from "./resources.ts";
import type { Evidence } from "./finding/evidence.ts";
import { isForSale, rowsOn, type FoundPart, type Offer } from "./facts.ts";
import { quotable } from "./wording/quotable.ts";

export type PartResponse = Infer<typeof partResponseRule>;
export type QueryResponse = Infer<typeof queryResponseRule>;

const STORE_LINK_QUESTION = "Would you like links to these parts in the store? Say: yes, send me the links.";

/** A part as it is answered. Nothing is left out: what is not known is null. */
function toPartResponse(part: FoundPart, offer: Offer, models: readonly string[], links: ManualLinks): PartResponse {
  const rows = rowsOn(part, models);
  const [first] = rows;
  return {
    part_number: part.partNumber,
    description: quotable(part.description)[0] ?? part.partNumber,
    schemas: [...new Set(rows.flatMap(({ schema }) => quotable(schema)))],
    quantity: first?.quantity ?? null,
    pdf_link: first === undefined ? null : links.pdf(first.sha256, first.page),
    available_for_purchase: isForSale(offer),
    in_stock: inStock(offer),
    stock_quantity: offer.stock,
    price: offer.price,
    estimated_delivery: null,
  };
}

function inStock({ availability }: Offer): boolean | null {
  if (availability === null || availability === "unknown") return null;
  return availability !== "out_of_stock";
}

/** The store's address of a part, of what the catalog says alone. */
function storeLink(offer: Offer, storeUrl: string): string | undefined {
  return isForSale(offer) && offer.slug !== null ? `${storeUrl}/parts/${encodeURIComponent(offer.slug)}` : undefined;
}

export interface Wording {
  answer: string;
  /** The parts that the words are about. */
  parts: readonly FoundPart[];
}

export interface ResponseOptions {
  links: ManualLinks;
  storeUrl: string;
  includeStoreLink: boolean;
  /** Equipment that was asked about: its places come first. */
  models: readonly string[];
}

export function toQueryResponse(
  { answer, parts }: Wording,
  evidence: Evidence,
  options: ResponseOptions,
): QueryResponse {
  const responses = parts.map((part): PartResponse => {
    const offer = evidence.offerOf(part);
    const link = options.includeStoreLink ? storeLink(offer, options.storeUrl) : undefined;
    return {
      ...toPartResponse(part, offer, options.models, options.links),
      ...(link === undefined ? {} : { store_link: link }),
    };
  });
  const asks = !options.includeStoreLink && parts.some((part) => isForSale(evidence.offerOf(part)));
  return { answer, parts: responses, needs_confirmation: asks, store_link_question: asks ? STORE_LINK_QUESTION : null };
}
