import { fold } from "../../../../mixins/fold.ts";
import { QUESTION_WORDS } from "./question-words.ts";

/** What stands between the parts of a list. */
const BETWEEN_PIECES =
  /\s*,(?!\d)\s*(?:(?:and|or|plus)\s+)?|\s+(?:and|or|plus|as well as|along with)\s+|(?<=\b(?:cheaper|expensive))\s+than\s+/gi;

/** A text cut where a list may be: `oil filter`, `air filter`, `drain plug for it`. */
export function piecesOf(text: string): string[] {
  return text
    .split(BETWEEN_PIECES)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** The words of a text that may name a part, as they were typed, folded. */
export function tellingWords(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}][\p{L}\p{N}./"-]*/gu) ?? []).filter(
    (word) => !QUESTION_WORDS.has(word) && word !== "in",
  );
}

/**
 * Whether a part is called so, commas and all: `Bolt, Blade, Grade 2` is asked for as it is printed, and is no list.
 * @param names as `tellingWords` has them
 */
export function isPrintedSo(description: string, names: readonly string[]): boolean {
  const printed = piecesOf(description).map((piece) => tellingWords(piece).join(" "));
  return printed.some((_, from) => names.every((name, at) => name === printed[from + at]));
}

const FRACTIONS: Readonly<Record<string, string>> = {
  half: "2",
  third: "3",
  quarter: "4",
  fourth: "4",
  eighth: "8",
  sixteenth: "16",
};
const COUNTS: Readonly<Record<string, string>> = {
  a: "1",
  an: "1",
  one: "1",
  three: "3",
  five: "5",
  seven: "7",
  nine: "9",
};
const SPOKEN = new RegExp(
  `\\b(?:(${Object.keys(COUNTS).join("|")})[ -])?(${Object.keys(FRACTIONS).join("|")})s?(?:[ -](?:of )?(?:an? )?inch(?:es)?\\b|(?=[ -](?:in|")\\b))`,
  "gi",
);

/** `half inch` as `1/2`, and `60 inch` as `60`: as sizes are printed. */
export function withWrittenSizes(text: string): string {
  return text
    .replace(
      SPOKEN,
      (_, count: string | undefined, fraction: string) =>
        `${COUNTS[(count ?? "one").toLowerCase()]!}/${FRACTIONS[fraction.toLowerCase()]!}`,
    )
    .replace(/(?<=\d)[ -]?inch(?:es)?\b/gi, "");
}

const NUMBER_WORDS: readonly string[] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** Before what is counted: a number of a part, or several of a name. */
const SPOKEN_COUNT = new RegExp(
  `\\b(${NUMBER_WORDS.join("|")})(?= of (?:them|these|those|it|each)\\b|(?: of| x)? (?:\\S*\\d\\S*|(?:[\\p{L}-]+ ){0,2}\\p{L}+[^s\\P{L}]s)(?![\\p{L}\\p{N}]))`,
  "giu",
);
const COUNT_BEGINS = String.raw`(?<![\p{L}\p{N}.,/#-])(?<!\b(?:grade|size|class|type|no|number|item|ref|figure|fig|page|model|stage|section)\.? )`;
const COUNT = String.raw`${COUNT_BEGINS}(\d{1,3})`;
const OF_THEM = new RegExp(`${COUNT} of (?:them|these|those|it|each)\\b`, "iu");
const TIMES = new RegExp(`${COUNT}(?: ?x| of| pcs(?: of)?| pieces of)? +(?=\\S*\\d)`, "giu");
/** What a machine or a part has as a measure is no count: `12 volt batteries`. */
const NO_MEASURE = String.raw`(?! ?-?(?:hp|horse\w*|in|inch\w*|mm|cm|ft|foot|feet|v|volts?|amps?|w|watts?|cc|oz|ounces?|qts?|quarts?|gal\w*|hours?|hrs?|psi|teeth|tooth|cyl\w*|ply|pin|prong|gauge|row)\b)`;
const SEVERAL = new RegExp(
  `${COUNT}${NO_MEASURE} (?:of (?:the |these |those |your )?|x )?((?:[\\p{L}-]+ ){0,3}?[\\p{L}-]+s)(?![\\p{L}\\p{N}])`,
  "iu",
);

