export const UNITS = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
export const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** English words of one number, without `hundred`. */
export const NUMBER_WORDS: readonly string[] = [...UNITS, ...TEENS, ...TENS];

/** Returns the digits of one of `NUMBER_WORDS`: `20` of `twenty`. */
export function parseNumberWord(word: string): string {
  if (UNITS.includes(word)) return String(UNITS.indexOf(word));
  return TEENS.includes(word) ? String(10 + TEENS.indexOf(word)) : `${TENS.indexOf(word) + 2}0`;
}
