/** Whole US cents. Everything inside counts in cents; decimals stand at the edge alone. */
export type Cents = number;

/** The highest price of a part: 999,999.99, as a cart takes it. */
export const HIGHEST_PRICE: Cents = 99_999_999;

/** Cents of a decimal amount that has at most two decimals, such as 12.5. */
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

/** The sum of unit price times quantity over all lines, exact to the cent. */
export function subtotalOf(lines: readonly { unitPrice: Cents; quantity: number }[]): Cents {
  return lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
}

/** Whether a decimal amount has at most two decimals (19.99 has, 19.999 has not). */
export function isWholeCents(decimal: number): boolean {
  return Math.abs(decimal * 100 - Math.round(decimal * 100)) < 1e-6;
}
