import { parseNumberWord, NUMBER_WORDS, TENS, UNITS } from "../number-words.ts";

const NUMBER = `(?:${[...NUMBER_WORDS, "oh", "hundred"].join("|")})`;
const SPOKEN = new RegExp(`\\b((?:[a-z] )+|[a-z]{2} )(${NUMBER}(?:[ -]${NUMBER})+)(?: ([b-hj-z]))?\\b`, "gi");
/** No letters of a name: `an eight fifty`. */
const WORDS = /^(?:a|i|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)$/i;
/** Digits of a name. */
const SHORTEST = 3;

/** Returns a text with spoken names as they are printed: `CH740S` for `c h seven forty s`. */
export function withSpokenNames(text: string): string {
  return text.replace(SPOKEN, (match: string, spelt: string, counted: string, end = "") => {
    const words = counted.toLowerCase().split(/[ -]/);
    const digits = words.map((word, index) => toDigits(word, words[index + 1])).join("");
    const letters = spelt.trim();
    return WORDS.test(letters) || digits.length < SHORTEST
      ? match
      : `${letters.replaceAll(" ", "")}${digits}${end}`.toUpperCase();
  });
}

/** Returns a word's digits without the zeros that the next word fills: `2` of `twenty two`. */
function toDigits(word: string, next = ""): string {
  const isFilled = UNITS.indexOf(next) > 0;
  if (word === "oh") return "0";
  if (word === "hundred") return next === "" ? "00" : isFilled ? "0" : "";
  return TENS.includes(word) && isFilled ? parseNumberWord(word).slice(0, 1) : parseNumberWord(word);
}
