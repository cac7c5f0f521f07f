import type { Result } from "@partline/api-contracts";
import { type Attributes, type IndexDocument } from "@partline/parts-search";
import { isTire, type TireFacts } from "@partline/parts-language";
import type { Actions } from "../contracts.ts";

export type CatalogPart = Result<Actions["catalog.changes"]>["parts"][number];

export function toIndexDocument(part: CatalogPart): IndexDocument {
  return {
    id: part.id,
    slug: part.slug,
    sku: part.sku,
    skuVariants: part.skuVariants,
    partNumber: part.partNumber,
    pnNorm: part.pnNorm,
    title: part.title,
    description: part.description,
    manufacturer: part.manufacturer,
    vendorName: part.vendorName,
    vendorAliases: part.vendorAliases,
    category: part.category,
    kind: part.kind,
    price: part.price,
    imageUrl: part.media?.images?.[0]?.url ?? null,
    media: part.media,
    status: part.status,
    sources: part.sources,
    availability: part.availability,
    supersededBy: part.supersededBy,
    weightGrams: part.weightGrams,
    hazmat: part.hazmat,
    oversize: part.oversize,
    createdAt: part.createdAt,
    updatedAt: part.updatedAt,
    isTire: isTire(part),
    isHidden: part.hidden,
    ...(part.fits && { fits: part.fits }),
    ...(part.tire && { attributes: toTireAttributes(part.tire) }),
  };
}

function toTireAttributes(tire: TireFacts): Attributes {
  const { size, rim, width, ply, loadIndex, speed, pattern, tube } = tire;
  return {
    tireSize: size,
    tireRim: String(rim),
    tireWidth: String(width),
    ...(ply === undefined ? {} : { tirePly: String(ply) }),
    ...(loadIndex === undefined ? {} : { tireLoadIndex: String(loadIndex) }),
    ...(speed === undefined ? {} : { tireSpeed: speed }),
    ...(pattern === undefined ? {} : { tirePattern: pattern }),
    ...(tube === undefined ? {} : { tireTube: tube }),
  };
}
