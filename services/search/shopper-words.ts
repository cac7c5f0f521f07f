import { fold } from "../../mixins/fold.ts";
import { singular } from "../../mixins/search-index/text.ts";
import { FILLER_WORDS, MACHINE_WORDS, wordsOf } from "../shared/filler-words.ts";

/** What shoppers type around the words that name a part: pure text, before any index is asked. */

const OFFER_WORDS = wordsOf(new URL("./offer-words.txt", import.meta.url));

/** Of a question they say where to look; of a search they name a part. */
const NAMING = new Set(["section", "link"]);

const namesNoPart = (word: string): boolean =>
  [word, singular(word)].some((each) => (FILLER_WORDS.has(each) && !NAMING.has(each)) || OFFER_WORDS.has(each));

/** Whether a word names a machine as a whole, as `mower` and `engines` do. */
export const namesMachine = (word: string): boolean => MACHINE_WORDS.has(singular(word));

/**
 * `2 pack`, `2x` in front, `set of 3`, `qty 4`, `x2` behind a word or a number: how many, not what. A size keeps its
 * `x 20`.
 */
const COUNT =
  /\b\d{1,3}[ -]?(?:packs?|pk|pkg|pcs?|pieces?|count|ct|ea|each|units?|off)\b|\b(?:set|pack|lot|box|pair) of \d{1,3}\b|\b(?:qty|quantity):? ?\d{1,3}\b|^\d{1,2} ?x (?!\d)|(?<=(?:[a-z]|\d{4}) )(?<!\b(?:in|inch|mm|cm|ft) )x ?\d{1,2}$/g;
/** Units as titles write them. */
const UNIT_SIGNS = new Map(Object.entries({ amp: "a", ampere: "a", volt: "v", watt: "w", foot: "ft", feet: "ft" }));

const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Between two spoken numbers. */
const SPOKEN_SIGNS = new Map(
  Object.entries({ by: "x", x: "x", dash: "-", minus: "-", slash: "/", point: ".", dot: "." }),
);

/** Returns the words of a query that may name a part, with what was spoken as it is written. */
export function namingWords(q: string): string[] {
  const words = fold(q)
    .replaceAll(COUNT, " ")
    .replaceAll(/(?<=\d)\*(?=\d)/g, "x")
    .split(/[\s,;+?!"]+/)
    .map((word) => word.replace(/^(?:[:()'-]|\.(?!\d))+|[.:()'-]+$/g, ""))
    .filter((word) => word !== "");
  return written(words).filter((word) => !namesNoPart(word));
}

/**
 * Returns the ways in which a word that is nowhere may be written: with its unit's sign, as two numbers, a machine and a
 * part, or two measures.
 */
export function splitsOf(word: string): string[][] {
  const splits: string[][] = [];
  const [left, right, ...more] = word.split("/");
  if (right !== undefined && more.length === 0 && [left!, right].every((each) => each.length > 3 && /\d/.test(each)))
    splits.push([left!, right]);
  const [, number, unit] = /^(\d[\d.]*)(\p{L}+)$/u.exec(word) ?? [];
  const sign = unit === undefined ? undefined : UNIT_SIGNS.get(singular(unit));
  if (sign !== undefined) splits.push([number! + sign]);
  const [, model, tail] = /^(.*\d)(\p{L}{4,})$/u.exec(word) ?? [];
  if (model !== undefined && tail !== undefined)
    for (const taken of [2, 1]) splits.push([model + tail.slice(0, taken), tail.slice(taken)]);
  if (/^[m\d.][\d./]*x[\d./]+$/.test(word)) splits.push(word.split("x"));
  else if (/^\p{L}+$/u.test(word))
    for (let at = SHORTEST_GLUED; at <= word.length - SHORTEST_GLUED; at += 1)
      splits.push([word.slice(0, at), word.slice(at)]);
  else if (/^[\p{L}\d]+$/u.test(word))
    splits.push(...groupsOf(word.match(/\d+|\p{L}+/gu) ?? []).filter((groups) => groups.length > 1));
  return splits;
}

const MOST_PIECES = 4;
/** Letters of a word that is glued to another. */
const SHORTEST_GLUED = 3;

/** Returns the ways to join neighbours of a few pieces, the fewest groups first. */
function groupsOf([first, ...rest]: readonly string[]): string[][] {
  if (first === undefined || rest.length >= MOST_PIECES) return [];
  if (rest.length === 0) return [[first]];
  return groupsOf(rest)
    .flatMap((groups) => [
      [first + groups[0]!, ...groups.slice(1)],
      [first, ...groups],
    ])
    .sort((a, b) => a.length - b.length);
}

/** Writes spoken numbers in digits, and joins them with the letters and signs between them: `g x one sixty` is `gx160`. */
function written(words: readonly string[]): string[] {
  const said: { text: string; isSpoken: boolean }[] = [];
  for (const [at, word] of words.entries()) {
    const last = said.at(-1);
    if (word === "half" && /^in/.test(words[at + 1] ?? "")) said.push({ text: "1/2", isSpoken: false });
    else if (UNITS.includes(word) || TEENS.includes(word) || TENS.includes(word)) {
      const isTens = TENS.includes(words[at - 1] ?? "") && UNITS.includes(word);
      const digits = digitsOf(word);
      if (last?.isSpoken) last.text = isTens ? last.text.slice(0, -1) + digits : last.text + digits;
      else said.push({ text: digits, isSpoken: true });
    } else said.push({ text: word, isSpoken: false });
  }
  // A single `one` may be a pronoun; a size or a model has more.
  if (!said.some(({ isSpoken, text }) => isSpoken && (text.length > 1 || said.length === 1))) return [...words];
  const joined: { text: string; joins: boolean }[] = [];
  for (const [at, { text, isSpoken }] of said.entries()) {
    const last = joined.at(-1);
    const sign = last && /\d$/.test(last.text) && said[at + 1]?.isSpoken ? SPOKEN_SIGNS.get(text) : undefined;
    const joins = isSpoken || sign !== undefined || /^\p{L}$/u.test(text);
    if (last?.joins && joins) last.text += sign ?? text;
    else joined.push({ text, joins });
  }
  return joined.map(({ text }) => text);
}

function digitsOf(word: string): string {
  if (UNITS.includes(word)) return String(UNITS.indexOf(word));
  return TEENS.includes(word) ? String(10 + TEENS.indexOf(word)) : `${TENS.indexOf(word) + 2}0`;
}
