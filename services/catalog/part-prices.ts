import type { Params, Result } from "../../broker/contract/define.ts";
import type { catalogContract } from "./contract.ts";
import { foldName } from "../../mixins/fold.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { parsePartId, partId } from "./part-number.ts";
import { availabilityOfPart, type PartDocument } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import { successorsOf } from "./supersession.ts";
import { makerOf, type Vendor, type Vendors } from "./vendors.ts";

type PriceAction = (typeof catalogContract)["actions"]["price"];
type PriceItem = Params<PriceAction>["items"][number];
type PricedItem = Result<PriceAction>["items"][number];

/**
 * Finds parts with one indexed look-up a vendor. A manufacturer that is no vendor is a brand; a number without one
 * counts only if it is unique in the catalog.
 */
export async function findParts(
  reader: PartReader,
  items: readonly PriceItem[],
): Promise<(PartDocument | undefined)[]> {
  const byProductId = await partsById(
    reader,
    items.map(({ productId }) => productId),
  );
  const open = items.filter((_, index) => !byProductId[index]);
  const byNumber = await loadByNumber(reader, open);
  let next = 0;
  return items.map((_, index) => byProductId[index] ?? byNumber[next++]);
}

/** In the order of the ids, in any case. */
export const partsById = (reader: PartReader, ids: readonly string[]): Promise<(PartDocument | undefined)[]> =>
  load(
    reader,
    ids.map((id) => idCandidate(reader.names, id)),
  );

/** @param successors also of parts that are still sold */
export async function priceOf(
  reader: PartReader,
  part: PartDocument | undefined,
  successors: boolean,
): Promise<PricedItem> {
  if (!part) return { found: false, price: null };
  const { _id: productId, partNumber, title, status, price, media, weightGrams, hazmat, oversize } = part;
  const successor = successors || status === "discontinued" ? await successorOf(reader, part) : undefined;
  return {
    found: true,
    productId,
    partNumber,
    title,
    status,
    price,
    availability: availabilityOfPart(part),
    imageUrl: media?.images?.[0]?.url,
    weightGrams,
    hazmat,
    oversize,
    successor: successor && toSuccessor(reader, successor),
  };
}

async function successorOf(reader: PartReader, part: PartDocument): Promise<PartDocument | undefined> {
  const vendor = reader.names.byCode(part.manufacturer.code);
  const { chain } = await successorsOf(part, async (id) => (await reader.byIds(vendor, [id]))[0]);
  const active = chain.filter(({ status }) => status === "active");
  return active.findLast(({ price }) => price !== null) ?? active.at(-1);
}

interface Candidate {
  vendor: Vendor;
  id: string;
}

function idCandidate(names: Vendors, productId: string): Candidate | undefined {
  const parsed = parsePartId(productId);
  const vendor = parsed && names.find(parsed.vendorCode);
  return vendor ? { vendor, id: partId(vendor.code, parsed.pnNorm) } : undefined;
}

async function loadByNumber(reader: PartReader, items: readonly PriceItem[]): Promise<(PartDocument | undefined)[]> {
  const wanted = items.map(({ partNumber, manufacturer }) => ({
    pnNorm: normalizePartNumber(partNumber),
    vendor: manufacturer ? reader.names.find(manufacturer) : undefined,
    brand: manufacturer ? foldName(manufacturer) : undefined,
  }));
  const ofVendor = await load(
    reader,
    wanted.map(({ vendor, pnNorm }) => vendor && { vendor, id: partId(vendor.code, pnNorm) }),
  );
  const anywhere = wanted.filter(({ vendor, pnNorm }) => !vendor && pnNorm !== "");
  const found =
    anywhere.length === 0 ? [] : await loadAnywhere(reader, [...new Set(anywhere.map(({ pnNorm }) => pnNorm))]);
  return wanted.map(({ vendor, pnNorm, brand }, index) => {
    if (vendor) return ofVendor[index];
    const matches = found.filter(
      (part) => part.pnNorm === pnNorm && (!brand || foldName(part.manufacturer.name) === brand),
    );
    return matches.length === 1 ? matches[0] : undefined;
  });
}

async function loadAnywhere(reader: PartReader, numbers: string[]): Promise<PartDocument[]> {
  const inUse = await reader.vendors();
  const parts = await Promise.all(
    inUse.map((vendor) =>
      reader.byIds(
        vendor,
        numbers.map((pnNorm) => partId(vendor.code, pnNorm)),
      ),
    ),
  );
  return parts.flat();
}

async function load(reader: PartReader, candidates: (Candidate | undefined)[]): Promise<(PartDocument | undefined)[]> {
  const idsByVendor = new Map<Vendor, Set<string>>();
  for (const candidate of candidates) {
    if (!candidate) continue;
    idsByVendor.set(candidate.vendor, (idsByVendor.get(candidate.vendor) ?? new Set()).add(candidate.id));
  }
  const found = await Promise.all([...idsByVendor].map(([vendor, ids]) => reader.byIds(vendor, [...ids])));
  const byId = new Map(found.flat().map((part) => [part._id, part]));
  return candidates.map((candidate) => candidate && byId.get(candidate.id));
}

function toSuccessor({ names }: PartReader, part: PartDocument): NonNullable<PricedItem["successor"]> {
  const { _id: productId, partNumber, title, price, media } = part;
  return {
    productId,
    partNumber,
    title,
    manufacturer: makerOf(part, names.byCode(part.manufacturer.code)).name,
    price,
    availability: availabilityOfPart(part),
    imageUrl: media?.images?.[0]?.url,
  };
}
