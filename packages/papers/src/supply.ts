import type { PaperLanguage } from "./words.ts";

type Word = "orderable" | "elsewhere" | "backordered" | "expectedIn" | "arrives" | "ships" | "ready" | "estimated";

/** What mails, slips and the payment page say of how a line gets its pieces. */
const WORDS: Readonly<Record<PaperLanguage, Record<Word, string>>> = {
  en: {
    ...{ orderable: "available to order; we'll check first", backordered: "on backorder" },
    ...{ expectedIn: "usually here within", estimated: "estimate:" },
    elsewhere: "from another of our stores",
    ...{ arrives: "arrives", ships: "ships", ready: "ready for pickup" },
  },
  de: {
    ...{ orderable: "auf Bestellung lieferbar; wir prüfen zuerst", backordered: "im Rückstand" },
    ...{ expectedIn: "übliche Wartezeit:", estimated: "voraussichtlich:" },
    elsewhere: "aus einer anderen Filiale",
    ...{ arrives: "Lieferung am", ships: "Versand am", ready: "abholbereit am" },
  },
  es: {
    ...{ orderable: "disponible por encargo; lo comprobamos antes", backordered: "por llegar" },
    ...{ expectedIn: "plazo habitual:", estimated: "estimación:" },
    elsewhere: "de otra de nuestras tiendas",
    ...{ arrives: "entrega el", ships: "envío el", ready: "listo para recoger el" },
  },
};

interface Promised {
  kind: "arrives" | "ships" | "ready";
  day: string;
  estimated?: boolean;
}

interface Supply {
  quantity: number;
  backordered: number;
  backorderDays?: number | undefined;
  /** Pieces that nobody has counted. */
  uncounted?: number | undefined;
  /** Pieces at another place than the pickup place. */
  elsewhere?: number | undefined;
  deliveryPromise?: Promised | undefined;
}

/** Says how a line gets its pieces, and when; undefined if there is nothing to say. */
export function describeSupply(
  { quantity, backordered, backorderDays, uncounted = 0, elsewhere = 0, deliveryPromise }: Supply,
  language: PaperLanguage = "en",
): string | undefined {
  const words = WORDS[language];
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  const texts = [
    ...(elsewhere > 0 ? [`${elsewhere} ${words.elsewhere}`] : []),
    ...(uncounted > 0 ? [uncounted < quantity ? `${uncounted} ${words.orderable}` : words.orderable] : []),
    ...(backordered > 0 ? [`${backordered} ${words.backordered}`] : []),
    ...(backordered > 0 && backorderDays !== undefined ? [`${words.expectedIn} ${days.format(backorderDays)}`] : []),
    ...(deliveryPromise ? [describePromise(deliveryPromise, language)] : []),
  ];
  return texts.length > 0 ? texts.join(", ") : undefined;
}

/** Says on which day pieces arrive, leave or are ready. */
export function describePromise({ kind, day, estimated: isEstimated }: Promised, language: PaperLanguage): string {
  const words = WORDS[language];
  return [isEstimated && words.estimated, words[kind], formatDay(day, language)].filter(Boolean).join(" ");
}

/** A day as a letter or an invoice has it. */
export const formatDay = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
