/** What reading a file can say, by its code. A text in braces is a value. Those of the second list follow a column. */
export const FILE_SENTENCES = {
  line_too_long: "The line is too long",
  line_not_object: "The line is not a JSON object",
  quote_closed_early: "A quotation mark closes before the value ends",
  quote_not_closed: "A quotation mark opens and never closes",
  row_short: "The row ends before '{column}': it has {count} of {columns} columns",
  row_long: "The row goes on after '{column}': it has {count} columns, the header has {columns}",
  column_repeated: "The row has the column '{column}' twice",
  file_empty: "The file is empty: its first line must name the columns",
  file_not_text:
    "The header has null characters: a UTF-16 file needs a byte order mark, or its charset in the Content-Type",
  charset_unknown: "The charset '{charset}' is not known",
  sheet_empty: "The sheet '{sheet}' is empty",
  not_workbook: "The file is not an Excel workbook (.xlsx): {problem}",
  workbook_too_large: "The workbook is too large when unpacked: send the sheet as CSV",
  mapping_unknown: "The 'mapping' field names '{name}', which is no column of a price file. The columns are {columns}",
  mapping_missing: "The 'mapping' field names the column '{name}', which the file does not have. It has {names}",
  column_renamed: "The column '{name}' was read as '{column}'",
  no_sheet: "The workbook has no sheet '{sheet}'. Its sheets are {names}",
  sheets_unread: "Sheets of the workbook that were not read: {names}",
  no_header: "The file has no header. Its columns were found by their content",
  column_twice: "The file has the column '{column}' twice",
  columns_unused: "Read, but not used yet: {names}",
  values_unread: "{count} values of '{column}' could not be read and were left out, first \"{value}\"",
  no_column:
    "The file has no column '{column}'. Its columns, separated by '{delimiter}', are {names}. Map them with 'mapping'",
  no_column_in_sheet: "The sheet has no column '{column}'. Its columns are {names}. Map them with 'mapping'",
  currency_foreign:
    "The prices are in {currency}, but the shop sells in {shop}. Send currency={currency} to count them as {shop}, or rate= with the worth of 1 {currency}",
  currency_assumed: "The file names no currency: its prices are taken for {shop}. Send rate= if they are in another",
  dollar_unclear:
    'The prices are written as other dollars or pesos are: "{value}". Send currency={shop} if they are in {shop}, or rate= with the worth of 1 in {shop}',
  columns_ignored: "Unknown columns were ignored: {names}. The known columns are {columns}",
  no_prices: "No column has prices ('list_price'). Known parts keep theirs; new parts have none and cannot be sold",
  no_titles: "No column has titles ('title'). Parts of the catalog keep theirs; rows of other parts are refused",
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
} as const;

export type RemarkValues = Record<string, string | number>;

/** Something that a report says: a stable code with its values, and the English sentence. */
export class Remark<Code extends string = string> {
  readonly code: Code;
  readonly values: RemarkValues;
  readonly text: string;

  constructor(code: Code, values: RemarkValues, text: string) {
    this.code = code;
    this.values = values;
    this.text = text;
  }

  /** Returns what is wrong with a column or field as a whole sentence. */
  locate(column: string, lead = "The column"): Remark<Code> {
    return new Remark(this.code, { column, ...this.values }, `${lead} '${column}' ${this.text}`);
  }
}

/**
 * Returns what makes remarks of these sentences. A value that is a remark itself becomes its text, and `cause` in the
 * values its code, with its values.
 */
export function defineRemarks<const Sentences extends Readonly<Record<string, string>>>(sentences: Sentences) {
  return <Code extends keyof Sentences & string>(
    code: Code,
    values: Record<string, string | number | Remark> = {},
  ): Remark<Code> => {
    const plainValues: RemarkValues = {};
    const texts: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(values)) {
      texts[name] = value instanceof Remark ? value.text : value;
      if (value instanceof Remark) Object.assign(plainValues, value.values, { [name]: value.code });
      else plainValues[name] = value;
    }
    const sentence = sentences[code] ?? code;
    return new Remark(
      code,
      plainValues,
      sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(texts[name])),
    );
  };
}

export const createRemark = defineRemarks(FILE_SENTENCES);

type RefusalCode = "VALIDATION_FAILED" | "UNSUPPORTED_MEDIA_TYPE" | "PAYLOAD_TOO_LARGE";

/** Why a whole file cannot be read. `data` has the field, the message, and its code for texts in other languages. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly code: RefusalCode;
  readonly data: readonly object[];

  constructor(refusalCode: RefusalCode, { code, values, text: message }: Remark, field: string, more: object = {}) {
    super(message);
    this.code = refusalCode;
    this.data = [{ field, message, code, values, ...more }];
  }
}

/** Returns the refusal of a whole file. */
export const refuseFile = (code: RefusalCode, remark: Remark, field = "body"): FileRefusal =>
  new FileRefusal(code, remark, field);

const LONGEST_QUOTE = 40;

/** Returns the beginning of a text, for a sentence that quotes it. */
export const quote = (text: string): string => text.slice(0, LONGEST_QUOTE);
