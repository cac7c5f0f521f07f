import type { TypedWord } from "../../elasticsearch/nearest-words.ts";
import { LONGEST_CHAIN, normalizePartNumber } from "@partline/parts-language";
import { isShort } from "../edit-distance.ts";
import { planQuery, type PlannedTerm, type QueryPlan, type Synonyms, type WordGroup } from "../query-plan.ts";
import { longestThatFinds, typedWords } from "../suggestions.ts";
import { rarity } from "../word-fields.ts";
import type { Asker } from "./asker.ts";
import { anyOf, isNothing, type Query } from "./combined.ts";
import { beginningSo, endingSo, exactNumber, namedBy, variantNumber } from "./number-query.ts";
import {
  ALL_PARTS,
  howMany,
  isAny,
  isCorrectable,
  isThere,
  nearTo,
  partsNamed,
  type Replaceable,
} from "./questions.ts";
import { misspellable, type Corrections } from "./word-query.ts";

export interface Reading {
  /** Parts that the query names by their own number, or in another way. */
  exact: Query;
  variant: Query;
  /** The numbers of named parts, by the ids of those that replace them. */
  successors: ReadonlyMap<string, string>;
  words: WeighedGroup[];
  corrections: Corrections;
  /** Nothing in the index matches, regardless of the filters. */
  isNothing: boolean;
}

interface WeighedGroup {
  group: WordGroup;
  /** Factor of its score: the higher, the fewer parts meet it. */
  weight: number;
}

/**
 * Reads a plan by the known facts of the index. It assumes the usual for unknown ones, so that a search can be sent along
 * with the questions: words are spelt right, no number stands among them, no named part was replaced.
 * @param isFound whether a search by an earlier reading found something
 * @returns undefined if nothing can be assumed for a missing answer
 */
export function readPlan(asker: Asker, { numbers, words }: QueryPlan, isFound?: boolean): Reading | undefined {
  const whole = recallParts(asker, [...exactNumber(numbers), ...variantNumber(numbers)]) ?? [];
  const amid = recallParts(asker, namedBy(numbers.amidWords)) ?? [];
  const named = whole.length > 0 ? whole : amid;
  const partly = anyOf([...beginningSo(numbers), ...endingSo(numbers)]);
  const finds = (corrections: Corrections): boolean => {
    if (isFound || named.length > 0) return true;
    const all = howMany(words, corrections);
    // A first search shows it as well, unless it is known that nothing has all of the words.
    if (words.length > 0 && (isFound === undefined ? asker.peek(all) : asker.recall(all)) !== 0) return true;
    return !isNothing(partly) && (asker.recall(isAny(partly)) ?? true);
  };

  // Words that are nowhere are corrected at once; the others only if nothing has all of the words.
  const unknown = unknownOf(asker, words);
  const all = misspellable(words).filter((term) => !isShort(term.typed) || unknown.includes(term));
  let corrections = correctionsOf(asker, unknown);
  if (corrections && !finds(corrections) && all.length > unknown.length) corrections = correctionsOf(asker, all);
  const weighed = corrections && weigh(asker, words, corrections);
  const successors = successorsOf(asker, named);
  if (!corrections || !weighed || !successors) return undefined;
  return {
    exact: anyOf(exactNumber(numbers)),
    variant: anyOf(whole.length === 0 && amid.length > 0 ? namedBy(numbers.amidWords) : variantNumber(numbers)),
    successors,
    words: weighed,
    corrections,
    isNothing: !finds(corrections),
  };
}

/** Suggests a query that finds something in place of one that does not. */
export function suggestQuery(asker: Asker, q: string, synonyms: Synonyms): Promise<string | undefined> {
  return asker.settle(() => {
    const typed = typedWords(q);
    const unknown = typed.filter((word) => asker.recall(isThere({ ...word, typos: 0, isBeginning: true })) === false);
    const corrections = correctionsOf(asker, unknown);
    if (!corrections) return undefined;
    const words = typed.flatMap(({ text }) => corrections.get(text)?.slice(0, 1) ?? [text]);
    return longestThatFinds(words, (suggestion) => {
      const groups = planQuery(suggestion, synonyms).words;
      // Stop words alone ask for nothing.
      if (groups.length === 0) return false;
      const near = correctUnknown(asker, groups);
      const count = near && asker.recall(howMany(groups, near));
      return count === undefined ? undefined : count > 0;
    });
  });
}

/** Corrections of the words that are nowhere in the index; undefined if an answer is missing. */
export function correctUnknown(asker: Asker, words: readonly WordGroup[]): Corrections | undefined {
  return correctionsOf(asker, unknownOf(asker, words));
}

function unknownOf(asker: Asker, words: readonly WordGroup[]): PlannedTerm[] {
  return misspellable(words).filter((term) => asker.recall(isThere(term)) === false);
}

function correctionsOf(asker: Asker, words: readonly TypedWord[]): Corrections | undefined {
  const near = words.map((word) => (isCorrectable(word) ? asker.recall(nearTo(word)) : []));
  if (!near.every((each) => each !== undefined)) return undefined;
  return new Map(words.map(({ text }, at) => [text, near[at]!]));
}

/** The rarity of a group says nothing if it is the only one. */
function weigh(asker: Asker, words: readonly WordGroup[], corrections: Corrections): WeighedGroup[] | undefined {
  const isOne = words.length < 2;
  const parts = isOne ? 1 : asker.recall(ALL_PARTS);
  const counts = words.map((group) => (isOne ? 0 : asker.recall(howMany([group], corrections))));
  if (parts === undefined || !counts.every((count) => count !== undefined)) return undefined;
  return words.map((group, at) => ({ group, weight: rarity(parts, counts[at]!) }));
}

function recallParts(asker: Asker, queries: readonly Query[]): readonly Replaceable[] | undefined {
  const query = anyOf(queries);
  return isNothing(query) ? [] : asker.recall(partsNamed(query));
}

/** The ends of the chains of successors, never a discontinued link. */
function successorsOf(asker: Asker, named: readonly Replaceable[]): ReadonlyMap<string, string> | undefined {
  const ends = new Map<string, string>();
  let links = named
    .filter(({ supersededBy }) => supersededBy !== undefined)
    .map((part) => ({ first: part.partNumber, part, seen: new Set<string>() }));
  for (let step = 0; step < LONGEST_CHAIN && links.length > 0; step += 1) {
    const numbers = links.map(({ part }) => normalizePartNumber(part.supersededBy!));
    const found = recallParts(asker, [{ terms: { pnNorm: numbers } }]);
    if (!found) return undefined;
    links = links.flatMap(({ first, part, seen }, at) => {
      const next = found.find(
        ({ pnNorm, manufacturer }) => pnNorm === numbers[at] && manufacturer.code === part.manufacturer.code,
      );
      if (!next || seen.has(next.id)) return [];
      if (next.status === "active" && !ends.has(next.id)) ends.set(next.id, first);
      return next.status === "active" || next.supersededBy === undefined
        ? []
        : [{ first, part: next, seen: seen.add(next.id) }];
    });
  }
  return ends;
}
