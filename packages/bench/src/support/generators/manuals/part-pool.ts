import { normalize } from "./number-families.ts";
import { priceRows, type PriceRow } from "../../../../../sandbox/src/catalog/price-files.ts";
import type { Random } from "../random.ts";
import { newNumber, SUPPLIERS, type Supplier } from "../suppliers.ts";
import { HARDWARE, type NamedPart } from "./part-names.ts";

/** A part before it is printed. */
export interface PlannedPart {
  partNumber: string;
  name: string;
  /** After its name: `with Gasket`, `3/8-16 x 1-1/4`. */
  variant?: string;
  /** Undefined where the manual says "as required". */
  quantity?: number;
  isCatalogPart: boolean;
  replacedBy?: string;
  reference?: string;
}

const AS_REQUIRED = 0.03;
/** Of the parts that the catalog has by name: the rest are of the maker's families, and the desk finds no price. */
const FROM_CATALOG = 0.85;

const rowsOf = new Map<string, readonly PriceRow[]>();

/** Parts of a manual: real ones of the sandbox's catalog where it has such, each number for one part alone. */
export class PartPool {
  private readonly random: Random;
  private readonly supplier: Supplier;
  private readonly rows: readonly PriceRow[];
  /** Normalised. The catalog's numbers are never made up again. */
  private readonly taken: Set<string>;
  private readonly used = new Set<string>();
  private readonly hardware = new Map<string, PlannedPart>();

  constructor(random: Random, vendor: string) {
    this.random = random;
    this.supplier = SUPPLIERS.find((supplier) => supplier.vendor === vendor)!;
    this.rows = catalogRows(this.supplier);
    this.taken = new Set(this.rows.map((row) => normalize(row.part_number)));
  }

  part(namedPart: NamedPart): PlannedPart {
    const { random } = this;
    const quantity = random.chance(AS_REQUIRED) ? undefined : random.integer(...namedPart.quantity);
    const row =
      namedPart.line !== undefined && random.chance(FROM_CATALOG) ? this.unusedRow(namedPart.line) : undefined;
    if (!row) return { partNumber: this.newNumber(), name: namedPart.name, quantity, isCatalogPart: false };
    const [, variant] = row.title.split(", ");
    return {
      partNumber: row.part_number,
      name: namedPart.name,
      variant: random.chance(0.6) ? variant : undefined,
      quantity,
      isCatalogPart: true,
    };
  }

  /** A bolt or a nut: the same number wherever the same one is used. */
  hardwarePart(): PlannedPart {
    const [name, sizes] = this.random.pick(HARDWARE);
    const variant = this.random.pick(sizes);
    const key = `${name} ${variant}`;
    const plannedPart = this.hardware.get(key) ?? { partNumber: this.newNumber(), name, variant, isCatalogPart: false };
    this.hardware.set(key, plannedPart);
    return { ...plannedPart, quantity: this.random.integer(1, 12) };
  }

  /** A part that is no longer supplied, with its successor: the catalog's own where some are left. */
  superseded(): { old: PlannedPart; successor: PlannedPart } {
    const row = this.rows.find(
      (row) => row.superseded_by !== "" && !this.used.has(row.part_number) && !this.used.has(row.superseded_by),
    );
    if (!row) {
      const successor = { partNumber: this.newNumber(), name: "Service Kit", isCatalogPart: false };
      return {
        old: {
          partNumber: this.newNumber(),
          name: "Service Kit",
          isCatalogPart: false,
          replacedBy: successor.partNumber,
        },
        successor,
      };
    }
    this.used.add(row.part_number).add(row.superseded_by);
    const [name = "", variant] = row.title.split(", ");
    const part = { name, variant, isCatalogPart: true };
    return {
      old: { ...part, partNumber: row.part_number, replacedBy: row.superseded_by },
      successor: { ...part, partNumber: row.superseded_by },
    };
  }

  /** A number of the maker's families that no part has. */
  newNumber(): string {
    return newNumber(this.random, this.supplier, this.taken);
  }

  private unusedRow(line: string): PriceRow | undefined {
    const candidates = this.rows.filter(
      (row) => row.status === "active" && row.title.startsWith(`${line}, `) && !this.used.has(row.part_number),
    );
    const row = candidates.length > 0 ? this.random.pick(candidates) : undefined;
    if (row) this.used.add(row.part_number);
    return row;
  }
}

function catalogRows(supplier: Supplier): readonly PriceRow[] {
  const rows = rowsOf.get(supplier.vendor) ?? priceRows(supplier.vendor);
  rowsOf.set(supplier.vendor, rows);
  return rows;
}
