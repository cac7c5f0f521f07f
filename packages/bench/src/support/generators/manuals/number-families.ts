/** Part-number families by shape, the narrower first. Source: design, "Document pipeline". */
const SHAPES: readonly (readonly [family: string, shape: RegExp])[] = [
  ["sku", /^CT-[A-Z]{3}-.+$/],
  ["dot-form", /^\d{2}\.[0-9A-Z]{4}$/],
  ["ber", /^BER\d+$/],
  ["f350", /^F350\d+$/],
  ["six-digits-790-614-713", /^(790|614|713)\d{3}$/],
  ["six-digits", /^\d{6}$/],
  ["six-digits-letter", /^\d{6}[A-Z]{1,2}$/],
  ["5-3-3", /^\d{5}-[0-9A-Z]{3}-[0-9A-Z]{3}$/],
  ["5-4", /^\d{5}-\d{4}$/],
  ["2-3-2", /^\d{2} \d{3} \d{2}(-S)?$/],
  ["3-3-letter", /^\d{3}-\d{3}[A-Z]$/],
  ["letter-prefix", /^[A-Z]{1,3}\d{3,8}[A-Z]?$/],
  ["eight-to-ten-digits", /^\d{8,10}$/],
];

/** Family of a number by its shape; `other` where only its label or column shows that it is a part's. */
export function findFamily(partNumber: string): string {
  return SHAPES.find(([, shape]) => shape.test(partNumber))?.[0] ?? "other";
}

/** A number in upper case, letters and digits only. Source: design, "Catalog". */
export const normalize = (partNumber: string): string => partNumber.toUpperCase().replace(/[^A-Z0-9]/g, "");
