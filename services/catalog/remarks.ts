import { PartlineError } from "../../mixins/errors.ts";
import type { HttpErrorDetails, HttpFailure } from "../../mixins/http/errors.ts";
import type { DisError } from "../shared/dis-errors.ts";

/**
 * What a report of a price file or of a sync can say, by its code. A text in braces is a value. Those of the second
 * list follow the name of a column or field.
 */
const SENTENCES = {
  line_too_long: "The line is too long",
  line_not_object: "The line is not a JSON object",
  item_not_object: "The item is not an object",
  quote_closed_early: "A quotation mark closes before the value ends",
  quote_not_closed: "A quotation mark opens and never closes",
  row_short: "The row ends before '{column}': it has {count} of {columns} columns",
  row_long: "The row goes on after '{column}': it has {count} columns, the header has {columns}",
  part_repeated: "The column 'part_number' repeats the part of line {line}",
  column_repeated: "The row has the column '{column}' twice",
  reference_repeated: "The row repeats the two parts of line {line}",

  file_empty: "The file is empty: its first line must name the columns",
  file_not_text:
    "The header has null characters: a UTF-16 file needs a byte order mark, or its charset in the Content-Type",
  file_too_large: "The file is larger than {bytes} bytes",
  file_cut_off: "The file did not arrive to its end",
  file_type_unknown:
    "Send the file as text/csv, text/tab-separated-values, application/x-ndjson or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  charset_unknown: "The charset '{charset}' is not known",
  sheet_empty: "The sheet '{sheet}' is empty",
  not_workbook: "The file is not an Excel workbook (.xlsx): {problem}",
  workbook_too_large: "The workbook is too large when unpacked: send the sheet as CSV",
  mapping_unknown: "The 'mapping' field names '{name}', which is no column of a price file. The columns are {columns}",
  mapping_missing: "The 'mapping' field names the column '{name}', which the file does not have. It has {names}",
  process_ended: "The process that read it ended",

  column_renamed: "The column '{name}' was read as '{column}'",
  no_sheet: "The workbook has no sheet '{sheet}'. Its sheets are {names}",
  no_header: "The file has no header. Its columns were found by their content",
  column_twice: "The file has the column '{column}' twice",
  columns_unused: "Read, but not used yet: {names}",
  values_unread: "{count} values of '{column}' could not be read and were left out, first \"{value}\"",
  no_column:
    "The file has no column '{column}'. Its columns, separated by '{delimiter}', are {names}. Map them with 'mapping'",
  no_column_in_sheet: "The sheet has no column '{column}'. Its columns are {names}. Map them with 'mapping'",
  currency_foreign:
    "The prices are in {currency}, but the shop sells in {shop}. Send currency={currency} to count them as {shop}, or rate= with the worth of 1 {currency}",
  columns_ignored: "Unknown columns were ignored: {names}. The known columns are {columns}",
  no_prices: "No column has prices ('list_price'). Known parts keep theirs; new parts have none and cannot be sold",

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

  empty: "is empty",
  wrong_encoding:
    "is not valid in the file's encoding. Name another in the Content-Type, for example charset=windows-1252",
  control_character: "has a control character or broken Unicode",
  too_long: "is longer than {longest} characters",
  not_text: "must be text",
  number_loses_digits: "must be text: as a number it loses digits",
  number_rounded: 'was rounded by a spreadsheet: "{value}". Format the column as text and enter the numbers again',
  spreadsheet_error: 'has a spreadsheet error: "{value}"',
  number_foreign: 'has a letter or digit other than A-Z and 0-9: "{value}"',
  number_blank: 'has no letter or digit: "{value}"',
  number_not_text: "must be text with a letter or digit",
  not_flag: "must be yes or no, or empty",
  not_usd: 'must be USD: "{value}"',
  not_stock: 'must be a number of pieces: "{value}"',
  not_status: "must be active or discontinued",
  not_address: "must be an http(s) address, percent-encoded at most {longest} characters long",
  same_part: "must be the number of another part",
  not_weight: "must be a weight from 0.001 to 10,000 kg, like 1.2 kg or 2.6 lb, or empty",
  price_ambiguous: 'could be read two ways: "{value}". Write all prices with two decimals, like 1250.00 or 1,25',
  not_price: 'must be 0.01 to 999,999.99 with at most two decimals, or empty: "{value}"',
  price_currency: 'is in {currency}, unlike the other prices: "{value}"',
  not_price_by_comma:
    'must be 0.01 to 999,999.99 with at most two decimals after a comma, as in the rest of the file, or empty: "{value}"',
  vendor_unknown: 'names no vendor: "{value}"',
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

export type RemarkCode = keyof typeof SENTENCES | `supplier_${HttpFailure}` | DisError;
export type RemarkValues = Record<string, string | number>;

/** Something that a report says: a stable code with its values, and the English sentence. */
export class Remark {
  readonly code: RemarkCode;
  readonly values: RemarkValues;
  readonly text: string;

  constructor(code: RemarkCode, values: RemarkValues, text: string) {
    this.code = code;
    this.values = values;
    this.text = text;
  }

  /** Returns what is wrong with a column or field as a whole sentence. */
  locate(column: string, lead = "The column"): Remark {
    return new Remark(this.code, { column, ...this.values }, `${lead} '${column}' ${this.text}`);
  }
}

/** A value that is a remark itself becomes its text, and `cause` in the values its code, with its values. */
export function createRemark(
  code: keyof typeof SENTENCES,
  values: Record<string, string | number | Remark> = {},
): Remark {
  const plainValues: RemarkValues = {};
  const texts: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(values)) {
    texts[name] = value instanceof Remark ? value.text : value;
    if (value instanceof Remark) Object.assign(plainValues, value.values, { [name]: value.code });
    else plainValues[name] = value;
  }
  return new Remark(
    code,
    plainValues,
    SENTENCES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(texts[name])),
  );
}

/** Describes how a request to a supplier failed. */
export function describeFailure({ provider, reason, status }: HttpErrorDetails, text: string): Remark {
  return new Remark(`supplier_${reason}`, { provider, ...(status !== undefined && { status }) }, text);
}

/** Returns the refusal of a whole file, with a code for texts in other languages. */
export const refuseFile = (
  errorCode: "VALIDATION_FAILED" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE",
  { code, values, text: message }: Remark,
  field = "body",
): PartlineError => new PartlineError(errorCode, message, [{ field, message, code, values }]);

/** What an answer has of a remark. */
export const toReason = ({ code, values, text }: Remark) => ({ reason: text, code, values });

const LONGEST_QUOTE = 40;

/** Returns the beginning of a text, for a sentence that quotes it. */
export const quote = (text: string): string => text.slice(0, LONGEST_QUOTE);

/** Presents notes in an answer. */
export function presentNotes(remarks: readonly Remark[]) {
  return { notes: remarks.map(({ text }) => text), remarks: remarks.map(({ code, values }) => ({ code, values })) };
}
