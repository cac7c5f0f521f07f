import { foldName } from "@partline/parts-language";
import type { IndexDocument } from "./index-document.ts";

/** Names of the maker in filters, folded. */
export function listManufacturerKeys({ manufacturer, vendorName, vendorAliases }: IndexDocument): string[] {
  return [manufacturer.code, manufacturer.name, vendorName, ...vendorAliases].map(foldName);
}

/** Names of the category in filters, folded. */
export function listCategoryKeys({ category, kind }: IndexDocument): string[] {
  return [category, ...(kind === undefined ? [] : [kind])].map(foldName);
}

/** 0 to 7, ranks parts that match equally well: active counts 4, a price 2, an image 1. */
export function computeQuality({ status, price, imageUrl }: IndexDocument): number {
  return (status === "active" ? 4 : 0) + (price === null ? 0 : 2) + (imageUrl === null ? 0 : 1);
}
