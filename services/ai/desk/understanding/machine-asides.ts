import { partTerms } from "./part-terms.ts";

interface Span {
  from: number;
  to: number;
}

const YEAR = /^(?:19[5-9]\d|20[0-4]\d)$/;
const POWER = /^\d{1,3}(?:\.\d{1,2})?-?(?:hp|horsepower)$/i;
const HORSES = /^\d{1,3}(?:\.\d{1,2})?$/;
const UNIT = /^(?:hp|horsepower)$/i;
const WITH = /^(?:with|w)$/i;
const ARTICLE = /^(?:an?|the|its)$/i;
const ENGINE = /^(?:engines?|motors?)$/i;
const OF_YEAR = /^(?:from|year)$/i;

/**
 * Equipment with what is said of it around its name: `2015 GT-2254`, `16 hp GT-2254`, `GT-2254 with a 16 hp engine`. It
 * names no part.
 * @param spans of known equipment, its maker's name included
 */
export function withAsides(words: readonly string[], spans: readonly Span[]): Span[] {
  return spans.map(({ from, to }) => {
    let first = from;
    for (let step = beforeIt(words, first); step > 0; step = beforeIt(words, first)) first -= step;
    let end = to;
    // `GT-2254 2015` alone may ask for a part of that number.
    const isPartNamed = partTerms([...words.slice(0, first), ...words.slice(to)].join(" ")).some(
      (term) => !/\d/.test(term),
    );
    for (let step = behindIt(words, end, isPartNamed); step > 0; step = behindIt(words, end, isPartNamed)) end += step;
    return { from: first, to: end };
  });
}

/** Whether it is all that a text says: `GT-2254, 22 horsepower`. */
export function isPowerAlone(words: readonly string[]): boolean {
  const power = powerAt(words, 0);
  return power > 0 && power === words.length;
}

/** A machine's serial number, and the words that call it so: `s/n 1016254323`. It is no part's. */
export function serialNumbers(words: readonly string[]): number[] {
  return words.flatMap((word, at) => {
    if (!/^(?:serial|s\/n|sn)$/i.test(word)) return [];
    let number = at + 1;
    while (/^(?:numbers?|nos?|num|nr|is|#)$/i.test(words[number] ?? "")) number += 1;
    const digits = words[number]?.match(/\d/g)?.length ?? 0;
    return digits >= 5 ? Array.from({ length: number + 1 - at }, (_, place) => at + place) : [];
  });
}

/** How many words from there on tell a power. */
function powerAt(words: readonly string[], at: number): number {
  if (POWER.test(words[at] ?? "")) return 1;
  if (!HORSES.test(words[at] ?? "")) return 0;
  if (UNIT.test(words[at + 1] ?? "")) return 2;
  return /^horse$/i.test(words[at + 1] ?? "") && /^power$/i.test(words[at + 2] ?? "") ? 3 : 0;
}

function beforeIt(words: readonly string[], from: number): number {
  if (from > 0 && YEAR.test(words[from - 1]!)) return 1;
  return [1, 2, 3].find((length) => from >= length && powerAt(words, from - length) === length) ?? 0;
}

function behindIt(words: readonly string[], to: number, isPartNamed: boolean): number {
  if (OF_YEAR.test(words[to] ?? "") && YEAR.test(words[to + 1] ?? "")) return 2;
  if (isPartNamed && YEAR.test(words[to] ?? "")) return 1;
  const isWith = WITH.test(words[to] ?? "");
  const at = !isWith ? to : ARTICLE.test(words[to + 1] ?? "") ? to + 2 : to + 1;
  const power = powerAt(words, at);
  if (power === 0) return 0;
  return at + power - to + (isWith && ENGINE.test(words[at + power] ?? "") ? 1 : 0);
}
