/** Whole US cents. Decimals exist at the edge alone. */
export type Cents = number;

/** Highest price of a part: 999,999.99, the most that the payment provider takes, and so a cart. */
export const HIGHEST_PRICE: Cents = 99_999_999;

/** Of an amount with at most two decimals: 12.5 is 1250. */
export function toCents(decimal: number): Cents {
  return Math.round(decimal * 100);
}

/** 1250 is 12.5. */
export function toDecimal(cents: Cents): number {
  return cents / 100;
}

/** 1250 is "12.50". */
export function formatMoney(cents: Cents): string {
  return (cents / 100).toFixed(2);
}

const digitsOf = new Map<string, number>();

/** Decimals of a currency, by its code in any case: 2 of USD, none of JPY, 3 of KWD. */
export function getCurrencyDigits(currency: string): number {
  let digits = digitsOf.get(currency);
  if (digits === undefined) {
    digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits!;
    digitsOf.set(currency, digits);
  }
  return digits;
}

/** Of an amount in the currency's smallest unit: 1250 is 12.5 USD, and 1250 JPY. */
export function toMajorUnits(minor: number, currency: string): number {
  return minor / 10 ** getCurrencyDigits(currency);
}

/** The inverse; rounds to the smallest unit. */
export function toMinorUnits(major: number, currency: string): number {
  return Math.round(major * 10 ** getCurrencyDigits(currency));
}

/** "12.50" for 1250 of USD, "1250" of JPY. */
export function formatAmount(minor: number, currency: string): string {
  return toMajorUnits(minor, currency).toFixed(getCurrencyDigits(currency));
}

/** The sum of unit price times quantity. */
export function computeSubtotal(lines: readonly { unitPrice: Cents; quantity: number }[]): Cents {
  return lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
}

/** The same of what the catalog has priced. */
export function computeWorth(lines: readonly { price: Cents; quantity: number }[]): Cents {
  return computeSubtotal(lines.map(({ price, quantity }) => ({ unitPrice: price, quantity })));
}

/** Returns whether a decimal amount has at most two decimals (19.99 has, 19.999 has not). */
export function isWholeCents(decimal: number): boolean {
  return Math.abs(decimal * 100 - Math.round(decimal * 100)) < 1e-6;
}
