import { getAt, memoizeRecent } from "@partline/toolkit";
import { fold } from "../fold.ts";
import { completeSize, findSizes, SIZE } from "../measures.ts";
import { VENDOR_NAMES } from "../vendors.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "./synonyms.ts";
import { readLines } from "./read-lines.ts";
import { DESCRIBING_IN_ENGLISH, isDescribing, isNoPartName, isPlain } from "./shopper-words.ts";
import { getUnitSign, toSingular } from "./text.ts";
import { getLines, getWordSet, OPPOSITES, SAYS } from "./vocabulary.ts";

/** Words of makers' names that are no others. */
export const MAKERS: ReadonlySet<string> = new Set(
  Object.values(VENDOR_NAMES)
    .flatMap((names) => names.flatMap((name) => fold(name).split(/\s+/)))
    .filter((word) => word.length > 3 && !/^(?:power|equipment|engines|great|plains|trail|attachments)$/.test(word)),
);

/** Without what is often left out of it. */
const toPlainName = (word: string): string => word.replaceAll(/(.)\1/g, "$1").replace(/s$/, "");
const PLAIN_MAKERS: ReadonlySet<string> = new Set([...MAKERS].map(toPlainName));
/** Returns whether a word is of a maker's name, `stratton` as `straton`. */
export const isMaker = (word: string): boolean => PLAIN_MAKERS.has(toPlainName(word));

const toName = (phrase: string): string => (fold(phrase).match(/[\p{L}\p{N}]+/gu) ?? []).map(toSingular).join(" ");
/** What titles say of parts besides their names. */
const DESCRIBED = getWordSet("described");
const NAMES: ReadonlySet<string> = new Set(
  [...Object.values(DEFAULT_SYNONYMS).flat().map(parseSynonyms)].flatMap(({ words, meanings }) =>
    (words === meanings ? words : meanings)
      .map(toName)
      .filter((name) => !isDescribing(name) && getUnitSign(name) === undefined && !DESCRIBED.has(name)),
  ),
);
const LONGEST_NAME = 4;

/** Finds where a text names parts, the longest names. */
export function findPartNames(text: string): { from: number; to: number }[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const places: { from: number; to: number }[] = [];
  for (let index = 0; index < words.length; index += 1)
    for (let length = Math.min(LONGEST_NAME, words.length - index); length > 0; length -= 1) {
      const [from, last] = [getAt(words, index).index, getAt(words, index + length - 1)];
      const to = last.index + last[0].length;
      if (!NAMES.has(toName(text.slice(from, to)))) continue;
      places.push({ from, to });
      index += length - 1;
      break;
    }
  return places;
}

/** `gx390`, `594961`, `18x8.50-8`: what a model, a number or a size has. */
const MODELS = /(?<![\p{L}\p{N}])(?=[a-z\d])(?=[\w./-]{0,30}\d)[a-z\d][\w./-]{2,}/giu;
/** Words behind a correction in which it says what is meant. */
const CORRECTION = /^(?:[^\s,.;]+[\s,]*){0,6}/;
/** Where something stands: `it says CH25 on the cover`. */
const PLACED = / (?:on|under|inside|behind|at) (?:the|it|its|my)\b[^,.;]*/;
const MOST_CORRECTIONS = 4;

/** `Not 22 inch, 20 inch`, `the 23, not the 18 hp`: of two sizes the one that is meant. */
const CONTRASTS = [
  new RegExp(
    `\\bnot (?:(?:the|an?|with)\\b )?(?<former>${SIZE})(?: ones?)?[,;]? (?:but )?(?:(?:the|an?|it'?s)\\b )?(?<size>${SIZE})`,
    "iu",
  ),
  new RegExp(`(?<size>${SIZE})(?: ones?)?[,;]? (?:and )?not (?:(?:the|an?)\\b )?(?<former>${SIZE})`, "iu"),
];

/** Leaves out what is taken back: of `gx200 oil filter, sorry, gx390`, the `gx200`. */
export function dropCorrected(question: string): string {
  let text = question;
  for (const pattern of CONTRASTS)
    text = text.replace(pattern, (typed: string, ...groups: unknown[]) => {
      const [index, wholeText, { size, former }] = groups.slice(-3) as [
        number,
        string,
        Record<"size" | "former", string>,
      ];
      // The `112` of `SR 112, not 200 amp` is no size.
      const isName = typed.startsWith(size) && /^[\d.]+$/.test(size) && !/\bthe $/i.test(wholeText.slice(0, index));
      return (isName ? undefined : completeSize(size, former)) ?? typed;
    });
  for (let count = 0; count < MOST_CORRECTIONS; count += 1) {
    const match = SAYS.corrects.exec(text);
    const corrected =
      match && correctBy(text.slice(0, match.index).trimEnd(), text.slice(match.index + match[0].length));
    if (corrected === undefined || corrected === null) break;
    text = corrected;
  }
  return dropDone(text);
}

