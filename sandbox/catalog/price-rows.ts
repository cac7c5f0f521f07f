import { pictureOf } from "./pictures.ts";
import { randomFrom, type Random } from "./random.ts";
import type { ProductLine } from "./product-lines.ts";
import type { Supplier } from "./suppliers.ts";

/** A row of a price file, as the supplier's clerk would type it. */
export interface PriceRow {
  part_number: string;
  title: string;
  description: string;
  category: string;
  list_price: string;
  currency: string;
  status: string;
  image_url: string;
  superseded_by: string;
}

const DISCONTINUED = 0.06;
const SUPERSEDED = 0.7;
const WITHOUT_PRICE = 0.04;
const WITH_IMAGE = 0.3;

/** Every part of a supplier, the same in every run. `imageUrlBase` is where the media service serves images. */
export function priceRows(supplier: Supplier, imageUrlBase: string): PriceRow[] {
  const random = randomFrom(`catalog ${supplier.vendor}`);
  const taken = new Set<string>();
  const rows = Array.from({ length: supplier.parts }, (_, index) => {
    const line = supplier.lines[index % supplier.lines.length]!;
    const partNumber = newNumber(random, supplier, taken);
    const { title, description } = describe(random, supplier, line);
    return {
      part_number: partNumber,
      title,
      description,
      category: line.category,
      list_price: random.chance(WITHOUT_PRICE) ? "" : retailPrice(random, line),
      currency: "USD",
      status: "active",
      image_url: random.chance(WITH_IMAGE) ? `${imageUrlBase}/${pictureOf(line.category).id}` : "",
      superseded_by: "",
    };
  });
  // A part that is no longer made is replaced by one of its own line: the next of it in the file.
  return rows.map((row, index) => {
    if (index === 0 || !random.chance(DISCONTINUED)) return row;
    const successor = rows[index + supplier.lines.length];
    const replaced = successor !== undefined && random.chance(SUPERSEDED);
    return { ...row, status: "discontinued", superseded_by: replaced ? successor.part_number : "" };
  });
}

function describe(random: Random, supplier: Supplier, line: ProductLine): { title: string; description: string } {
  const model = random.pick(supplier.models);
  const variant = random.pick(line.variants);
  const second = random.pick(supplier.models);
  const fits = second === model ? model : `${model} and ${second}`;
  return {
    title: `${line.name}, ${variant}, ${model}`,
    description: `${line.use}. Fits ${fits}. Genuine part, sold by the piece.`,
  };
}

/** A number of one of the supplier's families; its normal form joins `taken`, where it was not. */
export function newNumber(random: Random, supplier: Supplier, taken: Set<string>): string {
  const weighted = supplier.numbers.flatMap(([pattern, weight]) => Array.from({ length: weight }, () => pattern));
  for (;;) {
    const number = random.code(random.pick(weighted));
    const norm = number.replace(/[^A-Z0-9]/g, "");
    if (taken.has(norm)) continue;
    taken.add(norm);
    return number;
  }
}

/** Prices end as list prices do. */
function retailPrice(random: Random, { price: [from, to] }: ProductLine): string {
  const dollars = Math.floor(random.integer(from, to) / 100);
  return `${dollars}.${random.pick(["95", "99", "49", "25", "00"])}`;
}
