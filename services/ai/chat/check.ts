import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { isInstruction } from "../desk/wording/quotable.ts";
import { INSTRUCTIONS } from "./prompt.ts";
import { flawOfClaims, type ClaimFlaw } from "./claims.ts";
import type { FactsTold } from "./facts-told.ts";
import { MOST_WORDS, withoutListMarks, wordsSaid, type Word } from "./spoken-words.ts";

/** Why a model's words do not hold. */
export type Flaw =
  | ClaimFlaw
  | "an address"
  | "markup"
  | "characters that are not seen"
  | "a number that nobody told it"
  | "a price that nobody told it"
  | "instructions"
  | "nothing about a part"
  | "too many words";

/** Characters of an answer: some three hundred words. */
export const LONGEST_ANSWER = 2_500;
/** Plain numbers one after another that are more likely one number in pieces. */
const TOO_MANY_IN_A_ROW = 3;

const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\S@\S|\b[\p{L}\p{N}-]+\.(?:[a-z]{2,24})(?=$|[\s/?#),.:;!])(?<!\b(?:no|fig|qty|approx|incl|vs|etc|e\.g|i\.e)\.[a-z]+)/iu;
const MARKUP = /<[a-z!/?]|\]\s*\(|!\[|```|&#?\w{2,10};|^\s*\|.*\|\s*$/im;
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]|[^\P{Cc}\r\n\t]/u;
const PLAIN = /^[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?$/;
const DIGIT_WORD = /^(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)$/i;

/** Marks that models put into plain text all the same, without which it reads as well. */
export function withoutEmphasis(text: string): string {
  return text.replace(/\*\*|__|`(?!``)/g, "").replace(/^#{1,6}\s+/gm, "");
}

/**
 * What in a piece of text does not hold against the facts; undefined where all does. Every number in it must be one of
 * theirs: a part's number, or part of a name; or a price, a quantity, a page or a stock that is true of the part that
 * it is said of.
 */
export function flawOf(text: string, facts: FactsTold): Flaw | undefined {
  const plain = text.normalize("NFKC");
  if (plain.length > LONGEST_ANSWER) return "too many words";
  if (UNSEEN.test(text) || /[^\x20-\x7e\s]/.test(plain.replace(/[^\p{N}]/gu, "")))
    return "characters that are not seen";
  if (ADDRESS.test(plain)) return "an address";
  if (MARKUP.test(plain)) return "markup";
  if (isInstruction(plain) || tellsItsOwn(plain)) return "instructions";
  const said = withoutListMarks(plain);
  return flawOfNumbers(said, facts) ?? flawOfClaims(said, facts);
}

/** Whether a text names a part that the facts have: one that names none answers nothing. */
export function namesPart(text: string, facts: FactsTold): boolean {
  return partsNamedIn(text, facts).size > 0;
}

/** The numbers of parts that a text names, normalised. */
export function partsNamedIn(text: string, facts: FactsTold): Set<string> {
  const words = wordsSaid(withoutListMarks(text.normalize("NFKC")));
  const named = new Set<string>();
  for (let from = 0; from < words.length; from += 1) {
    for (let to = Math.min(words.length, from + MOST_WORDS); to > from; to -= 1) {
      const key = normalizePartNumber(
        words
          .slice(from, to)
          .map(({ text: word }) => word)
          .join(""),
      );
      if (key !== "" && facts.isPartNumber(key)) named.add(key);
    }
  }
  return named;
}

/** Whether a text repeats what the model itself was instructed. */
function tellsItsOwn(text: string): boolean {
  const lower = text.toLowerCase();
  return INSTRUCTIONS.toLowerCase()
    .split(/[.:\n]+/)
    .some((sentence) => sentence.trim().length > 30 && lower.includes(sentence.trim()));
}

function flawOfNumbers(text: string, facts: FactsTold): Flaw | undefined {
  const words = wordsSaid(text);
  let inARow = 0;
  let spelled = 0;
  for (let at = 0; at < words.length;) {
    const { text: word } = words[at]!;
    spelled = DIGIT_WORD.test(word) ? spelled + 1 : 0;
    if (spelled >= TOO_MANY_IN_A_ROW) return "a number that nobody told it";
    if (!/\p{N}/u.test(word)) {
      // A letter or a dash alone holds pieces of a number together.
      if (word.length > 1) inARow = 0;
      at += 1;
      continue;
    }
    const length = longestKnown(words, at, facts);
    const known = words.slice(at, at + length);
    // What is a plain number or a price is judged where it is known what it is said of.
    if (length === 0 && !PLAIN.test(word))
      return /^[$€£]/.test(word) ? "a price that nobody told it" : "a number that nobody told it";
    // A measure of a name (1-1/4) may be what some of the pieces of another number come to: 1 1 4.
    const inPieces =
      length === 0
        ? 1
        : length > 1 &&
            known.every(({ text: each }) => /^\d+$/.test(each)) &&
            !facts.isPartNumber(known.map(({ text: each }) => each).join(""))
          ? length
          : 0;
    inARow = inPieces === 0 ? 0 : inARow + inPieces;
    if (inARow >= TOO_MANY_IN_A_ROW) return "a number that nobody told it";
    at += Math.max(1, length);
  }
  return undefined;
}

/** Words from there on that are a part's number or stand in a name; 0 where none are. */
function longestKnown(words: readonly Word[], from: number, facts: FactsTold): number {
  for (let length = Math.min(MOST_WORDS, words.length - from); length > 0; length -= 1) {
    const window = words.slice(from, from + length);
    if (window.slice(0, -1).some(({ isCut }) => isCut)) continue;
    if (length === 1 && !/^[$€£]/.test(window[0]!.text) && facts.isWordAsItStands(window[0]!.text)) return 1;
    if (window.some(({ text }) => /^[$€£]|\d\.\d\d$/.test(text))) continue;
    const key = normalizePartNumber(window.map(({ text }) => text).join(""));
    if (!isAscii(window)) continue;
    // A short word of a name is no more than a count would be, and is looked at as one.
    if (facts.isPartNumber(key) || (facts.isWord(key) && (length > 1 || !/^\d{1,4}$/.test(key)))) return length;
  }
  return 0;
}

/** Letters that look like others make another number. */
function isAscii(words: readonly Word[]): boolean {
  return words.every(({ text }) => /^[\x21-\x7e]+$/.test(text));
}
