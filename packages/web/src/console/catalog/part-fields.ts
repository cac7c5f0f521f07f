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
  /** The fields as they were read, and as they would be without edits. */
  current: PartFields;
  sources: PartFields;
}

const TEXTS = ["title", "description", "category"] as const;
/** How the API has the fields that are lists. */
const LISTS = { images: toLines, attributes: toAttributes, fits: toLines } as const;

export function toPartRecord(part: EditedPart): PartRecord {
  const { id, partNumber, version, edits, media, price } = part;
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
  return { id, partNumber, version, vendorPrice, ...current, current, sources };
}

/** Returns what a form changes: what is again as the sources say is taken back. */
export function toEdit(record: PartRecord): CatalogEditPartParams {
  const { id, version, current, sources, price, hidden } = record;
  const choose = <T>(field: (typeof TEXTS)[number] | keyof typeof LISTS, read: (text: string) => T) => {
    const text = record[field] ?? "";
    if (text === current[field]) return {};
    return { [field]: text === sources[field] ? null : read(text) };
  };
  return {
    id,
    version,
    ...Object.assign({}, ...TEXTS.map((field) => choose(field, String)), ...listFields(choose)),
    ...(isSamePrice(price, current.price) ? {} : { price: toPriceEdit(price) }),
    ...(hidden === current.hidden ? {} : { hidden }),
  };
}

/** Returns the part that a form of a new one describes. */
export function toNewPart(form: Partial<RaRecord>): CatalogAddPartParams {
  const { partNumber = "", vendor, price, hidden = false, title, description, category } = form as NewPartForm;
  const say = <T>(field: keyof typeof LISTS, read: (text: string) => T) =>
    form[field] ? { [field]: read(String(form[field])) } : {};
  return {
    partNumber,
    title: title ?? "",
    hidden,
    price: price ? toPriceEdit(price) : null,
    ...(vendor ? { vendor } : {}),
    ...(description ? { description } : {}),
    ...(category ? { category } : {}),
    ...Object.assign({}, ...listFields(say)),
  };
}

type NewPartForm = Partial<PartFields & { partNumber: string; vendor: string | null }>;

function listFields(make: <T>(field: keyof typeof LISTS, read: (text: string) => T) => object): object[] {
  return [make("images", LISTS.images), make("attributes", LISTS.attributes), make("fits", LISTS.fits)];
}

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
