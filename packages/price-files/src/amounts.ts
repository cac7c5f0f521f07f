import { findHeaderCurrency, readCurrency, SHOP_CURRENCY, splitCurrency } from "./currency-words.ts";
import { createRemark, quote } from "./remarks.ts";
import type { Columns, FileForm, FileRow } from "./columns.ts";
import { findDecimalSign } from "./decimal-sign.ts";
import { createFileError } from "./header.ts";

/**
 * Settles how a file's amounts are written, by the rows that were read ahead, and in which currency its prices are.
 * Beside commas, amounts with a point need no quotes: a file that does not show it has a point. One program wrote all
 * columns, weights too.
 * @throws FileRefusal if the prices are in a currency other than the shop's, or perhaps, without `currency` or `rate`
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
  const { currency: accepted = form.currency } = form.choice;
  form.weightUnit = findWeightUnit(listCells, form);
  const shownSigns = [...amountColumns, "weight"].map((column) => {
    const sign = findDecimalSign(listCells(column), column === "list_price" ? accepted : undefined);
    return { column, sign: form.decimalSigns[column] ?? sign };
  });
  const fallbackSign = shownSigns.find(({ sign }) => sign !== undefined)?.sign ?? (delimiter === "," ? "." : undefined);
  for (const { column, sign = fallbackSign } of shownSigns) if (sign !== undefined) form.decimalSigns[column] = sign;
  assertShopCurrency(listCells("list_price"), form);
}

/** @throws FileRefusal, as `settleAmounts` does */
function assertShopCurrency(prices: readonly string[], { currency, choice, foreignNames, layout }: FileForm): void {
  if (currency === undefined || choice.rate !== undefined || choice.currency === currency) return;
  const shop = SHOP_CURRENCY;
  if (currency !== shop)
    throw createFileError("currency", createRemark("currency_foreign", { currency, shop }), layout);
  if (choice.currency !== undefined || !foreignNames.has("list_price")) return;
  const value = prices.find(isForeignDollar);
  // US dollars have a point, pesos and Canada's French a comma.
  if (value !== undefined && findDecimalSign(prices, WITHOUT_CENTS) === ",")
    throw createFileError("currency", createRemark("dollar_unclear", { value: quote(value), shop }), layout);
}

/** Any currency whose amounts have no fraction: points that group thousands show it, too. */
const WITHOUT_CENTS = "CLP";
/** `$12.500`, `12,50 $`, not `US$12,50`. */
const isForeignDollar = (price: string): boolean => /(?<![\p{L}])\$/u.test(price) && /\d[.,]\d/.test(price);

/**
 * Finds the unit that the header of the weights names. Without one, weights with fractions are kilograms, unless the
 * header is English, as pounds are.
 */
function findWeightUnit(listCells: (column: string) => string[], form: FileForm): string | undefined {
  const header = form.layout?.columns.find(({ column }) => column === "weight")?.name.toLowerCase();
  if (header === undefined) return undefined;
  const unit = /(?<![a-z])(?:kg|g|lbs?|oz)(?![a-z])/.exec(header)?.[0];
  const isMetric = !/weight|wt/.test(header) && findDecimalSign(listCells("weight")) !== undefined;
  return unit ?? (isMetric ? "kg" : undefined);
}

/** A sign that more of the prices have than not, or the currency of the column beside them, or of the header. */
function findCurrencyOfPrices(listCells: (column: string) => string[], form: FileForm): string | undefined {
  const inPrices = listCells("list_price").map((cell) => splitCurrency(cell)?.currency);
  const inColumn = listCells("currency").map((cell) => readCurrency(cell));
  const header = form.layout?.columns.find(({ column }) => column === "list_price")?.name;
  return findMost(inPrices) ?? findMost(inColumn) ?? (header === undefined ? undefined : findHeaderCurrency(header));
}

function findMost(currencies: readonly (string | undefined)[]): string | undefined {
  const counts = Map.groupBy(currencies, (currency) => currency);
  const most = [...counts].find(([, same]) => same.length * 2 > currencies.length);
  return most?.[0];
}
