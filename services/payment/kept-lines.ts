import type { Line } from "./purchase.ts";

/**
 * A payment intent's metadata holds its lines, so that it becomes an order even if its record is lost, for example with
 * a restored store. A session keeps its line items itself.
 */

/** The provider takes 50 keys of 500 characters; ten are left for the purchase's references. */
const VALUE_MAX = 500;
const MOST_VALUES = 40;
const NAME_MAX = 100;

const keyOf = (index: number): string => `items_${index + 1}`;

/** A line in few characters; its name defaults to its part number. */
type Row = [productId: string, partNumber: string, quantity: number, price: number, name?: string];

/** Returns nothing if the lines do not fit even without their names. */
export function linesAsMetadata(lines: readonly Line[]): Record<string, string> {
  const named = lines.map(({ productId, partNumber, quantity, price, name }): Row => [
    productId,
    partNumber,
    quantity,
    price,
    name.slice(0, NAME_MAX),
  ]);
  const values =
    [named, named.map((row) => row.slice(0, 4))].map(valuesOf).find(({ length }) => length <= MOST_VALUES) ?? [];
  return Object.fromEntries(values.map((value, index) => [keyOf(index), value]));
}

export function linesInMetadata(metadata: Readonly<Record<string, string>>): Line[] | null {
  let text = "";
  for (let index = 0; Object.hasOwn(metadata, keyOf(index)); index++) text += metadata[keyOf(index)]!;
  const rows = parsed(text);
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) return null;
  return rows.map(([productId, partNumber, quantity, price, name = partNumber]) => ({
    productId,
    partNumber,
    name,
    quantity,
    price,
  }));
}

/** Writes ASCII, so that no cut goes through a character. */
function valuesOf(rows: readonly unknown[]): string[] {
  const text = JSON.stringify(rows).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Array.from({ length: Math.ceil(text.length / VALUE_MAX) }, (_, index) =>
    text.slice(index * VALUE_MAX, (index + 1) * VALUE_MAX),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false;
  const [productId, partNumber, quantity, price, name] = row as unknown[];
  return (
    typeof productId === "string" &&
    typeof partNumber === "string" &&
    (name === undefined || typeof name === "string") &&
    Number.isSafeInteger(quantity) &&
    (quantity as number) > 0 &&
    Number.isSafeInteger(price) &&
    (price as number) >= 0
  );
}
