import { normalize } from "./number-families.ts";
import { findFamily } from "./number-families.ts";
import type { PlannedPart } from "./part-pool.ts";
import { printedName, type ColumnKind, type ManualStyle } from "./style.ts";
import { drawTable, type Column, type TableLook } from "./table.ts";
import type { Surface } from "./surface.ts";
import type { Layout, PartTruth } from "./truth.ts";
import { noteDistractors, type Area, type Writing } from "./writing.ts";

const ON_TWO_LINES = 0.2;
const SERIAL = "From S/N";
const REMARKS = ["", "", "", "", "LH", "RH", "Not shown", "Incl. 2, 3", "2018 and up"];

export interface PartsTable {
  parts: readonly PlannedPart[];
  order: readonly ColumnKind[];
  columns: readonly Column[];
  rows: readonly string[][];
}

/** The parts of a figure as this maker's table has them. */
export function partsTable(
  { random, style }: Writing,
  parts: readonly PlannedPart[],
  { order = style.order, isNarrow = false }: { order?: readonly ColumnKind[]; isNarrow?: boolean } = {},
): PartsTable {
  const columns = order.map((kind): Column => ({
    header: style.headers[kind],
    align: kind === "quantity" || kind === "reference" ? "centre" : "left",
    width: kind === "description" ? "rest" : kind === "remarks" ? 86 : undefined,
  }));
  const rows = parts.map((part) => {
    const twoLines = !isNarrow && part.variant !== undefined && random.chance(ON_TWO_LINES);
    const description = twoLines
      ? `${printedName(style, { name: part.name })},\n${part.variant}`
      : printedName(style, part);
    const serial = random.chance(0.08) ? `${SERIAL} ${random.code("{1}0000000")}` : undefined;
    const remark = part.replacedBy === undefined ? (serial ?? random.pick(REMARKS)) : `Use ${part.replacedBy}`;
    const cells: Record<ColumnKind, string> = {
      reference: part.reference ?? "",
      partNumber: part.partNumber,
      description,
      quantity: style.quantity(part.quantity),
      remarks: remark,
    };
    return order.map((kind) => cells[kind]);
  });
  return { parts, order, columns, rows };
}

/** Draws what there is room for and notes it. Answers how many parts that were, and the y below. */
export function drawParts(
  writing: Writing,
  surface: Surface,
  {
    table,
    from,
    area,
    look,
    page,
    layout,
    figure,
  }: {
    table: PartsTable;
    from: number;
    area: Area;
    look: TableLook;
    page: number;
    layout: Layout;
    figure: PartTruth["figure"];
  },
): { drawn: number; bottom: number } {
  const { truth } = writing;
  const drawn = drawTable(surface, area, { columns: table.columns, rows: table.rows.slice(from), look });
  if (drawn.rows === 0) return { drawn: 0, bottom: drawn.bottom };
  truth.tables.push({ page, layout, headerRows: 1, cells: drawn.cells });
  const column = (kind: ColumnKind): number => table.order.indexOf(kind);
  table.parts.slice(from, from + drawn.rows).forEach((part, index) => {
    const cells = drawn.cells[index + 1]!;
    const description = cells[column("description")];
    truth.parts.push({
      ...partTruth(writing, part, {
        page,
        layout,
        ledBy: "column-header",
        box: drawn.boxes[index + 1]![column("partNumber")]!,
      }),
      ...(part.quantity === undefined ? {} : { quantity: part.quantity }),
      ...(description === undefined ? {} : { description }),
      ...(part.reference !== undefined && column("reference") >= 0 ? { reference: part.reference } : {}),
      ...(figure ? { figure } : {}),
    });
    const remark = drawn.boxes[index + 1]![column("remarks")];
    if (remark && cells[column("remarks")]!.startsWith(SERIAL))
      noteDistractors(writing, page, [cells[column("remarks")]!]);
    if (part.replacedBy === undefined || !remark) return;
    truth.parts.push(
      partTruth(
        writing,
        { ...part, partNumber: part.replacedBy, replacedBy: undefined },
        { page, layout, ledBy: "replaced-by", box: remark },
      ),
    );
  });
  return { drawn: drawn.rows, bottom: drawn.bottom };
}

export function partTruth(
  { truth }: Pick<Writing, "truth">,
  part: PlannedPart,
  where: Pick<PartTruth, "page" | "layout" | "ledBy" | "box">,
): PartTruth {
  return {
    partNumber: part.partNumber,
    pnNorm: normalize(part.partNumber.replace(/^CT-[A-Z]{3}-/, "")),
    family: findFamily(part.partNumber),
    vendor: truth.vendor,
    isCatalogPart: part.isCatalogPart,
    name: part.name,
    ...where,
    ...(part.replacedBy === undefined ? {} : { replacedBy: part.replacedBy }),
  };
}

/** The columns with a reference, for tables that belong to a drawing. */
export function withReference(style: ManualStyle): readonly ColumnKind[] {
  return style.order.includes("reference") ? style.order : ["reference", ...style.order];
}

export function withoutRemarks(style: ManualStyle): readonly ColumnKind[] {
  return style.order.filter((kind) => kind !== "remarks");
}
