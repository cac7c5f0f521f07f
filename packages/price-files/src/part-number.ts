import { hasForeignLetter, normalizePartNumber } from "@partline/parts-language";
import { createRemark, quote, type Remark } from "./remarks.ts";

/** `="00123"` and `'00123`: how spreadsheets and their exports keep a number's zeros. */
const GUARDED = /^(?:="([^"]*)"|'(.*))$/s;
/** `1.23E+10`. Neither `7E3000` nor `7E-0331`, which are makers' numbers. */
const ROUNDED = /^\d(?:[.,]\d+E[+-]?|E\+)\d{1,3}$/i;
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!)$/i;

/** Whether a spreadsheet's formula failed: its cell says nothing. */
export const isSpreadsheetError = (text: string): boolean => text.startsWith("#") && SPREADSHEET_ERROR.test(text);

/** Reads a part number, or says, behind its field's name, why it cannot come into the catalog. */
export function readPartNumber(text: string): { partNumber: string } | Remark {
  const [, inFormula, behindApostrophe] = GUARDED.exec(text) ?? [];
  const partNumber = (inFormula ?? behindApostrophe ?? text).trim();
  const value = quote(text);
  if (ROUNDED.test(partNumber)) return createRemark("number_rounded", { value });
  if (isSpreadsheetError(partNumber)) return createRemark("spreadsheet_error", { value });
  if (hasForeignLetter(partNumber)) return createRemark("number_foreign", { value });
  return normalizePartNumber(partNumber) === "" ? createRemark("number_blank", { value }) : { partNumber };
}
