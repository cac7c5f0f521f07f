import { parseTireSize } from "../tire-size.ts";
import { toSingular } from "./text.ts";
import { getLines } from "./vocabulary.ts";

/** What is dictated, as it is written: numbers, sizes and names. */

const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** English words of one number, without `hundred`. */
const NUMBER_WORDS: readonly string[] = [...UNITS, ...TEENS, ...TENS];

/** Returns the digits of one of `NUMBER_WORDS`: `20` of `twenty`. */
function parseNumberWord(word: string): string {
  if (UNITS.includes(word)) return String(UNITS.indexOf(word));
  return TEENS.includes(word) ? String(10 + TEENS.indexOf(word)) : `${TENS.indexOf(word) + 2}0`;
}

const ONE_TO_NINE = UNITS.slice(1).join("|");
const TEEN = TEENS.join("|");
const TEN = TENS.join("|");
const BELOW_HUNDRED = `(?:(?:${TEN})[ -](?:${ONE_TO_NINE})|${TEN}|${TEEN}|${ONE_TO_NINE})`;
const BELOW_THOUSAND = `(?:(?:an?|${ONE_TO_NINE}) hundred(?:(?: and)? ${BELOW_HUNDRED})?|${BELOW_HUNDRED})`;
const TENTHS = `(?:zero|oh|${ONE_TO_NINE})`;
/** Inches and their hundredths: `eight fifty`, `five point seven zero`. */
const WIDTH = `(?:${ONE_TO_NINE}|${TEEN}) (?:${TEN}|ten|hundred|point ${TENTHS}(?: ${TENTHS})?)`;
const HEIGHT = `(?:${TEEN}|(?:${TEN})(?:[ -](?:${ONE_TO_NINE}))?)`;
/** `Two oh five`, `one seventy five` */
const MILLIMETRES = `(?:${ONE_TO_NINE}) (?:(?:(?:oh|${TEN})[ -])five|fifteen|ten|${TEN})`;
const BY = "(?: (?:by|x|dash|slash))?";
/**
 * `Eighteen nine fifty eight`, `twenty three by eight fifty twelve`; `four ten three fifty four` has two widths, `one
 * seventy five eighty thirteen` millimetres, and `five seventy eight` one width, of a tire alone.
 */
