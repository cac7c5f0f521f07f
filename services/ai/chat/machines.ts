import { modelSpans } from "../desk/understanding/model-spans.ts";
import type { FactsTold } from "./facts-told.ts";
import type { Mention, Sentence } from "./sentences.ts";
import type { Word } from "./spoken-words.ts";

/** An equipment in a sentence: the words that it is made of, the last one excluded. */
export interface MachineMention {
  from: number;
  to: number;
  /** All that is called so, as facts have it. */
  equipment: readonly string[];
}

/** Equipment that something is said of, each with all that is called so. */
export type Spoken = readonly (readonly string[])[];

/** Between equipment of which the same is said there is nothing else. */
const JOINED = /^(?:and|or|both|the|an?|my|your|as|well)$/i;
/** Between what is said and the equipment that it is said of: `page 7 of the GT-2254`. */
const LITTLE = /^(?:of|on|in|for|the|an?|my|your|each|every)$/i;
const BOUNDARY = /^(?:and|but|while|whereas|plus|or)$/i;
const UNCERTAIN =
  /\b(?:the same|(?:un)?like|former|latter|vice versa|rather|opposite|reversed?|swap\w*|versus|than|instead)\b/i;

/** Equipment of the facts that words name and that is no part's number. */
export function machinesIn(
  words: readonly Word[],
  mentions: readonly Mention[],
  facts: Pick<FactsTold, "modelsNamedIn">,
): MachineMention[] {
  const texts = words.map(({ text }) => text);
  const spans = modelSpans(texts, facts.modelsNamedIn(texts.join(" ")));
  return spans
    .filter(({ from, to }) => !mentions.some((mention) => mention.from < to && from < mention.to))
    .map(({ from, to, models }) => ({ from, to, equipment: models.map(({ equipment }) => equipment) }));
}

/**
 * The equipment that something at a word is said of: what stands right behind it, or last before it in its clause, or
 * else first there, or so in the sentence. Empty where that names none.
 */
export function machinesAt(sentence: Sentence, at: number): Spoken {
  const { words } = sentence;
  const groups = groupsOf(sentence);
  const right = groups.find(
    ([first]) =>
      first!.from > at &&
      words.slice(at, first!.from).every(({ text, isCut }, place) => !isCut && (place === 0 || LITTLE.test(text))),
  );
  if (right) return spoken(right);
  const isInside = (place: number): boolean =>
    groups.some((group) => group[0]!.from <= place && place < group.at(-1)!.to - 1);
  const ends = (place: number): boolean =>
    !isInside(place) && (words[place]!.isCut || BOUNDARY.test(words[place + 1]?.text ?? ""));
  let from = at;
  while (from > 0 && !ends(from - 1)) from -= 1;
  let to = at;
  while (to < words.length - 1 && !ends(to)) to += 1;
  const inClause = groups.filter((group) => group[0]!.from >= from && group[0]!.from <= to);
  const nearest = (some: readonly MachineMention[][]): MachineMention[] | undefined =>
    some.findLast(([first]) => first!.from < at) ?? some[0];
  return spoken(nearest(inClause) ?? nearest(groups) ?? []);
}

/** The last that a sentence names. */
export function lastMachines(sentence: Sentence): Spoken {
  return spoken(groupsOf(sentence).at(-1) ?? []);
}

/** Whether it is uncertain of which of several equipment something is said. */
export function areMistakable(sentence: Sentence): boolean {
  return UNCERTAIN.test(sentence.text) && groupsOf(sentence).length > 1;
}

function spoken(group: readonly MachineMention[]): Spoken {
  return group.map(({ equipment }) => equipment);
}

function groupsOf({ words, machines }: Sentence): MachineMention[][] {
  const groups: MachineMention[][] = [];
  for (const machine of machines) {
    const group = groups.at(-1);
    if (group && words.slice(group.at(-1)!.to, machine.from).every(({ text }) => JOINED.test(text)))
      group.push(machine);
    else groups.push([machine]);
  }
  return groups;
}
