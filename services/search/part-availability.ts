import { getFrom } from "@partline/toolkit";
import type { CallOrigin } from "@partline/moleculer-kit";
import type { Result, Infer } from "@partline/api-contracts";
import {
  type Availability,
  describeAvailability,
  type Cents,
  normalizePartNumber,
  type PartStatus,
  toDecimal,
} from "@partline/parts-language";
import type { HitDocument, SearchIndex } from "@partline/parts-search";
import { type Actions, call } from "../contracts.ts";
import { type PriceEdit, resolvePrice } from "../shared/part-price.ts";
import { answerInTime } from "./answer-in-time.ts";
import { toHitsQuery } from "./query.ts";
import type { partAvailabilityRule } from "./resources.ts";

export type PartAvailability = Infer<typeof partAvailabilityRule>;
/** The supplier's answer on one part. */
export type Inquired = Result<Actions["dis-router.inquire"]>["parts"][number];

export interface KnownPart {
  id: string;
  title: string;
  price: Cents | null;
  priceEdit?: PriceEdit;
  status: PartStatus;
  availability: Availability;
  stock?: { quantityOnHand: number; own?: number; held?: number };
}

export interface AvailabilitySources {
  find(partNumber: string): Promise<HitDocument | undefined>;
  /** Newer than the index. */
  loadFromCatalog(id: string, timeoutMs: number): Promise<KnownPart>;
  inquire(parts: { vendor: string; partNumber: string }[], deadlineMs: number): Promise<Inquired[]>;
  onError(what: string, error: unknown): void;
}

/** For the whole answer, milliseconds. */
const AVAILABILITY_DEADLINE = 3_000;
/** Time of it for finishing the answer. */
const MARGIN = 100;
/** Time that the router's answer may travel, out of that for asking the supplier. */
const FOR_THE_ROUTER = 150;

export const createAvailabilitySources = (
  origin: CallOrigin,
  index: Pick<SearchIndex, "search">,
  onError: AvailabilitySources["onError"],
): AvailabilitySources => ({
  // Of several makers' parts the first hit.
  find: async (partNumber) => (await answerInTime(findNamedParts(index, partNumber), AVAILABILITY_DEADLINE))[0],
  // No retries: the second try would double the time.
  loadFromCatalog: (id, timeout) => call(origin, "catalog.get", { id }, { timeout }),
  // The router reports parts without an answer a moment after its deadline.
  inquire: async (parts, timeout) => {
    const deadlineMs = Math.max(1, timeout - FOR_THE_ROUTER);
    return (await call(origin, "dis-router.inquire", { parts, deadlineMs }, { timeout })).parts;
  },
  onError,
});

/**
 * Answers in the order of the request. If the supplier or the catalog does not answer in time, the next best known
 * values are given, with the reason. The router's event brings a supplier's new price into the catalog within a second.
 */
export async function checkAvailability(
  partNumbers: readonly string[],
  sources: AvailabilitySources,
): Promise<PartAvailability[]> {
  const endsAt = performance.now() + AVAILABILITY_DEADLINE - MARGIN;
  const getRemainingMs = (): number => Math.max(1, Math.floor(endsAt - performance.now()));
  const createErrorHandler =
    (what: string) =>
    (error: unknown): undefined => {
      sources.onError(what, error);
    };
  const parts = await Promise.all(partNumbers.map((partNumber) => sources.find(partNumber)));
  const foundParts = [...new Map(parts.flatMap((part) => (part ? [[part.id, part] as const] : []))).values()];
  const queriedParts = foundParts.map(({ manufacturer, partNumber }) => ({ vendor: manufacturer.code, partNumber }));
  const [inquired, catalogParts] = await Promise.all([
    queriedParts.length === 0
      ? undefined
      : sources
          .inquire(queriedParts, getRemainingMs())
          .catch(createErrorHandler("The supplier could not be asked for availability")),
    Promise.all(
      foundParts.map(({ id }) =>
        sources
          .loadFromCatalog(id, getRemainingMs())
          .catch(createErrorHandler("The catalog could not be asked for availability")),
      ),
    ),
  ]);
  const answersById = new Map(
    foundParts.map((part, index) => [
      part.id,
      { known: catalogParts[index] ?? keepPrice(part), inquired: inquired?.[index] },
    ]),
  );
  return partNumbers.map((partNumber, index) => {
    const part = parts[index];
    return part ? toAvailability(partNumber, getFrom(answersById, part.id)) : toNotFound(partNumber);
  });
}

