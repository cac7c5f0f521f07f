/** The shop sells in it. */
export const SHOP_CURRENCY = "USD";

/** Signs and words that price lists write beside amounts, by currency. `$` is the dollar that the reader sells in. */
const WORDS: Readonly<Record<string, string>> = {
  USD: "usd us$ $ dollars? dollar",
  EUR: "eur € euros? eur\\.",
  GBP: "gbp £ pounds?",
  JPY: "jpy ¥ ￥ 円 yen \\\\",
  CNY: "cny rmb 元 yuan cn¥",
  KRW: "krw ₩ 원",
  UAH: "uah ₴ грн\\.? гривень",
  RUB: "rub rur ₽ руб\\.? рублей р\\.",
  KZT: "kzt ₸ тг\\.? тенге tg",
  BYN: "byn",
  BGN: "bgn лв\\.? лева lv",
  PLN: "pln zł zl\\.?",
  CZK: "czk kč",
  HUF: "huf ft\\.?",
  RON: "ron lei leu",
  TRY: "try ₺ tl",
  SEK: "sek kr\\.? :-",
  NOK: "nok",
  DKK: "dkk",
  CHF: "chf sfr\\.? fr\\.",
  ZAR: "zar r rand",
  INR: "inr ₹ rs\\.? rupees?",
  BRL: "brl r\\$ reais",
  MXN: "mxn mx\\$ mex\\$",
  CAD: "cad c\\$ ca\\$ can\\$",
  AUD: "aud a\\$ au\\$",
  NZD: "nzd nz\\$",
  PHP: "php ₱",
  THB: "thb ฿",
  ILS: "ils ₪",
  VND: "vnd ₫ đ",
  AED: "aed dhs?\\.?",
  SAR: "sar",
  SGD: "sgd s\\$",
  HKD: "hkd hk\\$",
  COP: "cop col\\$",
  ARS: "ars ar\\$",
  CLP: "clp clp\\$",
  PEN: "pen s/\\.?",
  IDR: "idr rp\\.?",
  MYR: "myr rm",
};

const escapeDollar = (word: string): string => word.replace(/(?<!\\)\$/g, String.raw`\$`);
const words = Object.entries(WORDS).flatMap(([currency, spellings]) =>
  spellings.split(" ").map((word) => ({ currency, pattern: new RegExp(`^${escapeDollar(word)}$`, "iu"), word })),
);
/** The longer first: `R$` is no rand. */
const ANY = [...words]
  .sort((left, right) => right.word.length - left.word.length)
  .map(({ word }) => escapeDollar(word))
  .join("|");
const BESIDE = new RegExp(
  String.raw`^(?<sign>[-+]?)\s*(?<prefix>${ANY})?\s*(?<amount>[-+]?[\d.,'’\s]*(?:\d|[.,-])[.,]?[-–—]?)\s*(?<suffix>${ANY})?$`,
  "iu",
);

/** Marks of footnotes around an amount or its currency: `12,50 PLN**`, `12,50 1)`. */
const MARKS = /^[*†‡§]+\s*|\s*(?:[*†‡§¹²³]+|\(\d\)|(?<=\s)\d\))$/gu;
const dropMarks = (text: string): string => text.trim().replace(MARKS, "");

/** Returns the currency of a sign or word, `€` or `руб.`; undefined for any other text. */
export function findCurrency(text: string): string | undefined {
  const bare = dropMarks(text);
  return words.find(({ pattern }) => pattern.test(bare))?.currency;
}

/** The same, and of any code of three letters. */
export function readCurrency(text: string): string | undefined {
  const code = dropMarks(text).toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : findCurrency(text);
}

/** Returns the currency that a header names: `Price (EUR)`, `Цена, руб.`; undefined if it names none. */
export function findHeaderCurrency(header: string): string | undefined {
  const words = header.split(/[\s()[\],/:_]+/).filter((word) => word !== "");
  // A lone letter heads columns too.
  return words
    .filter((word) => word.length > 1 || /\p{Sc}|円|元/u.test(word))
    .flatMap((word) => {
      const currency = findCurrency(word);
      return currency !== undefined && (!VAGUE.has(word.toLowerCase()) || EXACT_SPELLINGS.has(word)) ? [currency] : [];
    })[0];
}

/** Words that mean something else in a header, unless they are written as `EXACT_SPELLINGS` has them. */
const VAGUE = new Set([
  "try",
  "tl",
  "ron",
  "lei",
  "ft",
  "php",
  "sar",
  "r",
  "kr",
  "lv",
  "rs",
  "cop",
  "ars",
  "pen",
  "rm",
  "rp",
  "pound",
  "pounds",
]);
const EXACT_SPELLINGS = new Set([
  "TRY",
  "TL",
  "RON",
  "Lei",
  "lei",
  "LEI",
  "Ft",
  "PHP",
  "SAR",
  "kr",
  "Rs",
  "COP",
  "ARS",
  "PEN",
  "RM",
  "Rp",
]);

/** Parts an amount from the currency beside it. Undefined if something else is there. */
export function splitCurrency(text: string): { amount: string; currency?: string } | undefined {
  const { sign = "", prefix, amount, suffix } = BESIDE.exec(dropMarks(text))?.groups ?? {};
  if (amount === undefined) return undefined;
  const word = prefix ?? suffix;
  const currency = word === undefined ? undefined : findCurrency(word);
  return { amount: sign + amount.trim(), ...(currency !== undefined && { currency }) };
}
