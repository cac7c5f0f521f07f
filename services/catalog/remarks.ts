import { defineRemarks, FILE_SENTENCES, FileRefusal, Remark } from "@partline/price-files";
import { PartlineError } from "../../mixins/errors.ts";
import type { HttpErrorDetails, HttpFailure } from "@partline/http-client";
import type { DisError } from "../shared/dis-errors.ts";

/**
 * What a report of a price file or of a sync can say beside what reading a file says, by its code. A text in braces is a
 * value. Those of the second list follow the name of a column or field.
 */
const SENTENCES = {
  counts_kept:
    "Parts counted by hand since the last file, with another result: {parts}. Their counts stay; overwriteCounts replaces them",
  prices_gone:
    "{count} parts have no price now, because the file has none for them: {parts}. They cannot be sold without one",

  item_not_object: "The item is not an object",
  part_repeated: "The column 'part_number' repeats the part of line {line}",
  reference_repeated: "The row repeats the two parts of line {line}",

  file_too_large: "The file is larger than {bytes} bytes",
  file_cut_off: "The file did not arrive to its end",
  file_type_unknown:
    "Send the file as text/csv, text/tab-separated-values, application/x-ndjson or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  process_ended: "The process that read it ended",

  no_supplier: "This process has no address for the supplier in its settings",
  task_dropped: "Its task was dropped",
  broken_off: "It stopped because of a fault on our side",
  time_over: "the time limit was reached",
  nothing_read: "Nothing was read",
  nothing_read_because: "Nothing was read: {cause}",
  no_item_usable: "None of the items could be used",
  time_over_before_pages: "The time limit was reached with {pages} pages left",
  time_over_before_parts: "The time limit was reached before every part was checked",
  dealer_silent: "The dealer inventory system did not answer for any part",
  end_not_found: "The end of the listing was not found: {cause}",
  pages_repeat: "{pages} pages were skipped: those before them had nothing new",
  pages_empty: "{pages} pages were skipped: those before them were empty",
  listing_repeats: "After its last page the listing repeats itself, which was taken for its end",
  items_unusable: "{refused} of {read} items could not be used",
  discontinued: "{parts} parts were discontinued: they are no longer listed",
  none_discontinued: "No part was discontinued for not being listed: {cause}",
  pages_unread: "{pages} of its pages could not be read",
  pages_unasked: "{pages} of its pages were skipped",
  end_unseen: "the end of the listing was not found",
  items_unidentified: "{items} of its items have no readable item number",
  listing_short: "the supplier announces {announced} items, but its pages have {listed}",
  listing_implausible: "it has {listed} parts, but {active} were active before",

  title_unknown: "is missing, and the catalog has no part of this number",
  number_not_text: "must be text with a letter or digit",
  not_flag: "must be yes or no, or empty",
  not_usd: 'must be USD: "{value}"',
  not_stock: 'must be a number of pieces, at most 1,000,000: "{value}"',
  not_status: "must be active or discontinued",
  not_address: "must be an http(s) address, percent-encoded at most {longest} characters long",
  same_part: "must be the number of another part",
  price_ambiguous: 'could be read two ways: "{value}". Write all prices with two decimals, like 1250.00 or 1,25',
  not_price: 'must be 0.01 to 999,999.99 with at most two decimals, or empty: "{value}"',
  price_too_high:
    'is above 999,999.99, the most that a payment takes: "{value}". Send rate= if it is in another currency',
  price_currency: 'is in {currency}, unlike the other prices: "{value}"',
  not_price_by_comma:
    'must be 0.01 to 999,999.99 with at most two decimals after a comma, as in the rest of the file, or empty: "{value}"',
  vendor_unknown: 'names no vendor: "{value}"',
  brand_unknown: 'names no vendor: "{value}". Add it, give a vendor this alias, or send createVendors=true',
  not_direction: "must be both or one_way, or empty",
  not_components:
    "must be like 11013-7002*2; HON:16100-Z0Y-813, or in NDJSON a list of objects with partNumber, vendor and quantity",
  components_too_many: "has more than {most} components",
  components_not_quantity: "must have quantities from 1 to {most}",
  components_itself: "names the kit itself",
  components_repeated: 'names a part twice: "{value}"',
  not_fits: "must be machines divided by semicolons, at most {most} of at most {longest} characters each",
  field_not_fits: "must be a list of at most {most} machines, each of at most {longest} characters, or absent",
  field_not_text: "must be text of at most {longest} characters",
  field_not_optional_text: "must be text or absent",
  field_not_one_of: "must be {values}",
  field_not_flag: "must be true or false",
  field_not_price: "must be 0.01 to 999,999.99 with at most two decimals, or null",
  field_not_price_text: "must be 0.01 to 999,999.99 with at most two decimals as text, or null",
  field_not_quantity: "must be a number or absent",
  field_not_weight: "must be a weight from 0.001 to 10,000 kg, like 1.2 kg or 2.6 lb",
  field_not_addresses: "must be a list of at most {most} http(s) addresses",
} as const;

const ALL_SENTENCES = { ...FILE_SENTENCES, ...SENTENCES } as const;

export type RemarkCode = keyof typeof ALL_SENTENCES | `supplier_${HttpFailure}` | DisError;

/** Makes what a report of a price file or of a sync says. */
export const createRemark = defineRemarks(ALL_SENTENCES);

/** Describes how a request to a supplier failed. */
export function describeFailure({ provider, reason, status }: HttpErrorDetails, text: string): Remark {
  return new Remark(`supplier_${reason}`, { provider, ...(status !== undefined && { status }) }, text);
}

/** The error that a caller gets where a file was refused; any other stays as it is. */
export const toCallerError = (error: unknown): unknown =>
  error instanceof FileRefusal ? new PartlineError(error.code, error.message, error.data, { cause: error }) : error;

/** What an answer has of a remark. */
export const toReason = ({ code, values, text }: Remark) => ({ reason: text, code, values });

/** Presents notes in an answer. */
export function presentNotes(remarks: readonly Remark[]) {
  return { notes: remarks.map(({ text }) => text), remarks: remarks.map(({ code, values }) => ({ code, values })) };
}
