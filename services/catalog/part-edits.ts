import { writtenLine } from "../../broker/contract/common.ts";
import { invalidField } from "../../mixins/errors.ts";
import type { Cents } from "@partline/parts-language";
import { resolvePrice } from "../shared/part-price.ts";
import { checkFits, MAX_LENGTH, MOST_LISTED_FITS, readHttpUrl } from "./part-checks.ts";
import { LONGEST_MACHINE } from "@partline/parts-search";
import { toSlug } from "./part-number.ts";
import { type EditedFields, type PartDocument, type PartEdits, presentMedia, readCategory } from "./part.ts";

/** The fields of a document that each edit sets. */
const EDITED_FIELDS = {
  title: ["title", "slug"],
  description: ["description"],
  category: ["category", "kind"],
  price: ["price"],
  hidden: ["hidden"],
  images: ["media"],
  attributes: ["attributes"],
  fits: ["fits"],
} as const satisfies Record<keyof PartEdits, readonly (keyof EditedFields)[]>;

/** A change of edits: null takes one back, a missing one stays. */
export type EditChange = { [F in keyof PartEdits]?: PartEdits[F] | null | undefined };

export function listEdited({ edits }: Pick<PartDocument, "edits">): (keyof PartEdits)[] {
  const values = edits?.values ?? {};
  return (Object.keys(EDITED_FIELDS) as (keyof PartEdits)[]).filter((field) => field in values);
}

/** Returns the part as its sources say it is, with its edits beside. */
export function removeEdits(part: PartDocument): PartDocument {
  const { replaced, ...fields } = part;
  const sources = listEdited(part).flatMap((edit) =>
    EDITED_FIELDS[edit].map((field) => [field, replaced?.[field]] as const),
  );
  return { ...fields, ...Object.fromEntries(sources) };
}

/** Returns a part that is as its sources say, as it is with its edits. */
export function applyEdits(part: PartDocument): PartDocument {
  const { edits } = part;
  if (!edits) return part;
  const { title, description, category, price, images, fits, ...fields } = edits.values;
  const edited: EditedFields = {
    ...fields,
    ...(title !== undefined && { title, slug: toSlug(title, part._id) }),
    ...(description !== undefined && { description: description || undefined }),
    ...(category !== undefined && { kind: undefined, ...readCategory(category) }),
    ...(price !== undefined && { price: resolvePrice(findBasePrice(part), price) }),
    ...(images !== undefined && { media: presentMedia(images) }),
    ...(fits !== undefined && { fits: fits.length > 0 ? fits : undefined }),
  };
  const replaced = Object.fromEntries(
    Object.keys(edited).map((field) => [field, part[field as keyof EditedFields]] as const),
  );
  return { ...part, ...edited, replaced };
}

/**
 * Returns what stands after a change; undefined where nothing is left.
 * @param part none for a new one
 * @throws VALIDATION_FAILED naming the field
 */
export function changeEdits(part: PartDocument | undefined, change: EditChange): PartEdits {
  const { images, fits, price, title, category, hidden, attributes } = change;
  if (price && (price.fixed === undefined) === (price.marginPercent === undefined))
    throw invalidField("price", "must have either 'fixed' or 'marginPercent'");
  if (price?.marginPercent !== undefined && (!part || !findBasePrice(removeEdits(part))))
    throw invalidField("price.marginPercent", "needs a vendor's price or a cost, and this part has neither yet");
  const checked: EditChange = {
    ...change,
    ...(title && { title: title.trim().replace(/\s+/g, " ") }),
    ...(category && { category: category.trim() }),
    ...(images && { images: images.map(checkImage) }),
    ...(attributes && { attributes: checkAttributes(attributes) }),
    ...(fits && { fits: checkMachines(fits) }),
    ...(hidden === false && { hidden: null }),
    ...(attributes && Object.keys(attributes).length === 0 && { attributes: null }),
  };
  const entries = Object.entries({ ...part?.edits?.values, ...checked }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(entries);
}

/** Returns the price that a margin is added to, of a part as its sources say it is; null if nobody has said one. */
export const findBasePrice = ({ cost, price }: PartDocument): Cents | null => cost ?? price;

function checkImage(address: string, index: number): string {
  const url = readHttpUrl(address);
  if (url !== undefined) return url;
  const field = `images[${index}]`;
  throw invalidField(field, `must be an http(s) address, percent-encoded at most ${MAX_LENGTH.url} characters long`);
}

/** Names are members of a stored document, where `$` and dots have a meaning. */
function checkAttributes(attributes: Record<string, string>): Record<string, string> {
  for (const name of Object.keys(attributes)) {
    // JSON objects put them first: the order would be lost.
    if (/^\d+$/.test(name)) throw invalidField("attributes", "must have names that are more than a number");
    if (!writtenLine.pattern.test(name) || !/^(?!\$)[^.]+$/.test(name))
      throw invalidField("attributes", "must have names on one line, without a dot, and without $ in front");
  }
  return attributes;
}

function checkMachines(machines: string[]): string[] {
  const fits = checkFits(machines);
  if (fits) return fits;
  throw invalidField("fits", `must list at most ${MOST_LISTED_FITS} machines of at most ${LONGEST_MACHINE} characters`);
}