const TIRE = new RegExp(
  `\\b(?:(${HEIGHT})(?: (?:by|x) (${WIDTH}|${BELOW_HUNDRED})| (${WIDTH}))|(${WIDTH})(?: slash)? (${WIDTH})|([sl] ?t )?(${MILLIMETRES})${BY} (${TEN}|(?:${TEN})[ -]five)(?: r)?|(${WIDTH}))${BY} (${BELOW_HUNDRED})s?\\b(?! (?:[a-z]|inch(?:es)?|${TEEN}|${TEN}|${ONE_TO_NINE})\\b)`,
  "gi",
);
const OF_A_TIRE = /\b(?:ti?y?res?|tubes?|rims?|wheels?|trailers?)\b/i;
const PARTS = new Map(Object.entries({ half: 2, quarter: 4, eighth: 8, sixteenth: 16 }));
const PART = `(?:${[...PARTS.keys()].join("|")})s?`;
/** Threads to the inch: `half inch thirteen`, `quarter twenty`. */
const THREADS = "(?:ten|eleven|thirteen|fourteen|sixteen|eighteen|twenty(?:[ -](?:four|eight))?)";
/** `Half inch`, `inch and a half`, `two and a quarter inches`, `three eighths`, `quarter twenty`. */
const FRACTION = new RegExp(
  `\\b(?:(?:(?:${ONE_TO_NINE}|\\d+|an?) )?inch(?:es)? and an? ${PART}|(?:(?:${ONE_TO_NINE}|\\d+) and )?(?:(?:an?|${ONE_TO_NINE})[ -])?${PART}(?: an?)?[ -]inch(?:es)?|(?:(?:${ONE_TO_NINE}|\\d+) and an? |(?:(?:${ONE_TO_NINE}|\\d+) and )?(?:${ONE_TO_NINE})[ -])${PART}|${PART}(?=[ -]${THREADS}\\b))\\b`,
  "gi",
);
/** `Twenty four foot`, `two hundred bucks`, `less than a hundred`. */
const MEASURE = new RegExp(
  `\\b${BELOW_THOUSAND}(?=[ -](?:inch(?:es)?|foot|feet|amps?|volts?|ply|tooth|teeth|dollars?|bucks|pieces|pcs)\\b)|(?<=\\b(?:than|under|over|below|above|least) )${BELOW_THOUSAND}(?=\\W*$)|\\b${BELOW_HUNDRED}(?= (?:by|x) (?:\\d|${BELOW_HUNDRED}\\b))|(?<=(?:\\d|${BELOW_HUNDRED}|\\din|inch(?:es)?) (?:by|x) )${BELOW_THOUSAND}\\b`,
  "gi",
);
const THREAD = new RegExp(
  `(?<=\\d/\\d{1,2})(?:[ -]inch)?[ -](${THREADS}|\\d\\d)(?= (?:by|x) \\d|\\b.*\\b(?:bolt|nut|screw|stud|thread))`,
  "gi",
);
/** `Gearbox one to 1.93` */
const RATIO = new RegExp(`\\b(?:one|1) to (\\d+\\.\\d+|${BELOW_HUNDRED} point ${TENTHS}(?: ${TENTHS})?)\\b`, "gi");
const OF_GEARS = /\b(?:gear|ratio|reduction)/i;
const ORDINALS = "first second third fourth".split(" ");
/** `Number two cylinder`, `2nd cylinder`, `cyl. two`; an engine of two cylinders has none. */
const CYLINDER = new RegExp(
  `(?:,\\s*)?\\b(?:(?:number |no\\.? ?|# ?)(\\d|${ONE_TO_NINE})|(\\d)(?:st|nd|rd|th)|(${ORDINALS.join("|")})) cyl(?:inder\\b|\\b\\.?)|\\bcyl(?:inder)?\\.?(?: (?:number|no\\.?)| ?#)? ?(\\d|${ONE_TO_NINE})\\b(?! ?(?:in|inch|mm|x)\\b)`,
  "gi",
);
const NUMBER = `(?:${[...NUMBER_WORDS, "oh", "hundred"].join("|")})`;
const NAME = new RegExp(`\\b((?:[a-z] )+|[a-z]{2} )${NUMBER}(?:[ -]${NUMBER})*(?: [b-hj-z])?\\b`, "gi");
/** `One three one oh six dash v h nine` */
const PIECE = `(?:${NUMBER}|[b-hj-z]|a(?= (?:dash|slash|${NUMBER})\\b)|dash|slash|dot)`;
const DICTATED = new RegExp(`\\b(?:(?:[b-hj-z] ){2,4})?${NUMBER}(?:,? ${PIECE}){3,}\\b`, "gi");
const LETTERS = new Map(getLines("spoken letters").map((line) => line.split(" ") as [string, string]));
/** `Gee ex three ninety` */
const SPELLED_OUT = new RegExp(`\\b(?:(?:${[...LETTERS.keys()].join("|")}|[b-hj-z]) ){2,4}(?=${NUMBER}\\b|\\d)`, "gi");
const DIGIT = new RegExp(`^(?:${[...UNITS, "oh"].join("|")})$`, "i");
/** No letters of a name: `an eight fifty`. */
const NO_NAME = /^(?:a|i|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)$/i;

/** `Three dozen`, `half a dozen`, `a couple of`. */
const DOZENS = new RegExp(
  `\\b(?:(?:(an?|\\d{1,2}|${BELOW_HUNDRED}) )?(dozens?)|(half a dozen)|a couple(?= of\\b| \\p{L}+s\\b))\\b`,
  "giu",
);
const COUNT = new RegExp(`\\b(?!one\\b)${BELOW_HUNDRED}\\b(?! (?:stroke|cycle|stage|piece))`, "gi");

