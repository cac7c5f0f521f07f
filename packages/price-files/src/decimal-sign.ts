import { getCurrencyDigits } from "@partline/parts-language";
import { splitCurrency } from "./currency-words.ts";

/** The sign between the whole and the fraction of an amount; the other one groups thousands. */
export type DecimalSign = "." | ",";

const FORMS = [".", ","].map((sign) => {
  const [decimal, group] = sign === "." ? [String.raw`\.`, ","] : [",", String.raw`\.`];
  // A group never begins with 0: 0,125 is no thousand.
  const grouped = String.raw`[1-9]\d{0,2}(?:${group}\d{3})+`;
  return {
    sign: sign as DecimalSign,
    amount: new RegExp(String.raw`^(?:(?:${grouped}|\d+)(?:${decimal}\d+)?|${decimal}\d+)$`),
  };
});

/** Blanks and apostrophes group thousands beside either sign. */
const BLANK_GROUPS = /^\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?$/u;

/** Returns the signs by which a text can be read as an amount: one, both of `1250` and `1,250`, or none. */
function findFittingSigns(text: string): DecimalSign[] {
  return FORMS.filter(({ amount }) => amount.test(text)).map(({ sign }) => sign);
}

/** Lists in these have no fractions, though the currency has some. */
const SPENT_WHOLE = new Set(["ARS", "COP", "IDR"]);

/** A sign that so many times more amounts have than the other one is the column's. */
const CLEAR = 10;

/**
 * Finds the sign that a column's amounts have, by those that can only be read one way. Amounts of a currency without
 * fractions have groups. Undefined if amounts differ or none shows it.
 */
export function findDecimalSign(amounts: Iterable<string>, currency?: string): DecimalSign | undefined {
  const counts = { ".": 0, ",": 0 };
  const groups = { ".": 0, ",": 0 };
  for (const text of amounts) {
    const { amount = "" } = splitAmount(text) ?? {};
    const [sign, secondSign] = findFittingSigns(amount);
    if (sign !== undefined && secondSign === undefined) counts[sign] += 1;
    else if (secondSign !== undefined && /[.,]/.test(amount)) groups[amount.includes(",") ? "," : "."] += 1;
  }
  if (counts["."] > CLEAR * counts[","]) return ".";
  if (counts[","] > CLEAR * counts["."]) return ",";
  const isWhole = currency !== undefined && (SPENT_WHOLE.has(currency) || getCurrencyDigits(currency) === 0);
  const hasNoFraction = isWhole && counts["."] + counts[","] === 0;
  if (!hasNoFraction || groups["."] === groups[","]) return undefined;
  return groups[","] > groups["."] ? "." : ",";
}

export type Amount = { amount: string; currency?: string } | "invalid" | "ambiguous" | "none";

/** What price lists write where a price must be asked for. */
const ON_REQUEST =
  /^(?:(?:up)?on request|poa|p\.o\.a\.?|tb[ad]|n\/a|call|(?:preis )?auf anfrage|sur demande|nous consulter|a consultar|consultar|bajo pedido|sob consulta|(?:su|a) richiesta|op aanvraag|på (?:förfrågan|forespørsel|forespørgsel)|pyynnöstä|na zapytanie|na dotaz|na dopyt|la cerere|по (?:запросу|запиту)|договорная|お?問い?合わ?せ|オープン価格|询价|面议|문의)$/iu;
const PLAIN = /^\d+(?:\.\d+)?$/;

/**
 * Returns the amount with a point and without groups, as `1234.5`, with the currency beside it; or why it cannot be
 * read. A dash is none, and so is a word for "on request".
 */
export function readAmount(text: string, sign: DecimalSign | undefined): Amount {
  if (sign === "." && PLAIN.test(text)) return { amount: text };
  const parts = splitAmount(text);
  if (parts === undefined) return ON_REQUEST.test(text.trim()) ? "none" : "invalid";
  const { amount: bare, ...parsed } = parts;
  if (/^[-–—]$/.test(bare)) return "none";
  const signs = findFittingSigns(bare).filter((candidate) => sign === undefined || candidate === sign);
  const readings = new Set(
    signs.map((candidate) => bare.replaceAll(candidate === "." ? "," : ".", "").replace(",", ".")),
  );
  if (readings.size > 1) return "ambiguous";
  const [amount] = readings;
  if (amount === undefined) return "invalid";
  return { ...parsed, amount: amount.startsWith(".") ? `0${amount}` : amount };
}

/** What lists write around a number of pieces: `2 шт.`, `>10 pcs`, `20+`. */
const PIECES =
  /^(?:>=?|≥|~|over|more than|über|mehr als|más de|più di|plus de|meer dan|powyżej|от|более|больше|більше|понад)?\s*(\d[\d\s.,'’]*?)\s*\+?\s*(?:(?:pcs?|pieces?|pc|ea|each|units?|stk?|stück|ud?s?|unidades|piezas|pz|pezzi|pi[eè]ces?|szt|ks|db|adet|buc|шт|個|个|件|개)\.?)?$/iu;

/** Reads a number of pieces, with the least of "more than": see `readAmount`. */
export function readPieceCount(text: string, sign: DecimalSign | undefined): Amount {
  return readAmount(PIECES.exec(text.trim())?.[1] ?? text, sign);
}

/**
 * Parts an amount from its currency, without the groups of blanks and the dash behind a whole amount (`5,-`). Behind
 * groups, the dash shows the decimal sign: `1.234,-`.
 */
function splitAmount(text: string): { amount: string; currency?: string } | undefined {
  const parts = splitCurrency(text);
  if (parts === undefined) return undefined;
  const amount = parts.amount.replace(/(?<=([.,])\d{3})(?!\1)([.,])[-–—]$/u, "$200").replace(/(?<=\d)[.,][-–—]$/u, "");
  return { ...parts, amount: BLANK_GROUPS.test(amount) ? amount.replaceAll(/[\s'’]/gu, "") : amount };
}
