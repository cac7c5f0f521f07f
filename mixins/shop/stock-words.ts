import type { Language } from "./languages.ts";

/** What mails and the payment page say of pieces that are not on the shelf. */
const WORDS: Record<Language, Record<"orderable" | "backordered" | "expectedIn", string>> = {
  en: { orderable: "available to order", backordered: "on backorder", expectedIn: "usually here within" },
  de: { orderable: "auf Bestellung lieferbar", backordered: "im Rückstand", expectedIn: "übliche Wartezeit:" },
  es: { orderable: "disponible por encargo", backordered: "pendientes de llegada", expectedIn: "plazo habitual:" },
};

interface Missing {
  backordered: number;
  backorderDays?: number | undefined;
  /** Nobody has counted the part. */
  uncounted?: boolean | undefined;
}

/** Says how a line gets its pieces; undefined if they are there. */
export function describeMissing(
  { backordered, backorderDays, uncounted: isUncounted = false }: Missing,
  language: Language = "en",
): string | undefined {
  const words = WORDS[language];
  if (backordered === 0) return isUncounted ? words.orderable : undefined;
  if (backorderDays === undefined) return `${backordered} ${words.backordered}`;
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  return `${backordered} ${words.backordered}, ${words.expectedIn} ${days.format(backorderDays)}`;
}