/** What titles say of a part besides its name, and of what size a piston is. */
const ATTRIBUTE = new RegExp(
  `(?<![\\p{L}\\p{N}.])(?:\\.?\\d{1,3} (?:over|under)(?:size)?|standard|std|${[...DESCRIBING_IN_ENGLISH].join("|")})(?!\\p{L})`,
  "giu",
);
const ATTRIBUTE_FIRST = new RegExp(`^(?:the )?${ATTRIBUTE.source}`, "iu");

/** Writes what is meant into what was typed before; undefined if a correction says nothing that is there. */
function correctBy(typed: string, correction: string): string | undefined {
  const beginning = (CORRECTION.exec(correction)?.[0] ?? "").replace(PLACED, "");
  // `48 inch deck belt, sorry, 60`
  const [size] = findSizes(beginning);
  const former =
    size && findSizes(typed).findLast((typedSize) => completeSize(size.text, typedSize.text) !== undefined);
  if (size && former) {
    const wholeSize = completeSize(size.text, former.text);
    const rest = correction.replace(size.text, "");
    return `${typed.slice(0, former.from)}${wholeSize}${typed.slice(former.from + former.text.length)} ${rest}`.trim();
  }
  // `Oil filter, sorry, air`
  const name = findPartNames(typed).at(-1);
  const noun = name && toName(typed.slice(name.from, name.to)).split(" ").at(-1);
  const word = beginning.match(/\p{L}+/gu)?.find((letters) => NAMES.has(`${toName(letters)} ${noun}`));
  if (name && word !== undefined && findPartNames(beginning).length === 0)
    return `${typed.slice(0, name.from)}${word} ${noun}${typed.slice(name.to)} ${correction.replace(word, "")}`.trim();
  const [namesPart, namesModel] = [findPartNames(beginning).length > 0, beginning.search(MODELS) >= 0];
  // `Piston GX160 standard, no wait, .020 over`
  const [attribute] = typed.match(ATTRIBUTE)?.slice(-1) ?? [];
  if (attribute !== undefined && !namesPart && !namesModel && ATTRIBUTE_FIRST.test(correction)) {
    const place = typed.lastIndexOf(attribute);
    return typed.slice(0, place) + correction + typed.slice(place + attribute.length);
  }
  if (typed === "" || !(namesPart || namesModel)) return undefined;
  let rest = namesPart ? dropPartNames(typed) : typed;
  if (namesModel) rest = rest.replace(MODELS, " ");
  return `${rest.replace(/[\s,;.-]+$/, "")} ${namesPart ? correction : correction.replace(PLACED, "")}`.trim();
}

/** In front of a machine: not that one is meant. */
const UNMEANT = new RegExp(
  `(?<=(\\b(?:${getLines("in front of an unmeant machine").join("|")})(?: (?:the|my|our|an?|any|old|former)){0,2} *))`,
  "iuy",
);
/** Parts that go on it are not wanted either. */
const SAYS_UNFIT = /\b(?:fit|go|work|but not|and not)/i;

/** Finds what says of the machine at a place that it is not meant. */
export function findUnmeant(text: string, from: number): string | undefined {
  UNMEANT.lastIndex = from;
  return UNMEANT.exec(text)?.[1];
}

interface Place {
  from: number;
  to: number;
}

/** Writes something of the same length over places of a text. */
export const writeOver = (text: string, places: readonly Place[], write: (place: Place) => string): string =>
  places.reduce((rest, place) => rest.slice(0, place.from) + write(place) + rest.slice(place.to), text);

/**
 * Leaves out machines that are named to say which is not meant, with what says so; `unfit` are those that it may not
 * fit.
 */
export function dropUnmeant<Mention extends { from: number; to: number }>(typed: string, mentions: readonly Mention[]) {
  const unmeant = mentions.flatMap(({ from, to }) => {
    const words = findUnmeant(typed, from);
    return words === undefined ? [] : [{ from: from - words.length, to, isUnfit: SAYS_UNFIT.test(words) }];
  });
  if (unmeant.length === 0 || unmeant.length === mentions.length) return { text: typed, mentions, unfit: [] };
  const text = writeOver(typed, unmeant, ({ from, to }) => " ".repeat(to - from));
  return {
    text,
    mentions: mentions.filter(({ to }) => unmeant.every((place) => place.to !== to)),
    unfit: mentions.filter(({ to }) => unmeant.some((place) => place.isUnfit && place.to === to)),
  };
}

const SHARING = new RegExp(
  `\\b(${[...OPPOSITES.keys()].join("|")}) (?:and|or|plus|&|\\+) (?:the )?(\\p{L}+)(?=(?:[ -](?:side|hand))? )`,
  "giu",
);

