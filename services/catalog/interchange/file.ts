import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { FileContent } from "../import-file.ts";
import { MAX_LENGTH } from "../part-checks.ts";
import { numberFlawOf } from "../part-number.ts";
import { unreadable } from "../price-file/cells.ts";
import type { Columns } from "../price-file/columns.ts";
import type { Vendors } from "../vendors.ts";
import { type CrossReference, type CrossReferences, referenceId, type VendorNumber } from "./cross-references.ts";
import { DIRECTIONS, type Direction, LONGEST_SOURCE } from "./rules.ts";

const COLUMNS = {
  names: ["vendor", "part_number", "other_vendor", "other_part_number", "direction", "source"],
  required: ["vendor", "part_number", "other_vendor", "other_part_number"],
} as const satisfies Columns<string>;
type Column = (typeof COLUMNS.names)[number];

const LONGEST: Record<Column, number> = {
  vendor: 100,
  part_number: MAX_LENGTH.partNumber,
  other_vendor: 100,
  other_part_number: MAX_LENGTH.partNumber,
  direction: 20,
  source: LONGEST_SOURCE,
};
/** Of rows that name none. */
const SOURCE = "file";

export function interchangeFile(
  vendors: Vendors,
  references: Pick<CrossReferences, "write">,
): FileContent<Column, CrossReference> {
  return {
    columns: COLUMNS,
    read: (fields) => readReference(fields, vendors),
    keyOf: referenceId,
    repeats: "The row repeats the two parts",
    write: references.write,
  };
}

export function readReference(
  fields: Partial<Record<Column, string>>,
  vendors: Pick<Vendors, "find">,
): { item: CrossReference } | { reason: string } {
  const unusable = unreadable(fields, COLUMNS.required, LONGEST);
  if (unusable !== undefined) return { reason: unusable };
  const value = (column: Column): string => (fields[column] ?? "").trim();
  const numberOf = (vendorColumn: Column, column: Column): VendorNumber | string => {
    const vendor = vendors.find(value(vendorColumn));
    const partNumber = value(column);
    const flaw = numberFlawOf(partNumber);
    if (!vendor) return `The column '${vendorColumn}' names no vendor: "${value(vendorColumn).slice(0, 40)}"`;
    if (flaw !== undefined) return `The column '${column}' ${flaw}`;
    return { vendor: vendor.code, pnNorm: normalizePartNumber(partNumber), partNumber };
  };
  const part = numberOf("vendor", "part_number");
  if (typeof part === "string") return { reason: part };
  const other = numberOf("other_vendor", "other_part_number");
  if (typeof other === "string") return { reason: other };
  if (part.vendor === other.vendor && part.pnNorm === other.pnNorm)
    return { reason: "The column 'other_part_number' must be the number of another part" };
  const direction = readDirection(value("direction"));
  if (!direction) return { reason: "The column 'direction' must be both or one_way, or empty" };
  return { item: { part, other, direction, source: value("source") || SOURCE } };
}

function readDirection(text: string): Direction | undefined {
  const folded = text.toLowerCase().replace(/[\s-]+/g, "_");
  return folded === "" ? "both" : DIRECTIONS.find((direction) => direction === folded);
}
