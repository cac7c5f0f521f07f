import { fold, normalizePartNumber } from "@partline/parts-language";

export function toPartId(vendorCode: string, pnNorm: string): string {
  return `${vendorCode}-${pnNorm}`.toLowerCase();
}

/** Returns the halves in upper case; undefined if it is no part id. */
export function parsePartId(id: string): { vendorCode: string; pnNorm: string } | undefined {
  const match = /^([A-Z]{3})-([A-Z0-9]+)$/.exec(id.toUpperCase());
  return match ? { vendorCode: match[1]!, pnNorm: match[2]! } : undefined;
}

/** Builds the SKU, `CT-{MFG}-{PN}`. */
export function toSku(vendorCode: string, partNumber: string): string {
  return `CT-${vendorCode}-${partNumber.trim().toUpperCase().replace(/\s+/g, "-")}`;
}

/** Lists other spellings of a number, without the SKU itself. */
export function listSkuVariants(vendorCode: string, partNumber: string): string[] {
  const pnNorm = normalizePartNumber(partNumber);
  const variants = [
    partNumber,
    pnNorm,
    `${vendorCode}-${partNumber}`,
    `${vendorCode}${pnNorm}`,
    `CT-${vendorCode}-${pnNorm}`,
  ];
  return [...new Set(variants)].filter((variant) => variant !== toSku(vendorCode, partNumber));
}

export function toSlug(title: string, id: string): string {
  const words = fold(title)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const short = words.slice(0, 80).replace(/-+$/, "");
  return short === "" ? id : `${short}-${id}`;
}