/** Writes how many are asked for in digits. */
export const writeCounts = (text: string): string => text.replace(COUNT, toDigits);

/**
 * Writes sizes, fractions, measures and dozens of a text in digits: `23x8.50-12` for `twenty three by eight fifty
 * twelve`.
 */
export function writeSpoken(text: string): string {
  return text
    .replace(DOZENS, (_, dozens: string | undefined, dozen: string | undefined, half: string | undefined) =>
      dozen ? `${12 * Number(/^an?$/i.test(dozens ?? "a") ? 1 : toDigits(dozens ?? ""))} pcs` : `${half ? 6 : 2} pcs`,
    )
    .replace(TIRE, (match: string, ...groups: (string | undefined)[]) => {
      const [height, width, besideHeight, first, second, prefix, metric, aspect, alone, rim] = groups
        .slice(0, 10)
        .map((group) => group && toDigits(group));
      const inch = height === undefined ? undefined : `${height}x${width ?? besideHeight}`;
      const trailerSize = first === undefined ? alone && toInches(alone) : `${toInches(first)}/${toInches(second)}`;
      const typed = inch ?? (metric === undefined ? trailerSize : `${prefix ?? ""}${metric}/${aspect}`);
      const isSize = alone === undefined || OF_A_TIRE.test(text);
      return (isSize ? parseTireSize(`${typed}-${rim}`)?.size : undefined) ?? match;
    })
    .replace(FRACTION, (match) => {
      const words = match.toLowerCase().split(/[ -]/);
      const place = words.findIndex((word) => PARTS.has(toSingular(word)));
      const [integer = "", numerator = ""] = [words.includes("and") ? words[0] : "", words[place - 1]].map(
        (word = "") => (/^(?:an?|inch|inches)$/.test(word) ? "1" : toDigits(word)),
      );
      const fraction = `${/\d/.test(numerator) ? numerator : 1}/${PARTS.get(toSingular(words[place] ?? ""))}`;
      return `${integer && `${integer}-`}${fraction}${/inch/i.test(match) ? " inch" : ""}`;
    })
    .replace(RATIO, (typed, ratio: string) => (OF_GEARS.test(text) ? `1:${toDigits(ratio)}` : typed))
    .replace(MEASURE, toDigits)
    .replace(/(?<![\w./-])\d+(?:[-/.]\d+)*(?= (?:wide|long|thick)\b(?:\W*$| ?[,;.]| (?:and|by|x)\b))/gi, "$& inch")
    .replace(THREAD, (_, threads: string) => `-${/\d/.test(threads) ? threads : toDigits(threads)}`)
    .replace(CYLINDER, (_, ...groups: (string | undefined)[]) => {
      const number = groups.slice(0, 4).find((group) => group !== undefined) ?? "";
      const place = ORDINALS.indexOf(number.toLowerCase());
      return ` cylinder ${place >= 0 ? place + 1 : toDigits(number)}`;
    })
    .replace(/(?<=\d\/\d{1,2})ths?\b/gi, "")
    .replace(/(?<=\d\/\d+-\d+) by (?=\d)/gi, " x ");
}

const toDigits = (words: string): string =>
  words
    .toLowerCase()
    .replace(/^an? /, "one ")
    .split(" point ")
    .map((part) => writeNumbers(part.split(/[ -]/)).join(""))
    .join(".");
/** `4.10` of `410`. */
const toInches = (hundredths = ""): string => hundredths.replace(/^(\d+)(?=..$)/, "$1.");

