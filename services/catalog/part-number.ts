import { fold } from "../../mixins/fold.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";

/** A part's id: `{code}-{pnNorm}` in lower case. */
export function partId(vendorCode: string, pnNorm: string): string {
  return `${vendorCode}-${pnNorm}`.toLowerCase();
}

/** The two halves of a part's id, in upper case, or undefined when it is not one. */
export function parsePartId(id: string): { vendorCode: string; pnNorm: string } | undefined {
  const match = /^([A-Z]{3})-([A-Z0-9]+)$/.exec(id.toUpperCase());
  return match ? { vendorCode: match[1]!, pnNorm: match[2]! } : undefined;
}

/** `CT-{MFG}-{PN}`. */
export function skuOf(vendorCode: string, partNumber: string): string {
  return `CT-${vendorCode}-${partNumber.trim().toUpperCase().replace(/\s+/g, "-")}`;
}

/** Other ways in which a part's number is written, without the SKU itself. */
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

/** A readable, unique path segment: the title's words and the id. */
export function slugOf(title: string, id: string): string {
  const words = fold(title)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const short = words.slice(0, 80).replace(/-+$/, "");
  return short === "" ? id : `${short}-${id}`;
}
