import { toSingular, getUnitSign } from "./text.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "./synonyms.ts";
import { fold } from "../fold.ts";
import { findTireSize, parseTireSize } from "../tire-size.ts";
import { getAt } from "@partline/toolkit";
import { writeNumbers, writeSpoken } from "./spoken.ts";
import { getWordSet } from "./vocabulary.ts";
import { FILLER_WORDS, MACHINE_WORDS, readWords } from "./filler-words.ts";

/** What shoppers type around the words that name a part: pure text, before any index is asked. */

const OFFER_WORDS = readWords("offer-words");
const PLAIN_WORDS = readWords("plain-words");

/** Of a question it says where to look; of a search it names a part. */
const NAMING = new Set(["section", "under", "right"]);

export const isNoPartName = (word: string): boolean =>
  [word, toSingular(word)].some((form) => (FILLER_WORDS.has(form) && !NAMING.has(form)) || OFFER_WORDS.has(form));

/** Returns whether a word names a machine as a whole, as `mower` and `engines` do. */
export const isMachineName = (word: string): boolean => MACHINE_WORDS.has(toSingular(word));

/** Returns whether a word is of a story, such as `clicks` and `twice`: it may name a part, but seldom does. */
export const isPlain = (word: string): boolean => PLAIN_WORDS.has(word) || PLAIN_WORDS.has(toSingular(word));

export const DESCRIBING_IN_ENGLISH = getWordSet("describing");
const DESCRIBING = new Set([
  ...DESCRIBING_IN_ENGLISH,
  ...[DEFAULT_SYNONYMS.de, DEFAULT_SYNONYMS.es, DEFAULT_SYNONYMS.fr]
    .flat()
    .map(parseSynonyms)
    .filter(({ meanings: [meaning] }) => DESCRIBING_IN_ENGLISH.has(meaning!))
    .flatMap(({ words }) => words.map(fold)),
]);

/** Whether a word says how a part looks or where it is, as `red` and `kurz`, and names none: it is left out first. */
export const isDescribing = (word: string): boolean => DESCRIBING.has(word);

/** Leaves out units' names behind numbers, as `inches` and `zoll` are: titles may have none. */
export const dropUnits = (words: readonly string[]): string[] =>
  words.filter((word, index) => getUnitSign(word) === undefined || !/\d$/.test(words[index - 1] ?? ""));

/**
 * `2 pack`, `2x` in front, `set of 3`, `qty 4`, `x2` behind a word or a number: how many, not what. A size keeps its
 * `x 20`.
 */
const COUNT =
  /\b\d{1,3}[ -]?(?:packs?|pk|pkg|pcs?|pieces?|count|ct|ea|each|units?|off|stuck|stueck|stk|st|pzas?|piezas?|uds?|unidades)\b|\b(?:set|pack|lot|box|pair) of \d{1,3}\b|\b(?:satz|juego|jeu|lot|paquete|paquet) (?:von|de) \d{1,3}\b|\b(?:qty|quantity):? ?\d{1,3}\b|^\(\d{1,2}\)|^\d{1,2} ?x (?!\d)|(?<=(?:[a-z]|\d{4}) )(?<!\b(?:in|inch|mm|cm|ft) )x ?\d{1,2}$/g;
/** `need 20 knives`, `2 zündkerzen`, and no 20 inches. */
const WANTED =
  /(?<=^|\b(?:need|want|order|buy|get|on|for|of|price|brauche|necesito|busco|cherche) )\d{1,3} (?!(?:inches|volts|amps|watts|gallons|quarts|ounces|pounds|lbs|holes|splines|links|degrees|hours|series|briggs|teeth|cylinders|lumens|microns|tons|pulgadas|pouces|amperios|amperes|voltios|cilindros|cylindres|dientes|dents|capas|lonas|caballos|lagen)\b)(?=\p{L}{3,}(?:s|en)\b)/gu;
