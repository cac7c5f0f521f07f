import { normalizePartNumber } from "../part-number.ts";
import { isDecimalSize, isSize } from "./text.ts";
import { getAt } from "@partline/toolkit";

/** Something in a question that may be a part's number. */
export interface NumberMention {
  /** As it was typed. */
  text: string;
  pnNorm: string;
  /** Words of the question that it is made of, the last one excluded. */
  from: number;
  to: number;
  /** Which of the typed numbers it is, from 0; ways to read one share it. */
  number: number;
}

export interface NumbersTyped {
  mentions: NumberMention[];
  /** How many numbers were typed, those included that are more than are looked up. */
  typed: number;
}

/** Most words that a number is typed in: `54 021 15-S` is three, with its vendor's code four. */
const MOST_WORDS = 4;
const SHORTEST = 4;
const LONGEST = 24;
/** Numbers of one question that are looked up, ways to read one of them, and ways in all. */
export const MOST_NUMBERS = 20;
const MOST_READINGS = 12;
const MOST_MENTIONS = 48;

/** Not a part's: money, a measure, a thread, a date, a time, a phone number with its brackets. */
const NO_NUMBER = [
  /^[$€£]/,
  /^\d+(\.\d+)?(%|"|''|'|mm|cm|in|inch|ft|lb|lbs|kg|hp|cc|v|volt|volts|amp|amps|psi|rpm|nm|l|ml|gal|qt|oz|hr|hrs|am|pm|st|nd|rd|th|x)$/i,
  /^\d{4}-\d{2}-\d{2}$/,
  /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/,
  /^\d+\/\d+(-\d+)?("|in)?$/,
  /^m\d{1,2}(x[\d.]+)*$/i,
  /^\d{1,2}:\d{2}$/,
  /^#\d+$/,
  /^#?\d{1,2}-\d{2}$/,
];

/**
 * Finds what may be a part's number among the words of a question, number by number, each with the longest joins first:
 * letters and digits with at least one digit and four characters, in one word or in several that all have a digit (a
 * vendor's code may stand in front).
 */
export function findNumberMentions(words: readonly string[]): NumbersTyped {
  const typed = groupReadings(words);
  const mentions: NumberMention[] = [];
  let numberIndex = 0;
  for (const readings of typed.slice(0, MOST_NUMBERS)) {
    const firstReadings = readings
      .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
      .slice(0, MOST_READINGS);
    if (mentions.length + firstReadings.length > MOST_MENTIONS) break;
    mentions.push(...firstReadings.map((reading) => ({ ...reading, number: numberIndex })));
    numberIndex += 1;
  }
  return { mentions, typed: typed.length };
}

type Reading = Omit<NumberMention, "number">;

/** Groups the ways to read the same words into one number. */
function groupReadings(words: readonly string[]): Reading[][] {
  const numbers: Reading[][] = [];
  const norms = words.map(normalizePartNumber);
  let end = 0;
  for (let from = 0; from < words.length; from += 1) {
    // A vendor's code may stand in front of the first digit.
    if (!words.slice(from, from + 2).some(hasDigit)) continue;
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_WORDS); to += 1) {
      const window = words.slice(from, to);
      const pnNorm = norms.slice(from, to).join("");
      if (pnNorm.length < SHORTEST || pnNorm.length > LONGEST || !isNumber(window)) continue;
      const reading = { text: window.join(" "), pnNorm, from, to };
      if (from < end) getAt(numbers, -1).push(reading);
      else numbers.push([reading]);
      end = Math.max(end, to);
    }
  }
  return numbers;
}

function isNumber(window: readonly string[]): boolean {
  const [first, ...rest] = window as [string, ...string[]];
  if (window.filter(isWhole).length > 1) return false;
  // `2 614071` are two of it.
  if (window.length === 2 && /^\d{1,2}$/.test(first) && isWhole(getAt(rest, 0))) return false;
  if (rest.length === 0) return hasDigit(first) && canBeNumber(first);
  const isPrefixed = /^[A-Z&]{1,5}-?$/i.test(first) && !hasDigit(first);
  const digits = isPrefixed ? rest : window;
  return (
    (!isPrefixed || /[A-Z]{2}|&/.test(first)) &&
    digits.every((word) => hasDigit(word) || /^[A-WYZ]$/i.test(word)) &&
    hasDigit(getAt(digits, 0)) &&
    digits.every(canBeNumber)
  );
}

/** Returns whether a word is so long that it is a number by itself, and no part of one. */
function isWhole(word: string): boolean {
  return normalizePartNumber(word).length >= 6 && (word.match(/\d/g)?.length ?? 0) >= 4;
}

function canBeNumber(word: string): boolean {
  return !NO_NUMBER.some((shape) => shape.test(word)) && !isDecimalSize(word) && !(isSize(word) && /x/i.test(word));
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