/** The index does not say whether the shop set the price, so it stands. */
function keepPrice(part: HitDocument): KnownPart {
  return part.price === null ? part : { ...part, priceEdit: { fixed: toDecimal(part.price) } };
}

/**
 * The supplier's values if they are of now or too recent to ask again, else the shop's with the reason; without stock
 * if the supplier does not have the part. Stock is what checkouts and orders leave.
 */
export function toAvailability(
  partNumber: string,
  { known, inquired }: { known: KnownPart; inquired: Inquired | undefined },
): PartAvailability {
  const answer = inquired?.error === null ? inquired : undefined;
  const live = answer?.found ? answer : undefined;
  const isNotListed = answer?.found === false;
  const toShopPrice = (supplierPrice: Cents | null | undefined): Cents | null =>
    supplierPrice == null ? known.price : resolvePrice(supplierPrice, known.priceEdit);
  const price = toShopPrice(live?.price);
  const { quantityOnHand, own: ownCount, held: heldQuantity = 0 } = known.stock ?? {};
  const dealers = live
    ? live.quantity
    : isNotListed || quantityOnHand === undefined
      ? null
      : quantityOnHand - (ownCount ?? 0);
  const isSold = ownCount === undefined || live?.available !== false;
  const onHand = ownCount === undefined ? dealers : ownCount + (isSold ? (dealers ?? 0) : 0);
  const stock = onHand === null ? null : Math.max(0, onHand - heldQuantity);
  // The shop's own count is of now, and alone decides where it is enough or no dealer can add to it.
  const isCounted = ownCount !== undefined && (ownCount > heldQuantity || isNotListed || isNoDealers(inquired));
  return {
    partNumber: partNumber,
    found: true,
    id: known.id,
    title: known.title,
    price: price === null ? null : toDecimal(price),
    status: known.status,
    availability:
      ownCount !== undefined
        ? describeAvailability({ quantity: stock })
        : live
          ? describeAvailability({ ...live, quantity: stock })
          : isNotListed
            ? "unknown"
            : known.availability,
    stock,
    own: ownCount,
    live: live !== undefined || isCounted,
    ageSeconds: isCounted
      ? 0
      : inquired?.found && inquired.quantity === onHand && toShopPrice(inquired.price) === price
        ? inquired.ageSeconds
        : null,
    reason: live || isCounted ? null : inquired ? (inquired.error ?? "not_listed") : "unavailable",
  };
}

function isNoDealers(inquired: Inquired | undefined): boolean {
  return inquired?.error === "not_asked" || inquired?.error === "retired_vendor";
}

export function summarize(results: readonly PartAvailability[]) {
  return {
    requested: results.length,
    found: results.filter(({ found }) => found).length,
    available: results.filter(
      ({ status, availability }) =>
        status === "active" && (availability === "in_stock" || availability === "low_stock"),
    ).length,
  };
}

function toNotFound(partNumber: string): PartAvailability {
  return {
    partNumber,
    found: false,
    id: null,
    title: null,
    price: null,
    status: null,
    availability: null,
    stock: null,
    live: false,
    ageSeconds: null,
    reason: null,
  };
}

/** Hits that may contain the part: its successor and other makers' parts of the number may be above it. */
const ENOUGH = 20;

/** The parts with this number in any spelling, with or without a vendor; only without one, those it names otherwise. */
export async function findNamedParts(index: Pick<SearchIndex, "search">, partNumber: string): Promise<HitDocument[]> {
  const { hits } = await index.search("parts", toHitsQuery(partNumber, ENOUGH));
  const pnNormQuery = normalizePartNumber(partNumber);
  const namedParts = hits.map(({ document }) => document).filter((document) => isNamed(document, pnNormQuery));
  const exact = namedParts.filter(({ pnNorm }) => pnNorm === pnNormQuery);
  return exact.length > 0 ? exact : namedParts;
}

/** @param queriedNumber normalised */
export function isNamed(
  { pnNorm, sku, skuVariants, manufacturer, vendorName, vendorAliases }: HitDocument,
  queriedNumber: string,
): boolean {
  if (queriedNumber === "") return false;
  const spellings = [
    pnNorm,
    sku,
    ...skuVariants,
    ...[manufacturer.code, vendorName, ...vendorAliases].map((name) => name + pnNorm),
  ];
  return spellings.some((spelling) => normalizePartNumber(spelling) === queriedNumber);
}
