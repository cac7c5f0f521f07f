import type { Language } from "./language.ts";

/** An amount as the language writes it. @param amount in currency units */
export function money(amount: number, currency: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: "currency", currency: currency.toUpperCase() }).format(amount);
}

export function count(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}
