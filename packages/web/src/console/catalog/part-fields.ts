import type { CatalogAddPartParams, CatalogEditPartParams, EditedPart, PriceEdit } from "@partline/client";
import type { RaRecord } from "react-admin";
import { toLines } from "../settings/data.ts";

/** What is edited of a part, as the form has it: a list is a text with a line for each. */
export interface PartFields {
  title: string;
  description: string;
  category: string;
  price: PriceEdit & { mode: "vendor" | "fixed" | "margin" };
  hidden: boolean;
  images: string;
  attributes: string;
  fits: string;
}

export interface PartRecord extends PartFields {
  id: string;
  partNumber: string;
  version: number;
  /** Null without one. */
  vendorPrice: number | null;
  cost: number | undefined;
  /** The fields as they were read, and as they would be without edits. */
  current: PartFields;
  sources: PartFields;
}

/** Makes what the API takes of a field's text. */
const READERS = {
  title: String,
  description: String,
  category: String,
  images: toLines,
  attributes: toAttributes,
  fits: toLines,
} as const;
type TextEdits = Pick<CatalogEditPartParams, keyof typeof READERS>;
const TEXT_FIELDS = Object.keys(READERS) as (keyof typeof READERS)[];

export function toPartRecord(part: EditedPart): PartRecord {
  const { id, partNumber, version, edits, media, price, cost } = part;
  const current: PartFields = {
    title: part.title,
    description: part.description ?? "",
    category: part.category,
    price: toPriceChoice(edits.price?.value),
    hidden: part.hidden,
    images: (media?.images ?? []).map(({ url }) => url).join("\n"),
    attributes: writeAttributes(part.attributes),
    fits: (edits.fits?.value ?? part.fits ?? []).join("\n"),
  };
  const sources: PartFields = {
    ...current,
    ...(edits.title && { title: edits.title.source }),
    ...(edits.description && { description: edits.description.source ?? "" }),
    ...(edits.category && { category: edits.category.source }),
    ...(edits.images && { images: edits.images.source.join("\n") }),
    ...(edits.attributes && { attributes: "" }),
    ...(edits.fits && { fits: edits.fits.source.join("\n") }),
  };
  const vendorPrice = edits.price ? edits.price.source : (price?.list.value ?? null);
  return { id, partNumber, version, vendorPrice, cost, ...current, current, sources };
}

/** Returns what a form changes: what is again as the sources say is taken back. */
export function toEdit(record: PartRecord): CatalogEditPartParams {
  const { id, version, current, sources, price, hidden } = record;
  const textEdits = TEXT_FIELDS.flatMap((field) => {
    // An empty field of the form is null.
    const text = (record[field] as string | null) ?? "";
    if (text === current[field]) return [];
    return [[field, text === sources[field] ? null : READERS[field](text)] as const];
  });
  return {
    id,
    version,
    ...(Object.fromEntries(textEdits) as TextEdits),
    ...(isSamePrice(price, current.price) ? {} : { price: toPriceEdit(price) }),
    ...(hidden === current.hidden ? {} : { hidden }),
  };
}

/** Returns the part that a form of a new one describes. */
export function toNewPart(form: Partial<RaRecord>): CatalogAddPartParams {
  const { partNumber = "", title = "", vendor, price, hidden = false, stock, ...texts } = form as NewPartForm;
  const otherTexts = TEXT_FIELDS.flatMap((field) => {
    const text = field === "title" ? undefined : texts[field];
    return text ? [[field, READERS[field](text)] as const] : [];
  });
  return {
    ...(Object.fromEntries(otherTexts) as Omit<TextEdits, "title">),
    partNumber,
    title,
    hidden,
    price: price ? toPriceEdit(price) : null,
    ...(vendor ? { vendor } : {}),
    ...(stock && typeof stock.onHand === "number" ? { stock: toFirstStock({ ...stock, onHand: stock.onHand }) } : {}),
  };
}

interface StockFields {
  onHand?: number | null;
  place?: string | null;
  bin?: string | null;
  reorderPoint?: number | null;
}

export type NewPartForm = Partial<PartFields & { partNumber: string; vendor: string | null; stock: StockFields }>;

function toFirstStock({ onHand, place, bin, reorderPoint }: StockFields & { onHand: number }) {
  return {
    onHand,
    ...(place?.trim() ? { place: toPlace(place) } : {}),
    ...(bin?.trim() ? { bin: bin.trim() } : {}),
    ...(typeof reorderPoint === "number" ? { reorderPoint } : {}),
  };
}

/** Returns the name of a place as the API takes it: `Back room` is `back-room`. */
export const toPlace = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, "-");

function toPriceChoice(edit: PriceEdit | undefined): PartFields["price"] {
  if (!edit) return { mode: "vendor" };
  return { mode: edit.fixed === undefined ? "margin" : "fixed", ...edit };
}

function toPriceEdit({ mode, fixed, marginPercent }: PartFields["price"]): PriceEdit | null {
  if (mode === "vendor") return null;
  return mode === "fixed" ? { fixed } : { marginPercent };
}

const isSamePrice = (a: PartFields["price"], b: PartFields["price"]): boolean =>
  JSON.stringify(toPriceEdit(a)) === JSON.stringify(toPriceEdit(b));

/** Reads `Thread: M14 x 1.25` of each line. */
function toAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    toLines(text).map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
  );
}

/** Returns the first line that is no attribute. */
export function findNoAttribute(text: string | null | undefined): string | undefined {
  return toLines(text).find((line) => !/^[^:]*[^:\s][^:]*:\s*\S/.test(line));
}

function writeAttributes(attributes: Record<string, string> = {}): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
