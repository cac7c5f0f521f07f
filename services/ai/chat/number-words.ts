const ONES = [
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

const VALUES = new Map<string, number>([
  ...ONES.map((word, at): [string, number] => [word, at + 1]),
  ...TENS.flatMap((ten, at): [string, number][] => [
    [ten, 20 + 10 * at],
    ...ONES.slice(0, 9).flatMap((one, more): [string, number][] =>
      ["-", " ", ""].map((between) => [ten + between + one, 21 + 10 * at + more]),
    ),
  ]),
  ["pair", 2],
  ["couple", 2],
  ["dozen", 12],
]);

/** Larger ones, and parts of others: no answer about parts needs them. */
const OTHERS =
  /^(?:zero|half|third|quarter|hundreds?|thousands?|millions?|dozens|\w*(?:teen|ty)th|(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)s?)$/i;

/** The number that words say, one to ninety-nine, and how many of them; undefined where they say none. */
export function numberSaid(word: string, next = ""): { value: number; words: number } | undefined {
  const both = VALUES.get(`${word} ${next}`.toLowerCase());
  if (both !== undefined) return { value: both, words: 2 };
  const value = VALUES.get(word.toLowerCase());
  return value === undefined ? undefined : { value, words: 1 };
}

/** A word that makes another number of those around it. */
export function isOtherNumber(word: string): boolean {
  return OTHERS.test(word);
}