/** Returns a text with spoken names as they are printed: `CH740S` for `c h seven forty s`. */
export function writeSpokenNames(text: string): string {
  const lettered = text.replace(SPELLED_OUT, (match) =>
    match.toLowerCase().replaceAll(/[a-z]+/g, (name) => LETTERS.get(name) ?? name),
  );
  const writtenText = lettered.replace(DICTATED, (match: string) => {
    const words = match.toLowerCase().split(/,? /);
    const isNumber = / (?:dash|slash)\b/i.test(match) || words.filter((word) => DIGIT.test(word)).length > 4;
    return isNumber
      ? writeNumbers(words)
          .join("")
          .replaceAll(/dash|slash/g, "-")
      : match;
  });
  return writtenText.replace(NAME, (match: string, letters: string) => {
    const name = writeNumbers(["", ...match.toLowerCase().split(/[ -]/)])
      .join("")
      .toUpperCase();
    const isName = /\d{3}/.test(name) || (/\d{2}/.test(name) && /^[a-z] [a-z] $/i.test(letters));
    if (NO_NAME.test(letters.trim()) || !isName) return match;
    // `A f h five eighty v` may be an FH580V, and `a f m forty two eleven` an AFM4211.
    return /^a [a-z] [a-z] /i.test(letters) ? `a ${name}` : name;
  });
}

const ZERO = ["oh", "o"];
/** Between two spoken numbers. */
const SPOKEN_SIGNS = new Map(
  Object.entries({ by: "x", x: "x", dash: "-", minus: "-", slash: "/", point: ".", dot: "." }),
);

/**
 * Writes spoken numbers in digits, and joins them with the letters and signs between them: `g x one sixty` is `gx160`.
 */
export function writeNumbers(words: readonly string[]): string[] {
  const pieces: { text: string; isSpoken: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const last = pieces.at(-1);
    // `Need a p t o shaft`: the article is no letter of it.
    if (word === "a" && index > 0 && isLetter(words[index + 1]) && isLetter(words[index + 2])) continue;
    if (ZERO.includes(word) && last?.isSpoken && isNumber(words[index + 1])) last.text += "0";
    else if (word === "hundred" && last?.isSpoken) last.text += "00";
    else if (word === "hundred" && isNumber(words[index + 1])) pieces.push({ text: "100", isSpoken: true });
    else if (word === "and" && words[index - 1] === "hundred" && isNumber(words[index + 1])) continue;
    else if (isNumber(word)) {
      const previousWord = words[index - (words[index - 1] === "and" ? 2 : 1)] ?? "";
      const digits = parseNumberWord(word);
      const zeros =
        previousWord === "hundred" ? digits.length : Number(TENS.includes(previousWord) && UNITS.includes(word));
      if (last?.isSpoken) last.text = last.text.slice(0, last.text.length - zeros) + digits;
      else pieces.push({ text: digits, isSpoken: true });
    } else pieces.push({ text: word, isSpoken: false });
  }
  // A single `one` may be a pronoun; a size or a model has more, or a unit.
  const isMeant = (text: string, next: string | undefined) =>
    text.length > 1 || pieces.length === 1 || SPOKEN_UNIT.test(next ?? "");
  const isSpelled = SPELLED.test(words.join(" "));
  if (!isSpelled && !pieces.some(({ isSpoken, text }, index) => isSpoken && isMeant(text, pieces[index + 1]?.text)))
    return [...words];
  const joined: { text: string; joins: boolean }[] = [];
  for (const [index, { text, isSpoken }] of pieces.entries()) {
    const last = joined.at(-1);
    const sign = last && /\d$/.test(last.text) && pieces[index + 1]?.isSpoken ? SPOKEN_SIGNS.get(text) : undefined;
    const joins = isSpoken || sign !== undefined || /^\p{L}$/u.test(text);
    if (last?.joins && joins) last.text += sign ?? text;
    else joined.push({ text, joins });
  }
  return joined.map(({ text }) => text);
}

/** Letters said one by one, `p t o`, or a number behind what is numbered. */
const SPELLED = new RegExp(
  String.raw`(?<![^ ])\p{L} \p{L} \p{L}(?![^ ])|\b(?:series|category|cat|type|size|stage) (?:${NUMBER_WORDS.join("|")})\b`,
  "u",
);
const SPOKEN_UNIT = /^(?:inch|foot|feet|mm|amp|volt|ply|hole|tooth|teeth)/;
const isLetter = (word = ""): boolean => /^\p{L}$/u.test(word);
const isNumber = (word: string | undefined): boolean => word !== undefined && NUMBER_WORDS.includes(word);
