import type { Infer } from "@partline/api-contracts";
import { normalizePartNumber, toDecimal } from "@partline/parts-language";
import type { interchangeRule, kitRule } from "../../shared/indexed-part.ts";
import { toPartId } from "../part-number.ts";
import { findPartsById } from "../part-prices.ts";
import type { PartReader } from "../part-reader.ts";
import { resolveAvailability, type PartDocument } from "../part.ts";
import type { standInRule } from "../resources.ts";
import type { Vendor, Vendors } from "../vendors.ts";
import type { CrossReferences, Reached } from "./cross-references.ts";

type Interchange = Infer<typeof interchangeRule>;
type InKit = Infer<typeof kitRule>;

/** Finds what can be used in place of a part, and what it can be used in place of. */
export async function findInterchange(
  { pnNorm, manufacturer: { code } }: PartDocument,
  references: Pick<CrossReferences, "reach">,
  reader: PartReader,
): Promise<Interchange[]> {
  const start = [{ pnNorm, isOf: (vendor: string) => vendor === code }];
  const [to, from] = await Promise.all([references.reach(start, "to"), references.reach(start, "from")]);
  const toReachedId = ({ vendor, pnNorm }: Reached): string => toPartId(vendor, pnNorm);
  const back = new Set(from.map(toReachedId));
  const forth = new Set(to.map(toReachedId));
  const reachedParts = [...to, ...from.filter((reference) => !forth.has(toReachedId(reference)))].sort(
    (a, b) => a.steps - b.steps,
  );
  const parts = await findPartsById(reader, reachedParts.map(toReachedId));
  return reachedParts.map((reference, index) => ({
    partNumber: reference.partNumber,
    manufacturer: presentMaker(reader.names, reference.vendor),
    direction: !forth.has(toReachedId(reference)) ? "from" : back.has(toReachedId(reference)) ? "both" : "to",
    steps: reference.steps,
    sources: reference.sources,
    ...presentCatalogPart(parts[index]),
  }));
}

/** The parts that can be used in place of numbers. @param numbers of any vendor, or of that with this name */
export async function findStandIns(
  numbers: readonly { pnNorm: string; vendor?: string }[],
  references: Pick<CrossReferences, "reach">,
  vendors: Pick<Vendors, "find">,
): Promise<Infer<typeof standInRule>[]> {
  const starts = numbers.map(({ pnNorm, vendor: name }) => ({
    pnNorm,
    isOf: name === undefined ? undefined : (code: string) => normalizeNames(vendors.find(code)).has(name),
  }));
  return (await references.reach(starts, "to")).map(({ vendor, pnNorm, start, steps, sources }) => ({
    vendor,
    pnNorm,
    of: { partNumber: start.partNumber, manufacturer: presentMaker(vendors, start.vendor), steps, sources },
  }));
}

function normalizeNames(vendor: Vendor | undefined): Set<string> {
  return new Set(vendor ? [vendor.code, vendor.name, ...vendor.aliases].map(normalizePartNumber) : []);
}

/** The parts of a kit, in the order of its file. */
export async function findKit({ components = [] }: PartDocument, reader: PartReader): Promise<InKit[]> {
  const parts = await findPartsById(
    reader,
    components.map(({ vendor, partNumber }) => toPartId(vendor, normalizePartNumber(partNumber))),
  );
  return components.map((component, index) => ({ ...component, ...presentCatalogPart(parts[index]) }));
}

function presentMaker(vendors: Pick<Vendors, "find">, code: string) {
  return { name: vendors.find(code)?.name ?? code, code };
}

function presentCatalogPart(part: PartDocument | undefined) {
  if (!part) return {};
  const { _id: id, title, status, price } = part;
  const decimal = price === null ? null : toDecimal(price);
  return { part: { id, title, status, price: decimal, availability: resolveAvailability(part) } };
}
