import type { estypes } from "@elastic/elasticsearch";
import { LONGEST_CHAIN, normalizePartNumber } from "../../part-number.ts";
import { isShort } from "../edit-distance.ts";
import type { PlannedTerm, QueryPlan, WordGroup } from "../query-plan.ts";
import { rarity } from "../word-weights.ts";
import type { Asker, Matches, Replaceable } from "./asker.ts";
import { anyOf } from "./combined.ts";
import { beginningSo, endingSo, exactNumber, namedBy, variantNumber } from "./number-query.ts";
import { misspellable, type Corrections } from "./word-query.ts";

type Query = estypes.QueryDslQueryContainer;

/** A query as the index understands it. */
export interface Reading {
  /** Parts that the query names by a number, by their own one or in another way. */
  exact: Query;
  variant: Query;
  /** Ids of the parts that take the place of named ones. */
  successors: string[];
  words: WeighedGroup[];
  corrections: Corrections;
  /** Nothing in the index matches, whatever the filters. */
  isNothing: boolean;
}

export interface WeighedGroup {
  group: WordGroup;
  /** What its score is multiplied by: it says the more, the fewer parts meet it. */
  weight: number;
}

/**
 * Asks the index what the plan leaves open: which numbers and words it knows, and what is near to those that it does
 * not know.
 */
export async function readPlan(asker: Asker, { numbers, words }: QueryPlan): Promise<Reading> {
  const whole = asker.find(anyOf([...exactNumber(numbers), ...variantNumber(numbers)]));
  const amid = asker.find(anyOf(namedBy(numbers.amidWords)));
  const partly = asker.exists(anyOf([...beginningSo(numbers), ...endingSo(numbers)]));
  const unknown = asker.unknown(misspellable(words));
  const asTyped = asker.matches(words, new Map());
  await asker.ask();

  const isNamed = whole().length > 0;
  const named = isNamed ? whole() : amid();
  const hasNumbers = named.length > 0 || partly();
  const { corrections, matches } = await correct(asker, words, unknown(), asTyped(), hasNumbers);
  return {
    exact: anyOf(exactNumber(numbers)),
    variant: anyOf(isNamed ? variantNumber(numbers) : namedBy(numbers.amidWords)),
    successors: await successorsOf(asker, named),
    words: weigh(words, matches),
    corrections,
    isNothing: !hasNumbers && matches.all === 0,
  };
}

/** Each group with what its rarity says. */
export function weigh(
  words: readonly WordGroup[],
  { parts, perGroup }: Pick<Matches, "parts" | "perGroup">,
): WeighedGroup[] {
  return words.map((group, at) => ({ group, weight: rarity(parts, perGroup[at]!) }));
}

/** Words that are nowhere are corrected at once; the others only when nothing has all of them. */
async function correct(
  asker: Asker,
  words: readonly WordGroup[],
  unknown: readonly PlannedTerm[],
  asTyped: Matches,
  hasNumbers: boolean,
): Promise<{ corrections: Corrections; matches: Matches }> {
  let corrected: { corrections: Corrections; matches: Matches } = { corrections: new Map(), matches: asTyped };
  if (unknown.length > 0) corrected = await correctTerms(asker, words, unknown);
  const all = misspellable(words).filter((term) => !isShort(term.typed) || unknown.includes(term));
  const isFound = hasNumbers || corrected.matches.all > 0;
  return isFound || all.length === unknown.length ? corrected : correctTerms(asker, words, all);
}

async function correctTerms(
  asker: Asker,
  words: readonly WordGroup[],
  terms: readonly PlannedTerm[],
): Promise<{ corrections: Corrections; matches: Matches }> {
  const near = asker.corrections(terms);
  await asker.ask();
  const corrections = near();
  const matches = asker.matches(words, corrections);
  await asker.ask();
  return { corrections, matches: matches() };
}

/** Corrections of the words that are nowhere in the index. */
export async function correctUnknown(asker: Asker, words: readonly WordGroup[]): Promise<Corrections> {
  const unknown = asker.unknown(misspellable(words));
  await asker.ask();
  const near = asker.corrections(unknown());
  await asker.ask();
  return near();
}

/** The ends of the chains of successors, never a discontinued link of one. */
async function successorsOf(asker: Asker, named: readonly Replaceable[]): Promise<string[]> {
  const ends = new Set<string>();
  let links = named
    .filter(({ supersededBy }) => supersededBy !== undefined)
    .map((part) => ({ part, seen: new Set<string>() }));
  for (let step = 0; step < LONGEST_CHAIN && links.length > 0; step += 1) {
    const numbers = links.map(({ part }) => normalizePartNumber(part.supersededBy!));
    const found = asker.find({ terms: { pnNorm: numbers } });
    await asker.ask();
    links = links.flatMap(({ part, seen }, at) => {
      const next = found().find(
        ({ pnNorm, manufacturer }) => pnNorm === numbers[at] && manufacturer.code === part.manufacturer.code,
      );
      if (!next || seen.has(next.id)) return [];
      if (next.status === "active") ends.add(next.id);
      return next.status === "active" || next.supersededBy === undefined
        ? []
        : [{ part: next, seen: seen.add(next.id) }];
    });
  }
  return [...ends];
}
