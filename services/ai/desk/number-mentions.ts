import { isDecimalSize, isSize } from "../../../mixins/search-index/text.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";

/** Something in a question that may be a part's number. */
export interface NumberMention {
  /** As it was typed. */
  text: string;
  pnNorm: string;
  /** Words of the question that it is made of, the last one excluded. */
  from: number;
  to: number;
}

/** Most words that a number is typed in: `54 021 15-S` is three, with its vendor's code four. */
const MOST_WORDS = 4;
const SHORTEST = 4;
const LONGEST = 24;
/** Mentions of one question that are looked up. */
const MOST_MENTIONS = 24;

/** Not a part's: money, a measure, a thread, a date, a time, a phone number with its brackets. */
const NO_NUMBER = [
  /^[$€£]/, /^\d+(\.\d+)?(%|"|''|'|mm|cm|in|inch|ft|lb|lbs|kg|hp|cc|v|volt|volts|amp|amps|psi|rpm|nm|l|ml|gal|qt|oz|hr|hrs|am|pm|st|nd|rd|th|x)$/i,
  /^\d{4}-\d{2}-\d{2}$/, /^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/, /^\d+\/\d+(-\d+)?("|in)?$/, /^m\d{1,2}(x[\d.]+)*$/i, /^\d{1,2}:\d{2}$/, /^#\d+$/,
];

/**
 * What may be a number of a part among the words of a question, the longest joins first: letters and digits with at least one digit and
 * four characters, in one word or in several that all have a digit (a vendor's code may stand in front).
 * @param taken words that are something else: a model's
 */
export function numberMentions(words: readonly string[], taken: ReadonlySet<number>): NumberMention[] {
  const found: NumberMention[] = [];
  for (let length = MOST_WORDS; length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const window = words.slice(from, from + length);
      if (window.some((_, at) => taken.has(from + at)) || !isNumber(window)) continue;
      const pnNorm = normalizePartNumber(window.join(""));
      if (pnNorm.length < SHORTEST || pnNorm.length > LONGEST) continue;
      found.push({ text: window.join(" "), pnNorm, from, to: from + length });
    }
  }
  return found.slice(0, MOST_MENTIONS);
}

function isNumber(window: readonly string[]): boolean {
  const [first, ...others] = window as [string, ...string[]];
  if (others.length === 0) return hasDigit(first) && couldBe(first);
  const isPrefixed = /^[A-Z&]{1,5}-?$/i.test(first) && !hasDigit(first);
  const digits = isPrefixed ? others : window;
  return (!isPrefixed || /[A-Z]{2}|&/.test(first)) && digits.every((word) => hasDigit(word) || /^[A-Z]$/i.test(word)) && hasDigit(digits[0]!) && digits.every(couldBe);
}

function couldBe(word: string): boolean {
  return !NO_NUMBER.some((shape) => shape.test(word)) && !isDecimalSize(word) && !(isSize(word) && /x/i.test(word));
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}