/** A model's year: `2019`, `'98`, `2011-2014`. */
const YEAR = /^(?:['’]\d\d|(?:19[5-9]|20[0-2])\d(?:-(?:19[5-9]|20[0-2])\d)?)$/;
export const isYear = (word: string): boolean => YEAR.test(word);
/** `20 over`, `+.030`, `ten under`: pistons, rings, rods. */
const OVERSIZE = /(?<![\w./-])(?:0?\.)?0?([1-6]0)(?: thou(?:sandths?)?)? (over|under)(?:size[d]?)?(?= |$)/g;
/** `hi lift`, `lo-flow`. */
const HIGH = /\b(hi|lo)[ -](?=lift|flow|speed|temp|output|back|torque|pressure|efficiency|vac)/g;
/** What stands in front of a number: `P/N:`, `part no.`, `item #`. */
const LABEL =
  /\b(?:(?:part|item|model|oem|ref|art|mfg|mfr|stock) ?(?:no\b|nr\b|num\b|number\b|#)|p\/n|pn|sku|mpn|item|ref)(?: ?[.:#])+|#/g;
/** `64-inch`, `3-ply`: the number and its unit. */
const HYPHEN_UNIT = /(?<=\d)-(?=(?:inch|in|foot|feet|ft|mm|cm|amp|volt|watt|hp|ply|gal|tooth|teeth|hole|spline)\b)/g;
/** A number with the unit of a machine's power, or of a measure. */
const RATING =
  /(?<![\d./-])(\d+(?:\.\d+)?) ?(?:"|'|in\b|inch|hp\b|v\b|volt|cc\b|kw\b|w\b|watt|a\b|amp|ply\b|pr\b|psi\b|ft\b)/g;

/** Returns the words of a query that may name a part, with what was spoken as it is written. */
export function findNamingWords(q: string): string[] {
  const words = withTireWritten(writeSpoken(fold(q)))
    .replaceAll(LABEL, " ")
    .replaceAll(HIGH, (_, word: string) => (word === "hi" ? "high " : "low "))
    .replaceAll(HYPHEN_UNIT, " ")
    .replaceAll(COUNT, " ")
    .replaceAll(WANTED, " ")
    .replaceAll(/(?<=\d)(?:\*| by )(?=\d)/g, "x")
    .replaceAll(/(?<=\d) (?=(?:mm|t|um?)\b)/g, "")
    .replaceAll(/\b(?:w\/o?|with(?:out)?)(?=\s|\p{L})/gu, " ")
    .split(/[\s,;+?!"]+/)
    .map((word) => word.replace(/^(?:[^\p{L}\p{N}.]|\.(?!\d))+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
  return writeNumbers(words)
    .join(" ")
    .replaceAll(OVERSIZE, ".0$1 $2size")
    .split(" ")
    .filter((word) => word !== "" && !isNoPartName(word));
}

/** Returns a query without a model's year, as titles are; undefined if it names none beside other words. */
export function dropYear(q: string): string | undefined {
  const words = fold(q).trim().split(/\s+/);
  const yearIndex = words.findIndex(isYear);
  const otherWords = words.toSpliced(yearIndex, 1);
  // Beside digits it is part of a number with blanks.
  const isOfNumber = [yearIndex - 1, yearIndex].some((index) => /^\d{5,}$/.test(otherWords[index] ?? ""));
  return yearIndex >= 0 && otherWords.length > 1 && !isOfNumber ? otherWords.join(" ") : undefined;
}

/** A word that names no part alone is not worth suggesting, although it begins parts' words. */
export const isWorthShowing = (suggestion: string): boolean => findNamingWords(suggestion).length > 0;

/** Writes a tire's size that has blanks, a fraction or no points in one spelling: `18 x 9 1/2 - 8`, `20 x 1000 - 8`. */
function withTireWritten(text: string): string {
  const decimal = text.replaceAll(/(?<=x ?\d+) 1\/2(?= ?[x-])/g, ".5");
  const tire = findTireSize(decimal);
  if (tire?.size.diameter === undefined) return text;
  return `${decimal.slice(0, tire.start)}${tire.size.size.toLowerCase()}${decimal.slice(tire.end)}`;
}

/** Returns what stands in front of `with`, `w/` or `includes`: the part without what comes with it. */
export function dropExtras(q: string): string | undefined {
  const [part, ...extras] = fold(q).split(/\s(?:w\/|with\s|incl(?:ude[sd]?|uding)?\.?\s)/);
  return extras.length === 0 || part!.trim() === "" ? undefined : part!.trim();
}

/** Returns numbers of a query that are a machine's power or a measure, `13` of `13HP` and `72` of `72"`. */
export const findRatings = (q: string): ReadonlySet<string> =>
  new Set([...fold(q).matchAll(RATING)].map(([, n]) => n!));

/**
 * Returns the ways in which a word that is nowhere may be written: with its unit's sign, as two numbers, a machine and
 * a part, or two measures.
 */
export function listSplits(word: string): string[][] {
  const splits: string[][] = [];
  const [left, right, ...more] = word.split("/");
  if (right !== undefined && more.length === 0 && [left!, right].every((part) => part.length > 3 && /\d/.test(part)))
    splits.push([left!, right]);
  const [, number, unit] = /^(\d[\d.]*)(\p{L}+)$/u.exec(word) ?? [];
  const sign = unit && getUnitSign(unit);
  if (sign) splits.push([number! + sign]);
  // A bolt's: `10mm` is M10. Inches have a fraction: `12.7mm` is 1/2.
  if (unit === "mm") splits.push([`m${number!}`], ...toInches(Number(number)), [number!]);
  splits.push(...findGluedSizes(word).map((size) => [size]));
  const [, model, tail] = /^(.*\d)(\p{L}{4,})$/u.exec(word) ?? [];
  if (model !== undefined && tail !== undefined)
    for (const tailLength of [2, 1]) splits.push([model + tail.slice(0, tailLength), tail.slice(tailLength)]);
  if (TWO_MEASURES.test(word)) splits.push(word.split("x"));
  else if (/^\p{L}+$/u.test(word) && word.length <= LONGEST_GLUED)
    for (let position = SHORTEST_GLUED; position <= word.length - SHORTEST_GLUED; position += 1)
      splits.push([word.slice(0, position), word.slice(position)]);
  else if (/^[\p{L}\d]+$/u.test(word) && !/^\d+\p{L}{1,2}$/u.test(word))
    splits.push(...listGroupings(word.match(/\d+|\p{L}+/gu) ?? []).filter((groups) => groups.length > 1));
  return splits;
}

/** Tire sizes that a word without marks may be: `18858`, `188508`, `18850-8`, `st2057514`. */
function findGluedSizes(word: string): string[] {
  const sizes: string[] = [];
  const [, metric, aspect, radial] = /^(?:st|lt|p)?(\d{3})(\d\d)r?(\d\d)$/.exec(word) ?? [];
  if (metric !== undefined) sizes.push(`${metric}/${aspect}-${radial}`);
  for (const digits of [2, 3, 4]) {
    const pattern = new RegExp(String.raw`^(\d\d)x?(\d{${digits}})-?([1-9]\d?)$`);
    const [, height, width, rim] = pattern.exec(word) ?? [];
    const widths = digits === 2 ? [width, width?.replace(/^(\d)(\d)$/, "$1.$2")] : [width];
    if (width !== undefined) sizes.push(...widths.map((widthText) => `${height}x${widthText}-${rim}`));
  }
  return sizes.filter((size) => parseTireSize(size));
}

/** Inches as a decimal, if they are whole sixteenths. */
function toInches(millimetres: number): string[][] {
  const sixteenths = Math.round((millimetres / 25.4) * 16);
  return Math.abs(sixteenths - (millimetres / 25.4) * 16) < 0.05 ? [[String(sixteenths / 16)]] : [];
}

/** `5/8x134`, `m6x30`, `1x3-5/32`. */
const TWO_MEASURES = /^(?:m?[\d./]+|\d+-\d+\/\d+)x(?:[\d./]+|\d+-\d+\/\d+)$/;
const MOST_PIECES = 4;
/** Letters of a word that is glued to another. */
const SHORTEST_GLUED = 3;
/** Letters of glued words: no name of a part has more. */
const LONGEST_GLUED = 40;

/** Returns the ways to join neighbours of a few pieces, the fewest groups first. */
function listGroupings([first, ...rest]: readonly string[]): string[][] {
  if (first === undefined || rest.length >= MOST_PIECES) return [];
  if (rest.length === 0) return [[first]];
  return listGroupings(rest)
    .flatMap((groups) => [
      [first + getAt(groups, 0), ...groups.slice(1)],
      [first, ...groups],
    ])
    .sort((a, b) => a.length - b.length);
}

/** `3/4` of `¾`. */
const toFraction = (sign: string): string => sign.normalize("NFKD").replace("⁄", "/");
const UNUSUAL_SIZE = /[¼½¾⅛⅜⅝⅞]|\d +by +\d|^\s*\d\d\/\d/i;

/** Writes sizes as titles do: `18 by 8.5 by 8` and `18x8½-8` as `18x8.5-8`, `3 ½` as `3-1/2`. */
export function writeSizes(q: string): string {
  if (!UNUSUAL_SIZE.test(q)) return q;
  const writtenText = q
    .replaceAll(/(?<=x ?\d+) ?([¼½¾])(?= ?[x-])/gi, (_, sign: string) => `.${{ "¼": 25, "½": 5, "¾": 75 }[sign]}`)
    .replaceAll(/(?<=\d) ?(?=[¼½¾⅛⅜⅝⅞])/g, "-")
    .replaceAll(/[¼½¾⅛⅜⅝⅞]/g, toFraction)
    .replaceAll(/(\d+(?:\.\d+)?) +by +(\d+(?:\.\d+)?) +by +(\d+)/gi, "$1x$2-$3");
  const size = /^\s*\d\d\/\d/.test(writtenText) ? parseTireSize(writtenText)?.size : undefined;
  return size ?? writtenText;
}

const PACKED =
  /\b(?:packs?|bags?|box(?:es)?|packets?|bundles?) of (\d{1,3}|[a-z]+)\b|\b(?:(?:sold|come|comes|packed|packaged) )?in (\w+)s\b(?= |,|$)|\b(\d{1,3}|[a-z]+)[ -]packs?\b/gi;

/** Writes packs as titles do: `sold in fives`, `bag of five` and `five pack` as `5 pack`. */
export const writePacks = (q: string): string =>
  q.replaceAll(PACKED, (typed, ...groups: (string | undefined)[]) => {
    const number = writeNumbers([groups.slice(0, 3).find((group) => group !== undefined) ?? ""]).join("");
    return /^\d+$/.test(number) ? `${number} pack` : typed;
  });
