import type { estypes } from "@elastic/elasticsearch";
import type { QueryPlan, WordGroup } from "../query-plan.ts";
import type { Asker, Matches, Replaceable } from "./asker.ts";
import type { KnownWords } from "./known-words.ts";
import { anyOf } from "./combined.ts";
import { exactNumber, namedBy, variantNumber } from "./number-query.ts";
import { weigh, type Reading } from "./reading.ts";
import { ALL_PARTS, countOf, howMany, isCorrectable, isThere, nearTo } from "./word-questions.ts";
import { misspellable, type Corrections } from "./word-query.ts";

type Answer = estypes.SearchResponseBody;

/**
 * What the index would most often say of the plan: its words are as they were known last, or else as typed, no number
 * stands among them, and no named part was replaced.
 * @returns undefined when the index has to be asked first: how rare one of several words is, or what is near to an
 * unknown one
 */
export function guessReading(known: KnownWords, { numbers, words }: QueryPlan): Reading | undefined {
  const corrections = knownCorrections(known, words);
  if (corrections === undefined) return undefined;
  const matches = knownMatches(known, words, corrections);
  if (matches === undefined) return undefined;
  return {
    exact: anyOf(exactNumber(numbers)),
    variant: anyOf(variantNumber(numbers)),
    successors: [],
    words: weigh(words, matches),
    corrections,
    isNothing: false,
  };
}

/**
 * Gathers what tells whether the guess is right, to be asked together with the search that it leads to.
 * @param namedOf the parts that the query names by a number, where that search shows all of them
 * @returns a function that judges the answer to that search
 */
export function checkGuess(
  asker: Asker,
  { numbers, words }: QueryPlan,
  { corrections }: Reading,
  namedOf?: (answer: Answer) => Replaceable[] | undefined,
): (answer: Answer) => boolean {
  const whole =
    namedOf === undefined ? asker.find(anyOf([...exactNumber(numbers), ...variantNumber(numbers)])) : undefined;
  const amid = asker.find(anyOf(namedBy(numbers.amidWords)));
  const unknown = asker.unknown(misspellable(words));
  return (answer) => {
    const named = whole === undefined ? namedOf!(answer) : whole();
    return (
      countOf(answer) > 0 &&
      unknown().every(({ text }) => corrections.has(text)) &&
      named !== undefined &&
      named.every(({ supersededBy }) => supersededBy === undefined) &&
      (named.length > 0 || amid().length === 0)
    );
  };
}

function knownCorrections(known: KnownWords, words: readonly WordGroup[]): Corrections | undefined {
  const corrections = new Map<string, readonly string[]>();
  for (const term of misspellable(words)) {
    if (known.recall(isThere(term)) !== false) continue;
    const near = isCorrectable(term) ? known.recall(nearTo(term)) : [];
    if (near === undefined) return undefined;
    corrections.set(term.text, near);
  }
  return corrections;
}

/** Beside one group alone rarity says nothing. */
function knownMatches(
  known: KnownWords,
  words: readonly WordGroup[],
  corrections: Corrections,
): Pick<Matches, "parts" | "perGroup"> | undefined {
  // Where nothing has all of the words, more of them may be misspelt.
  if (known.recall(howMany(words, corrections)) === 0) return undefined;
  if (words.length < 2) return { parts: 1, perGroup: words.map(() => 0) };
  const parts = known.recall(ALL_PARTS);
  const perGroup = words.map((group) => known.recall(howMany([group], corrections)));
  return parts !== undefined && perGroup.every((count) => count !== undefined) ? { parts, perGroup } : undefined;
}
