import type { Params, Result } from "@partline/api-contracts";
import type { catalogContract } from "./contract.ts";
import { notFound } from "../../mixins/errors.ts";
import { foldName, normalizePartNumber } from "@partline/parts-language";
import { parsePartId, toPartId } from "./part-number.ts";
import { resolveAvailability, type PartDocument } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import { followSuccessors } from "./supersession.ts";
import { resolveMaker, type Vendor } from "./vendors.ts";

type PriceAction = (typeof catalogContract)["actions"]["price"];
type PriceItem = Params<PriceAction>["items"][number];
type FoundPart = PartDocument | undefined;
type PricedItem = Result<PriceAction>["items"][number];

/**
 * Finds parts with one indexed look-up a vendor. A manufacturer that is no vendor is a brand; a number without one
 * counts only if it is unique in the catalog.
 */
export async function findParts(reader: PartReader, items: readonly PriceItem[]): Promise<FoundPart[]> {
  const productIds = items.map(({ productId }) => productId);
  const partsByProductId = await findPartsById(reader, productIds);
  const openItems = items.filter((_, index) => !partsByProductId[index]);
  const partsByNumber = (await loadByNumber(reader, openItems)).values();
  return partsByProductId.map((part) => part ?? partsByNumber.next().value);
}

/** Finds parts, in the order of the ids. */
export async function findPartsById(reader: PartReader, ids: readonly string[]): Promise<FoundPart[]> {
  await learnVendors(reader, ids);
  return load(
    reader,
    ids.map((id) => {
      const parsed = parsePartId(id);
      const vendor = parsed && reader.names.find(parsed.vendorCode);
      return vendor && { vendor, pnNorm: parsed.pnNorm };
    }),
  );
}

/** Takes in the vendors of parts that another process has made. */
export const learnVendors = (reader: PartReader, ids: readonly string[]): Promise<void> =>
  reader.names.learn(ids.flatMap((id) => parsePartId(id)?.vendorCode ?? []));

/** @throws NOT_FOUND */
export async function getPartById(reader: PartReader, id: string): Promise<{ vendor: Vendor; part: PartDocument }> {
  const [part] = await findPartsById(reader, [id]);
  if (!part) throw notFound("Part", id);
  return { vendor: reader.names.getByCode(part.manufacturer.code), part };
}

type HeldOf = (productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Returns what a checkout and the desk need to know of parts, in their order.
 * @param successors also of parts that are still sold
 */
export async function presentPrices(
  reader: PartReader,
  parts: readonly FoundPart[],
  { successors, heldOf }: { successors: boolean; heldOf: HeldOf },
): Promise<PricedItem[]> {
  const successorsFound = await Promise.all(
    parts.map(async (part) => {
      const isAsked = part && (successors || part.status === "discontinued");
      return isAsked ? findSuccessor(reader, part) : undefined;
    }),
  );
  const shownParts = [...parts, ...successorsFound.map((successor) => successor?.part)];
  const heldByPart = await heldOf([...new Set(shownParts.flatMap((part) => part?._id ?? []))]);
  return parts.map((part, index) => {
    if (!part) return { found: false, price: null };
    const { status, weightGrams, hazmat, oversize } = part;
    const next = successorsFound[index];
    const successor = next && { ...presentOffer(next.part, heldByPart), manufacturer: next.manufacturer };
    return { found: true, ...presentOffer(part, heldByPart), status, weightGrams, hazmat, oversize, successor };
  });
}

async function findSuccessor(
  reader: PartReader,
  part: PartDocument,
): Promise<{ part: PartDocument; manufacturer: string } | undefined> {
  const vendor = reader.names.getByCode(part.manufacturer.code);
  const { chain } = await followSuccessors(part, async (id) => (await reader.findByIds(vendor, [id]))[0]);
  const active = chain.filter(({ status }) => status === "active");
  const successor = active.findLast(({ price }) => price !== null) ?? active.at(-1);
  return successor && { part: successor, manufacturer: resolveMaker(successor, vendor).name };
}

function presentOffer(part: PartDocument, heldByPart: ReadonlyMap<string, number>) {
  const { _id: productId, partNumber, title, price, media } = part;
  const availability = resolveAvailability(part, heldByPart.get(productId));
  return { productId, partNumber, title, price, availability, imageUrl: media?.images?.[0]?.url };
}

interface Candidate {
  vendor: Vendor;
  pnNorm: string;
}

async function loadByNumber(reader: PartReader, items: readonly PriceItem[]): Promise<FoundPart[]> {
  const queries = items.map(({ partNumber, manufacturer }) => ({
    pnNorm: normalizePartNumber(partNumber),
    vendor: manufacturer ? reader.names.find(manufacturer) : undefined,
    brand: manufacturer ? foldName(manufacturer) : undefined,
  }));
  const vendorQueries = queries.map(({ vendor, pnNorm }) => vendor && { vendor, pnNorm });
  const vendorParts = await load(reader, vendorQueries);
  const anywhere = new Set(queries.flatMap(({ vendor, pnNorm }) => (vendor || pnNorm === "" ? [] : [pnNorm])));
  const inUse = anywhere.size === 0 ? [] : await reader.listVendors();
  const candidates = inUse.flatMap((vendor) => [...anywhere].map((pnNorm) => ({ vendor, pnNorm })));
  const matchingParts = (await load(reader, candidates)).filter((part) => part !== undefined);
  return queries.map(({ vendor, pnNorm, brand }, index) => {
    if (vendor) return vendorParts[index];
    const matches = matchingParts.filter(
      (part) => part.pnNorm === pnNorm && (!brand || foldName(part.manufacturer.name) === brand),
    );
    return matches.length === 1 ? matches[0] : undefined;
  });
}

async function load(reader: PartReader, candidates: (Candidate | undefined)[]): Promise<FoundPart[]> {
  const toCandidateId = ({ vendor, pnNorm }: Candidate): string => toPartId(vendor.code, pnNorm);
  const candidatesWithVendor = candidates.filter((candidate) => candidate !== undefined);
  const partsByVendor = await Promise.all(
    [...Map.groupBy(candidatesWithVendor, ({ vendor }) => vendor)].map(([vendor, vendorCandidates]) =>
      reader.findByIds(vendor, [...new Set(vendorCandidates.map(toCandidateId))]),
    ),
  );
  const partsById = new Map(partsByVendor.flat().map((part) => [part._id, part]));
  return candidates.map((candidate) => candidate && partsById.get(toCandidateId(candidate)));
}
