import { findCurrency, findHeaderCurrency, splitCurrency } from "./currency-words.ts";
import { createRemark } from "./remarks.ts";
import type { Columns, FileForm, FileRow } from "./columns.ts";
import { findDecimalSign } from "./decimal-sign.ts";
import { createFileError } from "./header.ts";

/** The shop sells in it. */
export const SHOP_CURRENCY = "USD";

/**
 * Settles how a file's amounts are written, by the rows that were read ahead, and in which currency its prices are.
 * Beside commas, amounts with a point need no quotes: a file that does not show it has a point.
 * @throws FileRefusal if the prices are in a currency other than the shop's, without `currency` or `rate`
 */
export function settleAmounts(
  rows: readonly FileRow[],
  knownColumns: Columns,
  form: FileForm,
  delimiter: string | undefined,
): void {
  const listCells = (column: string): string[] =>
    rows.flatMap((row) => ("fields" in row && row.fields[column] ? [row.fields[column]] : []));
  const amountColumns = Object.keys(knownColumns).filter((column) => knownColumns[column]!.json === "amount");
  form.currency = findCurrencyOfPrices(listCells, form);
  const weightHeader = form.layout?.columns.find(({ column }) => column === "weight")?.name ?? "";
  form.weightUnit = /(?<![a-z])(?:kg|g|lbs?|oz)(?![a-z])/.exec(weightHeader.toLowerCase())?.[0];
  const shownSigns = amountColumns.map((column) => {
    const sign = findDecimalSign(listCells(column), column === "list_price" ? form.currency : undefined);
    return { column, sign: form.decimalSigns[column] ?? sign };
  });
  // One program wrote all columns.
  const fallbackSign = shownSigns.find(({ sign }) => sign !== undefined)?.sign ?? (delimiter === "," ? "." : undefined);
  for (const { column, sign = fallbackSign } of shownSigns) if (sign !== undefined) form.decimalSigns[column] = sign;
  const { currency: accepted, rate } = form.choice;
  const { currency } = form;
  if (currency === undefined || currency === accepted || rate !== undefined) return;
  if (currency !== SHOP_CURRENCY)
    throw createFileError("currency", createRemark("currency_foreign", { currency, shop: SHOP_CURRENCY }), form.layout);
}

/** A sign that more of the prices have than not, or the currency of the column beside them, or of the header. */
function findCurrencyOfPrices(listCells: (column: string) => string[], form: FileForm): string | undefined {
  const inPrices = listCells("list_price").map((cell) => splitCurrency(cell)?.currency);
  const inColumn = listCells("currency").map((cell) => readCurrency(cell));
  const header = form.layout?.columns.find(({ column }) => column === "list_price")?.name;
  return findMost(inPrices) ?? findMost(inColumn) ?? (header === undefined ? undefined : findHeaderCurrency(header));
}

export function readCurrency(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : findCurrency(text);
}

function findMost(currencies: readonly (string | undefined)[]): string | undefined {
  const counts = Map.groupBy(currencies, (currency) => currency);
  const most = [...counts].find(([, same]) => same.length * 2 > currencies.length);
  return most?.[0];
}