/** `1 air filter`: one is no plural. */
const ONE = new RegExp(`${COUNT_BEGINS}1${NO_MEASURE} (?:x )?([\\p{L}-]+)(?![\\p{L}\\p{N}])`, "iu");

/** `three of them` as `3 of them`, `two blade bolts` as `2 blade bolts`, and `two 614071` as `2 x 614071`. */
export function withWrittenCounts(text: string): string {
  return text.replace(
    SPOKEN_COUNT,
    (word, _, at: number) =>
      `${NUMBER_WORDS.indexOf(word.toLowerCase()) + 2}${/^ \S*\d/.test(text.slice(at + word.length)) ? " x" : ""}`,
  );
}

/** `qty 12`, whatever it stands beside. */
const STATED = /\b(?:qty|quantity)\b\.?[:,]? ?(\d{1,3})(?![\p{L}\p{N}./-])/iu;
/** Behind a part's number: `614071 x 6`. */
const BEHIND = /^ ?x ?(\d{1,3})(?![\p{L}\p{N}./"-])(?! ?(?:in|inch|mm|cm|ft)\b)/iu;
/** Shortest number that `x 6` counts; of a shorter one it may be a size. */
const SHORTEST_COUNTED = 5;
/** A number that stands by itself and is no measure: it may count. */
const MAY_COUNT = new RegExp(`${COUNT}${NO_MEASURE}(?! ?x ?\\d)(?![\\p{L}\\p{N}./"'-])`, "iu");

export interface Counted {
  count?: number;
  /** It has a number that may be how many are meant, and that is not understood. */
  isCountUnclear?: true;
}

/**
 * How many of what it is about a text asks for: 3 of `3 of them`, of `3 of 614071`, of `614071 x 3` and, where it asks
 * for a price, of `3 blade bolts`.
 * @param text without the equipment that it names @param numbers those of parts that were typed, in all the ways to
 * read them @param areMore more than one was typed
 * @param isPart whether a word names a part
 */
export function countAsked(
  text: string,
  {
    numbers,
    areMore,
    isPriced,
    isPart,
  }: { numbers: readonly string[]; areMore: boolean; isPriced: boolean; isPart: (word: string) => boolean },
): Counted {
  const isNumber = (rest: string): boolean => numbers.some((number) => rest.startsWith(number));
  const before = [...text.matchAll(TIMES)].find(
    (found) => isNumber(text.slice(found.index + found[0].length)) && !/^\d+ +$/.test(found[0]),
  )?.[1];
  const behind = numbers
    .filter((number) => number.length >= SHORTEST_COUNTED && text.includes(number))
    .map((number) => BEHIND.exec(text.slice(text.indexOf(number) + number.length))?.[1])
    .find((count) => count !== undefined);
  const times = before ?? behind ?? STATED.exec(text)?.[1];
  const several = isPriced ? SEVERAL.exec(text) : null;
  const one = isPriced ? ONE.exec(text)?.[1] : undefined;
  const count =
    countOfEach(text) ??
    Number(
      (areMore ? undefined : times) ??
        (several?.[2]?.split(" ").every(isPart) ? several[1] : one !== undefined && isPart(one) ? 1 : 0),
    );
  if (count > 0) return { count };
  const isLeftOpen =
    (areMore && times !== undefined) ||
    MAY_COUNT.test(numbers.reduce((rest, number) => rest.replace(number, ","), text)) ||
    new RegExp(`${COUNT} +(?=\\d{4})`, "iu").test(text);
  return isLeftOpen ? { isCountUnclear: true } : {};
}

/** 3 of `3 of each`: it counts all that it stands beside. */
export function countOfEach(text: string): number | undefined {
  const count = Number(OF_THEM.exec(text)?.[1] ?? 0);
  return count > 0 ? count : undefined;
}

/** `a set of blades` are blades. */
export function withoutMeasureWords(text: string): string {
  return text.replace(/\b(?:sets?|pairs?|packs?|box(?:es)?|bags?|couple|kinds?|types?|sorts?|lots?|bunch) of\b/gi, " ");
}
