import { VENDOR_NAMES, type VendorCode } from "@partline/parts-language";

interface Maker {
  name: string;
  vendor?: VendorCode;
  pattern: RegExp;
}

/** Excludes everyday words and bare codes. */
const isTelling = (name: string, code: string): boolean =>
  name !== code && !["Knight", "Weaver", "Alamo", "Briggs"].includes(name);

const BRANDS: Partial<Record<VendorCode, readonly string[]>> = {
  AGC: ["Massey Ferguson", "Challenger", "Hesston", "Gleaner"],
};
const OTHERS = [
  "John Deere",
  "Husqvarna",
  "Toro",
  "MTD",
  "Cub Cadet",
  "Ariens",
  "Gravely",
  "Exmark",
  "Scag",
  "Snapper",
  "Simplicity",
  "Craftsman",
  "Kubota",
  "Yamaha",
  "Stihl",
  "Tecumseh",
  "Polaris",
  "Bobcat",
  "Case IH",
];

// As written, or in capitals.
const patternOf = (names: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:${names
      .flatMap((name) => [name, name.toUpperCase()])
      .map((name) => name.replaceAll(" ", String.raw`\s+`))
      .join("|")})(?![\p{L}\d])`,
    "u",
  );

const MAKERS: readonly Maker[] = [
  ...Object.entries(VENDOR_NAMES).flatMap(([code, names]): Maker[] => {
    const telling = [...names, ...(BRANDS[code as VendorCode] ?? [])].filter((name) => isTelling(name, code));
    return telling.length > 0 ? [{ name: names[0], vendor: code as VendorCode, pattern: patternOf(telling) }] : [];
  }),
  ...OTHERS.map((name): Maker => ({ name, pattern: patternOf([name]) })),
];

/** The maker named first. */
export function makerIn(text: string): { name: string; vendor?: VendorCode } | undefined {
  const found = MAKERS.map(({ pattern, ...known }) => ({ known, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return found?.known;
}
