import { fold } from "../../mixins/fold.ts";
import { hasForeignLetter, normalizePartNumber } from "../../mixins/part-number.ts";

export function partId(vendorCode: string, pnNorm: string): string {
  return `${vendorCode}-${pnNorm}`.toLowerCase();
}

/** Says, behind its field's name, why a number cannot come into the catalog; undefined if it can. */
export function numberFlawOf(partNumber: string): string | undefined {
  const quoted = `"${partNumber.slice(0, 40)}"`;
  if (hasForeignLetter(partNumber)) return `has a letter or digit other than A-Z and 0-9: ${quoted}`;
  return normalizePartNumber(partNumber) === "" ? `has no letter or digit: ${quoted}` : undefined;
}

/** Returns the halves in upper case; undefined if it is no part id. */
export function parsePartId(id: string): { vendorCode: string; pnNorm: string } | undefined {
  const match = /^([A-Z]{3})-([A-Z0-9]+)$/.exec(id.toUpperCase());
  return match ? { vendorCode: match[1]!, pnNorm: match[2]! } : undefined;
}

/** `CT-{MFG}-{PN}`. */
export function skuOf(vendorCode: string, partNumber: string): string {
  return `CT-${vendorCode}-${partNumber.trim().toUpperCase().replace(/\s+/g, "-")}`;
}

/** Other spellings, without the SKU itself. */
export function skuVariantsOf(vendorCode: string, partNumber: string): string[] {
  const pnNorm = normalizePartNumber(partNumber);
  const variants = [
    partNumber,
    pnNorm,
    `${vendorCode}-${partNumber}`,
    `${vendorCode}${pnNorm}`,
    `CT-${vendorCode}-${pnNorm}`,
  ];
  return [...new Set(variants)].filter((variant) => variant !== skuOf(vendorCode, partNumber));
}

export function slugOf(title: string, id: string): string {
  const words = fold(title)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const short = words.slice(0, 80).replace(/-+$/, "");
  return short === "" ? id : `${short}-${id}`;
}
