import { normalizePartNumber } from "../../mixins/part-number.ts";
import { priceRows, type PriceRow } from "../catalog/price-rows.ts";
import { randomFrom, type Random } from "../catalog/random.ts";
import { SUPPLIERS } from "../catalog/suppliers.ts";

/** A part as the dealer inventory system tells of it. Source: specification, "Dealer inventory (DIS) inquiry". */
export interface InventoryPart {
  ManufacturerCode: string;
  PartNumber: string;
  /** Decimal currency units; 0 where there is none. */
  Price: number;
  Available: boolean;
  QtyOnHand: number;
}

export interface Inventory {
  size: number;
  find(manufacturerCode: string, partNumber: string): InventoryPart | undefined;
  /** One part of each manufacturer, to try. */
  examples(): InventoryPart[];
}

/** The manufacturers' codes there. */
const CODES = ["AGC", "ALM", "B&S", "BUS", "HON", "KAW", "KIN", "KOH", "NHL", "VNT", "WDS"] as const;

const PRICE_MOVED = 0.12;
const PRICE_WITHOUT_LIST = 0.5;
const OUT_OF_STOCK = 0.12;
const FEW_LEFT = 0.18;

/** Every part of the suppliers' price files that the system keeps, the same in every run: most at the file's price, some near it. */
export function dealerInventory(): Inventory {
  const parts = new Map<string, InventoryPart>();
  // A number that two files have is that of the manufacturer's own file.
  const files = SUPPLIERS.flatMap((supplier) =>
    priceRows(supplier, "").map((row) => ({ own: supplier.vendor, code: codeOf(supplier.vendor, row), row })),
  );
  for (const { code, row } of files.sort((a, b) => Number(b.own === b.code) - Number(a.own === a.code))) {
    const key = `${code} ${normalizePartNumber(row.part_number)}`;
    if (code !== undefined && !parts.has(key)) parts.set(key, stocked(code, row));
  }
  return {
    size: parts.size,
    find: (code, number) => parts.get(`${code} ${normalizePartNumber(number)}`),
    examples: () =>
      CODES.flatMap(
        (code) =>
          [...parts.values()].find(({ ManufacturerCode, Price }) => ManufacturerCode === code && Price > 0) ?? [],
      ),
  };
}

/**
 * Whose parts a price file's row is kept among; undefined for those that the system does not keep. Briggs & Stratton's own file
 * has parts that come from two other makers, told by their numbers.
 */
function codeOf(vendor: string, { part_number: number }: PriceRow): (typeof CODES)[number] | undefined {
  if (vendor !== "BNS") return CODES.find((code) => code === vendor);
  if (number[2] === ".") return "VNT";
  if (number.startsWith("BER") || number.startsWith("F350")) return "NHL";
  return number.length === 6 && ["790", "614", "713"].includes(number.slice(0, 3)) && /^\d+$/.test(number)
    ? "NHL"
    : "B&S";
}

function stocked(code: string, { part_number, list_price, status }: PriceRow): InventoryPart {
  const random = randomFrom(`dealer ${code} ${part_number}`);
  const quantity = status === "active" ? quantityOf(random) : 0;
  return {
    ManufacturerCode: code,
    PartNumber: part_number,
    Price: priceOf(random, list_price),
    Available: quantity > 0,
    QtyOnHand: quantity,
  };
}

function priceOf(random: Random, listPrice: string): number {
  const list = Math.round(Number(listPrice) * 100);
  if (list === 0) return random.chance(PRICE_WITHOUT_LIST) ? random.integer(5, 300) + 0.95 : 0;
  return (random.chance(PRICE_MOVED) ? Math.round(list * (1 + random.pick([-3, -2, 2, 4, 6]) / 100)) : list) / 100;
}

function quantityOf(random: Random): number {
  if (random.chance(OUT_OF_STOCK)) return 0;
  return random.chance(FEW_LEFT) ? random.integer(1, 4) : random.integer(5, 120);
}