/** Writes what two places share with each: `upper hose and lower hose` for `upper and lower hose`. */
export const writeShared = (text: string): string =>
  text.replace(SHARING, (typed: string, first: string, second: string, index: number) => {
    const rest = text.slice(index + typed.length);
    const [name] = OPPOSITES.get(first.toLowerCase()) === second.toLowerCase() ? findPartNames(rest) : [];
    return name && /^\W*$/.test(rest.slice(0, name.from))
      ? `${first} ${rest.slice(name.from, name.to)} and ${second}`
      : typed;
  });

const dropPartNames = (text: string): string =>
  findPartNames(text).reduceRight((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, text);

const WITH_IT =
  /\b(go(?:es)? (?:with|on|in|into|onto|through)|belongs? (?:to|with)|for|hold(?:s|ing)?) (it|them|that)\b(?! \p{L})/iu;

/**
 * Blanks the names of parts that are there already, if the rest asks for others: `the belt is done, now the pulley`.
 */
function dropDone(text: string): string {
  const clauses = text
    .split(/(?<=[,;.!?\n])(?=\s)|(?<=\s)(?=(?:but|and now|now|still)\s)/i)
    .map((clause) => ({ clause, isDone: SAYS["already done"].test(clause) && !SAYS["still wanted"].test(clause) }));
  if (!clauses.some(({ isDone }) => isDone)) return text;
  const askedText = fold(clauses.flatMap(({ clause, isDone }) => (isDone ? [] : [clause])).join(" "));
  const askedWords = new Set(askedText.match(/\p{L}+/gu));
  const isNamed = findPartNames(askedText).some(({ from, to }) => !isDescribing(askedText.slice(from, to)));
  const isOfOther = (word: string): boolean => askedWords.has(OPPOSITES.get(fold(word)) ?? "");
  const dropDoneNames = (clause: string): string => {
    const undone = clause.replaceAll(/\p{L}+/gu, (word) => (isOfOther(word) ? "" : word));
    return isNamed ? dropPartNames(undone) : undone;
  };
  const [done] = clauses.flatMap(({ clause, isDone }) =>
    isDone ? findPartNames(clause).map(({ from, to }) => clause.slice(from, to)) : [],
  );
  // `I have the blade. Give me the bolt that goes with it`
  return clauses
    .map(({ clause, isDone }) => (isDone ? dropDoneNames(clause) : clause.replace(WITH_IT, `$1 the ${done ?? "$2"}`)))
    .join("");
}

const CAPITALIZED = String.raw`(?-i:\p{Lu}\p{Ll}+(?![\p{L}\d-]))`;
const INTRODUCTIONS = new RegExp(
  getLines("introduces").join("|").replaceAll("<name>", `${CAPITALIZED}(?: (?:& )?${CAPITALIZED}){0,3}`),
  "giu",
);

/** Leaves out who asks: `Anna here from Smith Farm`. A maker, or a part, is nobody's name. */
export const dropIntroductions = (text: string): string =>
  text.replace(INTRODUCTIONS, (typed: string) => {
    const isMaker = fold(typed)
      .split(/[^a-z]+/)
      .some((word) => MAKERS.has(word));
    return isMaker || findPartNames(typed).length > 0 ? typed : " ";
  });

/** `…, I only remember that the number begins with 6143`; `45203 and the rest is gone. It is a camshaft` */
const CUT_NUMBER = new RegExp(getLines("cut number").join("|"), "gi");
/** A quick test: few texts say so. */
const MAY_BE_CUT =
  /\d.*\b(?:rest|remainder|other digits|end|smudged|illegible|unreadable|gone|faded|torn|scratched|worn|blurred|greasy|rubbed)\b|\b(?:(?:begin|start|end)|(?:read|see|make out|end|digits|part|bit|figures|beginning|tail|smudged|illegible|unreadable|gone|faded|torn|scratched|worn|blurred|greasy|rubbed)\b).*\d/is;

/** Writes a mark for what says that a number is known in part: the part stands behind it. */
export const markCutNumbers = (text: string): string =>
  MAY_BE_CUT.test(text) ? text.replace(CUT_NUMBER, " * ") : text;

const NAME_WORDS = new Set([...NAMES].flatMap((name) => name.split(" ")).filter((word) => word.length > 2));
/** `Carb 4 my kohler`, `filter 4 boomer 47`; a wheel of 4 inches, or 4 holes, is for nothing. */
const FOR = new RegExp(
  `(?<=(\\S+) )4 (?=(?:my|the|an?|this|${[...MAKERS].join("|")})\\b|[a-z]{1,3}-?\\d|([a-z][a-z-]+) \\d)|(?<=\\bpx )4 (?=[a-z]{3})`,
  "giu",
);
const TO = new RegExp(`2(?<=\\p{L} 2) (?=(?:${getLines("behind to").join(" ").replaceAll(" ", "|")})\\b)`, "giu");
/** Words of parts' names, and of what parts are like, by their consonants. */
const toConsonants = (word: string): string =>
  word.charAt(0) +
  word
    .slice(1)
    .replaceAll(/[aeiou]/g, "")
    .replaceAll(/(.)\1/g, "$1");
const BY_CONSONANTS = Map.groupBy([...NAME_WORDS, ...MAKERS, ...DESCRIBING_IN_ENGLISH, "stock", "price"], toConsonants);
const isPartWord = (word: string): boolean => NAME_WORDS.has(toSingular(word));
const SHORT_NAMES = new Set(DEFAULT_SYNONYMS.en.flatMap((line) => parseSynonyms(line).words));
/** Letters. */
const LONGEST_SHORT = 12;
const isMeasuring = (word: string): boolean =>
  isPartWord(word) ||
  DESCRIBED.has(word) ||
  getUnitSign(word) !== undefined ||
  /^(?:in|ft|mm|cm|stroke|cycle)$/.test(word);
const isNaming = (word: string): boolean =>
  isPartWord(fold(word)) ||
  SHORT_NAMES.has(fold(word)) ||
  /^(?:#|num|numbers?|p\/?n|price|cost|torque|stock)$/i.test(word);

/** Words of all languages that parts, or what stands around them, are called by. */
const KNOWN_WORDS = new Set(
  [...readLines("languages"), ...Object.values(DEFAULT_SYNONYMS).flat()].flatMap((line) =>
    fold(line).split(/[^\p{L}]+/u),
  ),
);
const isWhole = (word: string): boolean => isNoPartName(word) || isPlain(word) || isMeasuring(word) || MAKERS.has(word);
/** Of a word with several vowels: fewer are of many words, and of machines' names. */
const LEAST_CONSONANTS = /[^aeiou]{4}/;

/** Lists the words that one leaves out vowels of, `sprk`, or has other vowels than, `throtel`. */
const listWholes = memoizeRecent(2_000, (word): readonly string[] => {
  const singular = toSingular(word);
  if (word.length < 3 || word.length > LONGEST_SHORT || isWhole(word)) return [];
  const consonants = toConsonants(singular);
  const names = BY_CONSONANTS.get(consonants) ?? [];
  if (/[aeiou].*[aeiou]/.test(word)) {
    if (!LEAST_CONSONANTS.test(consonants) || [word, singular].some((form) => KNOWN_WORDS.has(form))) return [];
    return names.filter(({ length }) => Math.abs(length - singular.length) < 2);
  }
  const pattern = new RegExp(`^${[...singular].join("+[aeiou]*")}+[aeiou]*$`);
  return names.filter((name) => pattern.test(name));
});

/** Writes `spark plug` for `sprk plg`, and `throttle` for `throtel`; of belt and bolt, `drv blt` is the drive's. */
function writeVowels(text: string): string {
  let previousWord = "";
  return text.replaceAll(/(?<![\p{L}\p{N}.'’/-])\p{L}+(?![\p{L}\p{N}'’/-])/gu, (typed) => {
    const word = fold(typed);
    const wholes = listWholes(word);
    const wholeWord = wholes.length === 1 ? wholes[0] : wholes.find((name) => NAMES.has(`${previousWord} ${name}`));
    previousWord = wholeWord ?? word;
    return wholeWord ?? typed;
  });
}

/** Writes what is typed on a phone in words: `howmanyboltsgt2254`, `sprk plg 4 my kohler`. */
export function writeTyped(text: string): string {
  return writeVowels(text)
    .replace(FOR, (four: string, name: string | undefined, word: string | undefined) =>
      name === undefined || (isNaming(name) && !isMeasuring(fold(word ?? ""))) ? "for " : four,
    )
    .replace(TO, "to ")
    .replaceAll(/(?<!\S)[a-z]{14,40}(?=\d)/gi, (letters: string) => splitWord(fold(letters))?.join(" ") ?? letters);
}

const RUN_TOGETHER = getWordSet("run together");
/** Letters in front of a model's number. */
const LONGEST_PREFIX = 3;

/** Splits letters of nothing but makers, names of parts and words of questions, with those of a model behind them. */
function splitWord(word: string, unsplit = new Set<string>()): string[] | undefined {
  if (word.length <= LONGEST_PREFIX) return [word];
  if (unsplit.has(word)) return undefined;
  for (let { length } = word; length > 1; length -= 1) {
    const beginning = word.slice(0, length);
    if (![MAKERS, RUN_TOGETHER].some((words) => words.has(beginning)) && !isPartWord(beginning)) continue;
    const rest = splitWord(word.slice(length), unsplit);
    if (rest) return [beginning, ...rest];
  }
  unsplit.add(word);
  return undefined;
}
