export { readCurrency, SHOP_CURRENCY } from "./src/currency-words.ts";
export { isCostHeader, type ListRole, rankHeader } from "./src/column-headers.ts";
export {
  type ColumnRule,
  type Columns,
  createFileForm,
  type Fields,
  type FileChoice,
  type FileForm,
  type FileLayout,
  type FileRow,
  findUnreadable,
  foldColumnName,
  listColumnNotes,
  type Mapping,
} from "./src/columns.ts";
export { readAmount, readPieceCount } from "./src/decimal-sign.ts";
export { readCharset } from "./src/lines.ts";
export { isSpreadsheetError, readPartNumber } from "./src/part-number.ts";
export {
  defineRemarks,
  FILE_SENTENCES,
  FileRefusal,
  quote,
  refuseFile,
  Remark,
  type RemarkValues,
} from "./src/remarks.ts";
export { findReplacement } from "./src/replacement.ts";
export { type FileFormat, readRows } from "./src/rows.ts";
export { MOST_XLSX_BYTES } from "./src/xlsx.ts";
export { readAvailability, readYesNo } from "./src/yes-no.ts";
