/**
 * Strikes e-mail addresses, phone numbers and payment cards out of texts that people type
 * (docs/decisions/0012-what-is-kept-of-a-search.md).
 */

/** With a country code, an area code in parentheses, or in the North American grouping. */
const PHONE =
  /(?<![\w.-])(?:\+\d[\d\s().-]{6,16}\d|(?:1[\s.-])?\(\d{3}\)\s*\d{3}[\s.-]?\d{4}|(?:1[\s.-])?\d{3}[\s.-]\d{3}[\s.-]\d{4})(?!\w)/gu;

/** Groups of digits with blanks, dashes or points between them, also invisible ones. */
const DIGITS = /\+?\d+(?:[\s\p{Pd}\p{Cf}.]{1,3}\d+)*/gu;
const SHORTEST_CARD = 13;
const LONGEST_CARD = 19;
/** Lengths of the groups in which cards are printed. */
const CARD_GROUPS = /^(?:4 4 4 [1-4]|4 4 4 4 [1-3]|4 6 [45]|6 13)$/;
const MOST_GROUPS = 5;
const CARD_WORD =
  /(?:card|visa|amex|american express|discover|diners|maestro|credit|debit|\b(?:cc|pan)(?!\p{Pd}?$))[^\p{L}\p{N}]*(?:(?:number|num|no|nr|is)\b[^\p{L}\p{N}]*){0,3}$/iu;
/** Characters before a number in which such a word is looked for. */
const BEFORE = 40;
/** A number joined to a word is a part's: `KAW-15964`. */
const JOINED_BEFORE = /\p{L}\p{Pd}?$/u;
const JOINED_BEHIND = /^\p{Pd}?\p{L}/u;
const SECURITY_CODE =
  /\b(?:cvv2?|cvc2?|csc|cid|security code)\b[^\p{L}\p{N}]{0,3}(?:(?:is|code|number|no)\b[^\p{L}\p{N}]{0,3})?\d{3,4}(?!\d)/giu;

/**
 * A quick test, as most texts have none: an address has an @, a phone number a plus sign or ten digits, a card 13
 * digits, and its code a name.
 */
const MAY_BE_PERSONAL = /@|%40|\+|\d(?:\D*\d){9}|cvv|cvc|csc|cid|security code/iu;

/** Whether a number's digits are those of a part that the text found: they are kept, unless written like a card's. */
export type IsPartNumber = (digits: string) => boolean;

/** Puts `[e-mail]`, `[phone]` and `[card]` in their places. */
export function withoutPersonalData(text: string, isPartNumber: IsPartNumber): string {
  if (!MAY_BE_PERSONAL.test(text)) return text;
  // No part's number or name has an @, so all of the word goes.
  const unaddressed = text.replace(/\S+/gu, (word) => (/.(?:@|%40)./su.test(word) ? "[e-mail]" : word));
  const uncarded = unaddressed.replace(DIGITS, (digits: string, index: number) => {
    const textBefore = unaddressed.slice(Math.max(0, index - BEFORE), index);
    const textAfter = unaddressed.slice(index + digits.length, index + digits.length + 2);
    return isCard(digits, { before: textBefore, behind: textAfter, isPartNumber }) ? "[card]" : digits;
  });
  const hasCard = uncarded !== unaddressed;
  const struck = (mark: string, isKept: IsPartNumber) => (number: string) =>
    isKept(number.replace(/\D/g, "")) ? number : mark;
  return uncarded
    .replace(SECURITY_CODE, struck("[card]", hasCard ? () => false : isPartNumber))
    .replace(PHONE, struck("[phone]", isPartNumber));
}

/** The marks of what was struck out, each once; undefined if nothing was. */
export function listMarks(text: string): string | undefined {
  const cleanText = withoutPersonalData(text, () => false);
  return cleanText === text ? undefined : [...new Set(cleanText.match(/\[(?:e-mail|phone|card)\]/g))].join(" ");
}

/** Of a number that is no part's, a card number counts also while it is typed or mistyped. */
function isCard(
  digits: string,
  {
    before: textBefore,
    behind: textAfter,
    isPartNumber,
  }: { before: string; behind: string; isPartNumber: IsPartNumber },
): boolean {
  const groups = digits.match(/\d+/g) ?? [];
  if (
    listWindows(groups).some(
      (window) =>
        CARD_GROUPS.test(window.map(({ length }) => length).join(" ")) &&
        (isCardNumber(window.join("")) || !isPartNumber(window.join(""))),
    )
  )
    return true;
  if (CARD_WORD.test(textBefore)) return [...groups, groups.join("")].some(isCardNumber);
  const apart = groups.slice(JOINED_BEFORE.test(textBefore) ? 1 : 0, JOINED_BEHIND.test(textAfter) ? -1 : undefined);
  const likely = [...[...apart, apart.join("")].filter(isCardNumber), ...apart.filter(isAlmostCardNumber)];
  return likely.some((number) => !isPartNumber(number));
}

function listWindows(groups: readonly string[]): string[][] {
  return groups.flatMap((_, from) =>
    Array.from({ length: Math.min(MOST_GROUPS, groups.length - from) }, (_group, more) =>
      groups.slice(from, from + more + 1),
    ),
  );
}

/** Of a card's length, with the check digit of ISO/IEC 7812-1 (Luhn). */
function isCardNumber(number: string): boolean {
  if (number.length < SHORTEST_CARD || number.length > LONGEST_CARD) return false;
  const sum = [...number]
    .reverse()
    .reduce(
      (total, digit, index) => total + (index % 2 === 0 ? Number(digit) : (Number(digit) * 2) % 9 || Number(digit)),
      0,
    );
  return sum % 10 === 0;
}

/** Begins as payment cards do, and is longer than a bar code, which people search for as well. */
function isAlmostCardNumber(number: string): boolean {
  return number.length > SHORTEST_CARD && number.length <= LONGEST_CARD && /^[2-6]/.test(number);
}
