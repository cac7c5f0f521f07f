/**
 * Price files of a shop with 100,000 parts and more, the same in every run for the same size: number families as in the
 * sandbox, vendors by Zipf's law, titles of qualifiers, noun, variant and model, log-normal prices, some parts without
 * a price, some no longer made and some of these replaced.
 */
import type { PriceRow } from "../../../../sandbox/src/catalog/price-files.ts";
import { ENGINE_LINES, MOWER_LINES, SPRAYER_LINES, TRACTOR_LINES } from "../generators/product-lines.ts";
import { randomFrom, type Random } from "../generators/random.ts";
import { NOUNS, QUALIFIERS } from "./nouns.ts";
import { capacity, generateVendors, type GeneratedVendor } from "./vendors.ts";

const DISCONTINUED = 0.06;
const SUPERSEDED = 0.7;
const WITHOUT_PRICE = 0.04;
const WITH_IMAGE = 0.3;
const QUALIFIED = 0.4;
/** Median list price in dollars, and how widely the logarithms of prices are spread. */
const MEDIAN_PRICE = 32;
const PRICE_SPREAD = 1.1;
/** Models of a vendor beside those of the sandbox. */
const MORE_MODELS = 60;
/** A family of numbers that is fuller than this is left alone: chance would hardly find a free one. */
const FULL = 0.5;

const LINES = [
  ...[...ENGINE_LINES, ...MOWER_LINES, ...TRACTOR_LINES, ...SPRAYER_LINES].map(({ name, category, variants, use }) => ({
    name,
    category,
    variants,
    use,
  })),
  ...Object.entries(NOUNS).flatMap(([category, names]) =>
    names.map((name) => ({
      name,
      category,
      variants: ["Standard", "OEM", "Short", "Long", "Kit"],
      use: `${name} of the ${category} group`,
    })),
  ),
];

export interface VendorRow {
  vendor: string;
  row: PriceRow;
}

export function* generatedRows(total: number): Iterable<VendorRow> {
  for (const vendor of generateVendors(total)) for (const row of vendorRows(vendor)) yield { vendor: vendor.code, row };
}

export function* vendorRows(vendor: GeneratedVendor): Iterable<PriceRow> {
  const random = randomFrom(`generated ${vendor.code}`);
  const models = [
    ...vendor.models,
    ...Array.from({ length: MORE_MODELS }, () =>
      random.code(random.pick(["AA000", "A0000", "AA0000A", "000A", "AAA-000"])),
    ),
  ];
  const numbers = newNumbers(random, vendor);
  /** The newest part of each noun that can be ordered. */
  const newest = new Map<string, string>();
  for (let rowCount = 0; rowCount < vendor.parts; rowCount += 1) {
    const line = random.pick(LINES);
    const partNumber = numbers();
    const isActive = !random.chance(DISCONTINUED);
    const successor = !isActive && random.chance(SUPERSEDED) ? newest.get(line.name) : undefined;
    if (isActive) newest.set(line.name, partNumber);
    const model = random.pick(models);
    const qualifier = random.chance(QUALIFIED) ? `${random.pick(QUALIFIERS)} ` : "";
    const id = `${vendor.code}-${partNumber.replace(/[^A-Z0-9]/g, "")}`.toLowerCase();
    yield {
      part_number: partNumber,
      title: `${qualifier}${line.name}, ${random.pick(line.variants)}, ${model}`,
      description: `${line.use}. Fits ${model} and ${random.pick(models)}. Genuine part, sold by the piece.`,
      category: line.category,
      list_price: random.chance(WITHOUT_PRICE) ? "" : price(random),
      currency: "USD",
      status: isActive ? "active" : "discontinued",
      image_url: random.chance(WITH_IMAGE) ? `http://images.invalid/${id}.svg` : "",
      superseded_by: successor ?? "",
    };
  }
}

/** Numbers of the vendor's families, none twice; a family that is full gets a digit more. */
function newNumbers(random: Random, vendor: GeneratedVendor): () => string {
  const usedNumbers = new Set<string>();
  const families = vendor.numbers.flatMap(([pattern, weight]) => {
    const family = { pattern, issued: 0 };
    return Array.from({ length: weight }, () => family);
  });
  return () => {
    for (;;) {
      const family = random.pick(families);
      if (family.issued >= capacity(family.pattern) * FULL)
        Object.assign(family, { pattern: `${family.pattern}0`, issued: 0 });
      const number = family.pattern
        .split(/(\{[^}]*\})/)
        .map((piece) => (piece.startsWith("{") ? piece.slice(1, -1) : random.code(piece)))
        .join("");
      const norm = number.replace(/[^A-Z0-9]/g, "");
      if (usedNumbers.has(norm)) continue;
      usedNumbers.add(norm);
      family.issued += 1;
      return number;
    }
  };
}

/** Draws a price by Box and Muller's method; at least a quarter of a dollar. */
function price(random: Random): string {
  const uniform = (): number => random.integer(1, 1_000_000) / 1_000_001;
  const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return Math.min(99_999, Math.max(0.25, MEDIAN_PRICE * Math.exp(PRICE_SPREAD * normal))).toFixed(2);
}
