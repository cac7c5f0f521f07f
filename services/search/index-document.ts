import type { Result } from "../../broker/contract/define.ts";
import type { IndexDocument } from "../../mixins/search-index/port.ts";
import { tireAttributes } from "./tires.ts";
import { isTire } from "../../mixins/tires.ts";
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
    ...(part.description === undefined ? {} : { description: part.description }),
    manufacturer: part.manufacturer,
    vendorName: part.vendorName,
    vendorAliases: part.vendorAliases,
    category: part.category,
    ...(part.kind === undefined ? {} : { kind: part.kind }),
    price: part.price,
    imageUrl: part.media?.images?.[0]?.url ?? null,
    media: part.media,
    status: part.status,
    sources: part.sources,
    availability: part.availability,
    ...(part.supersededBy === undefined ? {} : { supersededBy: part.supersededBy }),
    weightGrams: part.weightGrams,
    hazmat: part.hazmat,
    oversize: part.oversize,
    createdAt: part.createdAt,
    updatedAt: part.updatedAt,
    isTire: isTire(part),
    ...(part.tire && { attributes: tireAttributes(part.tire) }),
  };
}
