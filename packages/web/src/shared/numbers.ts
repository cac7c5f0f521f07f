import { getNumberFormat } from "./intl-formats.ts";
import type { Language } from "./language.ts";

/** An amount as the language writes it. @param amount in currency units */
export function money(amount: number, currency: string, language: Language): string {
  return getNumberFormat(language, { style: "currency", currency: currency.toUpperCase() }).format(amount);
}

export function count(value: number, language: Language): string {
  return getNumberFormat(language).format(value);
}

const GRAMS_IN_A_POUND = 453.59237;

/** Formats a weight in kilograms and, in English, pounds: `5.12 lb (2.32 kg)`. Grams were rounded down. */
export function formatWeight(grams: number, language: Language): string {
  const inUnit = (value: number, unit: "kilogram" | "pound"): string =>
    getNumberFormat(language, { style: "unit", unit, maximumSignificantDigits: 3 }).format(value);
  const metric = inUnit(grams / 1_000, "kilogram");
  return language === "en" ? `${inUnit((grams + 0.5) / GRAMS_IN_A_POUND, "pound")} (${metric})` : metric;
}
