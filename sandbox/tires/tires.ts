import { pictureOf } from "../catalog/pictures.ts";
import { randomFrom, type Random } from "../catalog/random.ts";
import { MACHINES, TIRE_BRANDS, TIRE_LINES, TIRE_SIZES, type TireLine } from "./product-lines.ts";

/** A tire or wheel as the supplier lists it. @see design, Catalog, "What we expect of the tire supplier" */
export interface Tire {
  itemNumber: string;
  description: string;
  brand: string;
  size: string;
  category: "Tires" | "Wheels";
  /** Decimal currency units; null where the price is on request. */
  price: number | null;
  currency: string;
  quantityOnHand: number;
  images: string[];
  discontinued: boolean;
  updatedAt: string;
}

/** Shapes of item numbers: `0` a digit, `A` a letter. */
const NUMBERS = ["000-000A", "000-000A", "TL00000", "00000KM"] as const;
const DISCONTINUED = 0.04;
const ON_REQUEST = 0.03;
const OUT_OF_STOCK = 0.12;
const FEW_LEFT = 0.15;
const WITH_IMAGE = 0.3;
const FIRST_UPDATE = Date.parse("2026-01-05T06:00:00Z");
const HOUR_MS = 3_600_000;

/** So many tires and wheels, the same in every run. `imageUrlBase` is where the media service serves images. */
export function tireCatalog(count: number, imageUrlBase: string): Tire[] {
  const random = randomFrom("tires");
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => {
    const itemNumber = newNumber(random, taken);
    const line = TIRE_LINES[index % TIRE_LINES.length]!;
    const size = random.pick(TIRE_SIZES);
    return {
      itemNumber,
      description: `${line.name} ${size} ${random.pick(line.variants)}, ${random.pick([2, 4, 6])} ply, ${random.pick(MACHINES)}`,
      brand: random.pick(TIRE_BRANDS),
      size,
      category: line.category,
      price: random.chance(ON_REQUEST) ? null : retailPrice(random, line),
      currency: "USD",
      quantityOnHand: quantity(random),
      images: random.chance(WITH_IMAGE) ? [`${imageUrlBase}/${pictureOf(line.category).id}`] : [],
      discontinued: random.chance(DISCONTINUED),
      updatedAt: new Date(FIRST_UPDATE + index * HOUR_MS).toISOString(),
    };
  });
}

function newNumber(random: Random, taken: Set<string>): string {
  for (;;) {
    const number = random.code(random.pick(NUMBERS));
    if (taken.has(number)) continue;
    taken.add(number);
    return number;
  }
}

function retailPrice(random: Random, { price: [from, to] }: TireLine): number {
  return Math.floor(random.integer(from, to) / 100) + random.pick([0, 25, 49, 95, 99]) / 100;
}

function quantity(random: Random): number {
  if (random.chance(OUT_OF_STOCK)) return 0;
  return random.chance(FEW_LEFT) ? random.integer(1, 4) : random.integer(5, 240);
}
