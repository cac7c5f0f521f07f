import { normalizePartNumber } from "@partline/parts-language";
import type { FileContent } from "../import-file.ts";
import { MAX_LENGTH } from "../part-checks.ts";
import { createRemark } from "../remarks.ts";
import {
  type Columns,
  type Fields,
  findUnreadable,
  foldColumnName,
  quote,
  readPartNumber,
  Remark,
} from "@partline/price-files";
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
    repeats: "reference_repeated",
    write: references.write,
  };
}

export function readReference(fields: Fields, vendors: Pick<Vendors, "find">): CrossReference | Remark {
  const unusable = findUnreadable(fields, COLUMNS);
  if (unusable !== undefined) return unusable;
  const getValue = (column: Column): string => (fields[column] ?? "").trim();
  const readNumber = (vendorColumn: Column, column: Column): VendorNumber | Remark => {
    const name = getValue(vendorColumn);
    const vendor = vendors.find(name);
    if (!vendor) return createRemark("vendor_unknown", { value: quote(name) }).locate(vendorColumn);
    const number = readPartNumber(getValue(column));
    if (number instanceof Remark) return number.locate(column);
    return { vendor: vendor.code, pnNorm: normalizePartNumber(number.partNumber), ...number };
  };
  const part = readNumber("vendor", "part_number");
  if (part instanceof Remark) return part;
  const other = readNumber("other_vendor", "other_part_number");
  if (other instanceof Remark) return other;
  if (part.vendor === other.vendor && part.pnNorm === other.pnNorm)
    return createRemark("same_part").locate("other_part_number");
  const directionText = foldColumnName(getValue("direction")) || "both";
  const direction = crossReferenceRule.props.direction.values.find((value) => value === directionText);
  if (!direction) return createRemark("not_direction").locate("direction");
  return { part, other, direction, source: getValue("source") || SOURCE };
}
