import { SUPPLIERS, type Supplier } from "../generators/suppliers.ts";

/** In the order in which the catalog was drawn that the judged searches are over: another draws another. */
const CODES = [
  ..."AGC ALM BNS BUS HON KAW KIN KOH NHL VNT WDS AMC ART CLC DFE EZT GRP GRE HAR HLA HOT IVA KIL".split(" "),
  ..."KNI KOR KRE KUH LAN MAC MAR MCH MID MIS PTZ RIS RIT SNX SWP TXT UEB VAL WVR RAV KMT".split(" "),
];

export interface GeneratedVendor {
  code: string;
  parts: number;
  /** As of a supplier of the sandbox: its own families, or those of another where it has none. */
  numbers: Supplier["numbers"];
  models: readonly string[];
}

/** Every vendor with its share of the parts by Zipf's law; those with the roomiest number families have the most. */
export function generateVendors(total: number): GeneratedVendor[] {
  const ranked = CODES.map((code, index) => {
    const supplier = SUPPLIERS.find(({ vendor }) => vendor === code);
    const { numbers, models } = supplier ?? SUPPLIERS[index % SUPPLIERS.length]!;
    return { code, numbers, models };
  }).sort((a, b) => room(b.numbers) - room(a.numbers));
  const harmonic = ranked.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  const vendors = ranked.map((vendor, rank) => ({ ...vendor, parts: Math.floor(total / (rank + 1) / harmonic) }));
  const rest = total - vendors.reduce((sum, { parts }) => sum + parts, 0);
  return vendors.map((vendor, rank) => (rank === 0 ? { ...vendor, parts: vendor.parts + rest } : vendor));
}

/** Counts the numbers that a pattern can make. */
export function capacity(pattern: string): number {
  const open = pattern.replace(/\{[^}]*\}/g, "");
  return 10 ** (open.match(/0/g)?.length ?? 0) * 24 ** (open.match(/A/g)?.length ?? 0);
}

function room(numbers: Supplier["numbers"]): number {
  return Math.max(...numbers.map(([pattern]) => capacity(pattern)));
}
