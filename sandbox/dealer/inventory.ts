import { parse } from "csv-parse/sync";
import { readSampleText } from "../samples.ts";

/** A part as the dealer inventory system describes it. Source: specification, "Dealer inventory (DIS) inquiry". */
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
  /** Returns one part of each manufacturer, to try. */
  examples(): InventoryPart[];
}

const keyOf = (manufacturerCode: string, partNumber: string): string =>
  `${manufacturerCode} ${partNumber.toUpperCase().replace(/[^A-Z0-9]/g, "")}`;

/**
 * Reads samples/dealer-inventory.csv: every part of the price files that the system keeps,
 * most at the file's price, some near it.
 */
export function createDealerInventory(): Inventory {
  const rows = parse<Record<"ManufacturerCode" | "PartNumber" | "Price" | "QtyOnHand", string>>(
    readSampleText("dealer-inventory.csv"),
    { columns: true },
  );
  const parts = rows.map(({ Price, QtyOnHand, ...names }): InventoryPart => {
    const quantity = Number(QtyOnHand);
    return { ...names, Price: Number(Price), Available: quantity > 0, QtyOnHand: quantity };
  });
  const byKey = new Map(parts.map((part) => [keyOf(part.ManufacturerCode, part.PartNumber), part]));
  return {
    size: byKey.size,
    find: (code, number) => byKey.get(keyOf(code, number)),
    examples: () =>
      Object.values(
        Object.groupBy(
          parts.filter(({ Price }) => Price > 0),
          ({ ManufacturerCode }) => ManufacturerCode,
        ),
      ).flatMap((made) => made?.slice(0, 1) ?? []),
  };
}
