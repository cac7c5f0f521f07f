import { isCode, isCutCode, splitNumbers } from "./cells.ts";
import { findFamily } from "./families.ts";
import type { Role } from "./headers.ts";
import { isDesignator } from "./other-kinds.ts";
import { isTelling } from "./shapes.ts";

/** What a column's cells look like: judged one by one, their share says what the column is. */

/** `2 246 496`. */
const THOUSANDS = /^\d{1,3}(?: \d{3})+$/;

/** Whether a cell says something: a list writes what it has not. */
export const isSaid = (cell: string): boolean => !/^(?:n\/?a|none|-+|–|—|なし|無し?|без номера)$/iu.test(cell);

export const isTellingNumber = (cell: string): boolean => splitNumbers(cell).some(isTelling);
export const looksLikeNumber = (cell: string): boolean =>
  !isDesignator(cell) &&
  /^[0-9A-Z][0-9A-Z .+-]*$/i.test(cell) &&
  cell.replace(/\D/g, "").length >= (/[A-Z]/.test(cell) ? 3 : 4) &&
  cell.length <= 20 &&
  !/[a-z]{2}/.test(cell) &&
  !THOUSANDS.test(cell);
const isAddress = (cell: string): boolean => /^(?:https?:\/\/|www\.)/i.test(cell);
export const isWords = (cell: string): boolean =>
  /\p{L}{3}/u.test(cell) && findFamily(cell) === undefined && !isAddress(cell);
export const isSmall = (cell: string): boolean =>
  /^\(?(?:\d{1,3}[A-Z]?(?:[-._]\d{1,2})?|a\/?r|as req.*|-)\)?$/i.test(cell);

const isQuantity = (cell: string): boolean => isSmall(cell) || /^\d{1,4}[.,]\d{1,6}$/.test(cell);

const mayBeNumber = (cell: string): boolean =>
  2 * splitNumbers(cell).join(" ").length >= cell.length ||
  [isCutCode, isCode, isDesignator, isSmall].some((holds) => holds(cell));

/** Of a headed column's cells; of numbers, a third: a header says more of these. */
export const LEAST_FITTING = 0.3;

/** What a headed column must sometimes hold. */
export const FITS: Partial<Record<Role, (cell: string) => boolean>> = {
  partNumber: mayBeNumber,
  quantity: isQuantity,
  description: (cell) => /\p{L}{2}/u.test(cell) && !isAddress(cell),
  reference: (cell) => isSmall(cell) || /^[A-Z]{1,2}\d{0,3}$/.test(cell),
};
