import { normalizePartNumber } from "@partline/parts-language";
import type { FileContent } from "../import-file.ts";
import { MAX_LENGTH, readPartNumber } from "../part-checks.ts";
import { type Columns, type Fields, foldColumnName, findUnreadable } from "../price-file/columns.ts";
import type { Vendors } from "../vendors.ts";
import { type CrossReference, type CrossReferences, toReferenceId, type VendorNumber } from "./cross-references.ts";
import { crossReferenceRule, LONGEST_SOURCE } from "../resources.ts";

const COLUMNS = {
  vendor: { longest: 100, required: true },
  part_number: { longest: MAX_LENGTH.partNumber, required: true },
  other_vendor: { longest: 100, required: true },
  other_part_number: { longest: MAX_LENGTH.partNumber, required: true },
  direction: { longest: 20 },
  source: { longest: LONGEST_SOURCE },
} as const satisfies Columns;
type Column = keyof typeof COLUMNS;

/** Of rows that name none. */
const SOURCE = "file";

export function createInterchangeFile(
  vendors: Vendors,
  references: Pick<CrossReferences, "write">,
): FileContent<CrossReference> {
  return {
    columns: COLUMNS,
    read: (fields) => readReference(fields, vendors),
    keyOf: toReferenceId,
    repeats: "The row repeats the two parts",
    write: references.write,
  };
}

export function readReference(fields: Fields, vendors: Pick<Vendors, "find">): CrossReference | string {
  const unusable = findUnreadable(fields, COLUMNS);
  if (unusable !== undefined) return unusable;
  const getValue = (column: Column): string => (fields[column] ?? "").trim();
  const readNumber = (vendorColumn: Column, column: Column): VendorNumber | string => {
    const name = getValue(vendorColumn);
    const vendor = vendors.find(name);
    if (!vendor) return `The column '${vendorColumn}' names no vendor: "${name.slice(0, 40)}"`;
    const number = readPartNumber(getValue(column));
    if (typeof number === "string") return `The column '${column}' ${number}`;
    return { vendor: vendor.code, pnNorm: normalizePartNumber(number.partNumber), ...number };
  };
  const part = readNumber("vendor", "part_number");
  if (typeof part === "string") return part;
  const other = readNumber("other_vendor", "other_part_number");
  if (typeof other === "string") return other;
  if (part.vendor === other.vendor && part.pnNorm === other.pnNorm)
    return "The column 'other_part_number' must be the number of another part";
  const directionText = foldColumnName(getValue("direction")) || "both";
  const direction = crossReferenceRule.props.direction.values.find((value) => value === directionText);
  if (!direction) return "The column 'direction' must be both or one_way, or empty";
  return { part, other, direction, source: getValue("source") || SOURCE };
}
