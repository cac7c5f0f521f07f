import type { Random } from "../random.ts";
import type { FontFamily } from "./pdf-pages.ts";
import type { TableLook } from "./table.ts";

export type ColumnKind = "reference" | "partNumber" | "description" | "quantity" | "remarks";

/** The look of one maker's manuals: what differs among real ones. */
export interface ManualStyle {
  family: FontFamily;
  /** Letter or A4, points. */
  size: readonly [width: number, height: number];
  margin: number;
  /** Points. */
  text: number;
  headers: Readonly<Record<ColumnKind, string>>;
  order: readonly ColumnKind[];
  /** `BOLT, BLADE` for Blade Bolt. */
  isInverted: boolean;
  isUpperCase: boolean;
  padding: { x: number; y: number };
  headerLook: "plain" | "underlined" | "dark";
  quantity: (quantity: number | undefined) => string;
  /** The heading of a figure. */
  figure: (label: string, title: string) => string;
  label: (index: number) => string;
  continued: string;
  supersession: (old: string, successor: string) => string;
  running: "top" | "bottom";
  pageNumber: (page: number) => string;
  /** In the running line, with a number that is no part's. */
  form: string | undefined;
  balloons: boolean;
}

const HEADERS: Readonly<Record<ColumnKind, readonly string[]>> = {
  reference: ["Ref", "Ref. No.", "Item", "Key", "No.", "Key No.", "Index"],
  partNumber: ["Part No.", "P/N", "Part Number", "Item No.", "Part #", "Order No.", "Stock No."],
  description: ["Description", "Part Name", "Name", "Nomenclature"],
  quantity: ["Qty", "Qty.", "Quantity", "No. Req'd", "Req'd", "Units"],
  remarks: ["Remarks", "Notes", "Comments"],
};

const ORDERS: readonly (readonly ColumnKind[])[] = [
  ["reference", "partNumber", "description", "quantity"],
  ["reference", "partNumber", "quantity", "description"],
  ["reference", "quantity", "partNumber", "description"],
  ["reference", "description", "partNumber", "quantity"],
  ["partNumber", "description", "quantity"],
  ["reference", "partNumber", "description", "quantity", "remarks"],
  ["partNumber", "reference", "description", "quantity", "remarks"],
];

export function manualStyle(random: Random): ManualStyle {
  const family = random.pick<FontFamily>(["Helvetica", "Helvetica", "Helvetica", "Times", "Times", "Courier"]);
  const isUpperCase = random.chance(0.4);
  const asRequired = random.pick(["AR", "A/R", "As req'd", "-"]);
  const padded = random.chance(0.15);
  const partHeader = random.pick(HEADERS.partNumber);
  const referenceHeader = random.pick(
    HEADERS.reference.filter((header) => partHeader !== "Item No." || header !== "Item"),
  );
  const cased = (header: string): string => (isUpperCase ? header.toUpperCase() : header);
  return {
    family,
    size: random.chance(0.7) ? [612, 792] : [595, 842],
    margin: random.integer(36, 60),
    text: (family === "Courier" ? 7.5 : 8) + random.integer(0, 4) / 2,
    headers: {
      reference: cased(referenceHeader),
      partNumber: cased(partHeader),
      description: cased(random.pick(HEADERS.description)),
      quantity: cased(random.pick(HEADERS.quantity)),
      remarks: cased(random.pick(HEADERS.remarks)),
    },
    order: random.pick(ORDERS),
    isInverted: random.chance(0.5),
    isUpperCase,
    padding: { x: random.integer(2, 6), y: random.integer(1, 5) },
    headerLook: random.pick(["plain", "underlined", "dark"]),
    quantity: (quantity) =>
      quantity === undefined ? asRequired : padded ? String(quantity).padStart(2, "0") : String(quantity),
    figure: random.pick([
      (label, title) => `Figure ${label}. ${title}`,
      (label, title) => `FIG. ${label}  ${title.toUpperCase()}`,
      (label, title) => `${title} - Figure ${label}`,
      (label, title) => `Fig. ${label} - ${title}`,
      (label, title) => `Illustration ${label}: ${title}`,
    ] satisfies ManualStyle["figure"][]),
    label: random.pick([
      (index) => String(index),
      (index) => `${Math.ceil(index / 3)}-${((index - 1) % 3) + 1}`,
      (index) => String.fromCharCode(65 + ((index - 1) % 26)).repeat(Math.ceil(index / 26)),
    ] satisfies ManualStyle["label"][]),
    continued: random.pick(["(continued)", "(cont'd)", "- Continued"]),
    supersession: random.pick([
      (old, successor) => `${old} replaced by ${successor}`,
      (old, successor) => `${old} superseded by ${successor}`,
      (old, successor) => `${old} is no longer available, use ${successor}`,
      (old, successor) => `P/N ${old} has been replaced by P/N ${successor}`,
    ] satisfies ManualStyle["supersession"][]),
    running: random.pick(["top", "bottom"]),
    pageNumber: random.pick([
      (page) => String(page),
      (page) => `Page ${page}`,
      (page) => `- ${page} -`,
    ] satisfies ManualStyle["pageNumber"][]),
    form: random.chance(0.35)
      ? random.pick(["Form No. ", "Publication No. ", "Form "]) + random.code("0000-000{ Rev }A")
      : undefined,
    balloons: random.chance(0.4),
  };
}

/** How a table of this manual looks where its lines are these. */
export function tableLook(style: ManualStyle, rules: TableLook["rules"], size = style.text): TableLook {
  return {
    rules,
    underlined: style.headerLook === "underlined",
    darkHeader: style.headerLook === "dark" && rules !== "none",
    padding: style.padding,
    text: { face: "regular", size },
    header: { face: "bold", size },
  };
}

/** `Blade Bolt, M10 x 60`, or as this maker prints it: `BOLT, BLADE, M10 X 60`. */
export function printedName(style: ManualStyle, { name, variant }: { name: string; variant?: string }): string {
  const words = name.split(" ");
  const ordered = style.isInverted && words.length > 1 ? `${words.at(-1)}, ${words.slice(0, -1).join(" ")}` : name;
  const fullName = variant === undefined ? ordered : `${ordered}, ${variant}`;
  return style.isUpperCase ? fullName.toUpperCase() : fullName;
}
