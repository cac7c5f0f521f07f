import type { Params, Result } from "../../broker/contract/define.ts";
import type { catalogContract } from "./contract.ts";
import { foldName, normalizePartNumber } from "@partline/parts-language";
import { parsePartId, partId } from "./part-number.ts";
import { availabilityOfPart, type PartDocument } from "./part.ts";
import type { PartReader } from "./part-reader.ts";
import { successorsOf } from "./supersession.ts";
import { makerOf, type Vendor } from "./vendors.ts";

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
  const byNumber = (await loadByNumber(reader, open)).values();
  return byProductId.map((part) => part ?? byNumber.next().value);
}

/** In the order of the ids, in any case. */
export const partsById = (reader: PartReader, ids: readonly string[]): Promise<(PartDocument | undefined)[]> =>
  load(
    reader,
    ids.map((id) => {
      const parsed = parsePartId(id);
      const vendor = parsed && reader.names.find(parsed.vendorCode);
      return vendor && { vendor, pnNorm: parsed.pnNorm };
    }),
  );

type HeldOf = (productIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Returns what a checkout and the desk need to know of parts, in their order.
 * @param successors also of parts that are still sold
 */
export async function pricesOf(
  reader: PartReader,
  parts: readonly (PartDocument | undefined)[],
  { successors, heldOf }: { successors: boolean; heldOf: HeldOf },
): Promise<PricedItem[]> {
  const successorsFound = await Promise.all(
    parts.map(async (part) => {
      const isAsked = part && (successors || part.status === "discontinued");
      return isAsked ? successorOf(reader, part) : undefined;
    }),
  );
  const shown = [...parts, ...successorsFound.map((successor) => successor?.part)];
  const held = await heldOf([...new Set(shown.flatMap((part) => part?._id ?? []))]);
  return parts.map((part, index) => {
    if (!part) return { found: false, price: null };
    const { status, weightGrams, hazmat, oversize } = part;
    const next = successorsFound[index];
    const successor = next && { ...offerOf(next.part, held), manufacturer: next.manufacturer };
    return { found: true, ...offerOf(part, held), status, weightGrams, hazmat, oversize, successor };
  });
}

async function successorOf(
  reader: PartReader,
  part: PartDocument,
): Promise<{ part: PartDocument; manufacturer: string } | undefined> {
  const vendor = reader.names.byCode(part.manufacturer.code);
  const { chain } = await successorsOf(part, async (id) => (await reader.byIds(vendor, [id]))[0]);
  const active = chain.filter(({ status }) => status === "active");
  const successor = active.findLast(({ price }) => price !== null) ?? active.at(-1);
  return successor && { part: successor, manufacturer: makerOf(successor, vendor).name };
}

function offerOf(part: PartDocument, held: ReadonlyMap<string, number>) {
  const { _id: productId, partNumber, title, price, media } = part;
  const availability = availabilityOfPart(part, held.get(productId));
  return { productId, partNumber, title, price, availability, imageUrl: media?.images?.[0]?.url };
}

interface Candidate {
  vendor: Vendor;
  pnNorm: string;
}

async function loadByNumber(reader: PartReader, items: readonly PriceItem[]): Promise<(PartDocument | undefined)[]> {
  const wanted = items.map(({ partNumber, manufacturer }) => ({
    pnNorm: normalizePartNumber(partNumber),
    vendor: manufacturer ? reader.names.find(manufacturer) : undefined,
    brand: manufacturer ? foldName(manufacturer) : undefined,
  }));
  const ofVendor = await load(
    reader,
    wanted.map(({ vendor, pnNorm }) => vendor && { vendor, pnNorm }),
  );
  const anywhere = new Set(wanted.flatMap(({ vendor, pnNorm }) => (vendor || pnNorm === "" ? [] : [pnNorm])));
  const inUse = anywhere.size === 0 ? [] : await reader.vendors();
  const candidates = inUse.flatMap((vendor) => [...anywhere].map((pnNorm) => ({ vendor, pnNorm })));
  const found = (await load(reader, candidates)).filter((part) => part !== undefined);
  return wanted.map(({ vendor, pnNorm, brand }, index) => {
    if (vendor) return ofVendor[index];
    const matches = found.filter(
      (part) => part.pnNorm === pnNorm && (!brand || foldName(part.manufacturer.name) === brand),
    );
    return matches.length === 1 ? matches[0] : undefined;
  });
}

async function load(reader: PartReader, candidates: (Candidate | undefined)[]): Promise<(PartDocument | undefined)[]> {
  const idOf = ({ vendor, pnNorm }: Candidate): string => partId(vendor.code, pnNorm);
  const known = candidates.filter((candidate) => candidate !== undefined);
  const found = await Promise.all(
    [...Map.groupBy(known, ({ vendor }) => vendor)].map(([vendor, some]) =>
      reader.byIds(vendor, [...new Set(some.map(idOf))]),
    ),
  );
  const byId = new Map(found.flat().map((part) => [part._id, part]));
  return candidates.map((candidate) => candidate && byId.get(idOf(candidate)));
}
