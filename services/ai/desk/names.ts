import { LRUCache } from "lru-cache";
import { editDistance, forgivenEdits, LONGEST_CORRECTED } from "../../../mixins/search-index/edit-distance.ts";
import { DEFAULT_SYNONYMS, parseSynonyms } from "../../../mixins/search-index/synonyms.ts";
import { hasDigit, singular, termsOf } from "../../../mixins/search-index/text.ts";
import { cutTitle, lastThing, segmentsOf, thingsOf } from "../../../mixins/search-index/title-head.ts";
import { NOISE } from "./vocabulary.ts";

export interface Named {
  terms: readonly string[];
  head?: string;
}

/** Share of what is named that a part must have to be offered. */
export const RELEVANT = 0.6;
/** What the diagram's name says of a part counts less than what its own does. */
const OF_SCHEMA = 0.7;
/** A word that begins like the one asked for: `carb`. */
const SHORTEST_BEGINNING = 4;
/** The same parts are weighed for question after question. Some 10 MB. */
const MOST_NAMES = 20_000;

export interface Relevance {
  /** 0 to 1: how much of what is asked for the part has. */
  coverage: number;
  /** How much of the part's own name, without measures, is asked for: `Air Filter` before `Air Filter, Foam`. */
  focus: number;
  /** The part itself is asked for, not what it is for: `Gasket, Carburetor` is no carburetor. */
  isThing: boolean;
}

/** How well a part answers a question by its words. A question that names nothing is answered by all. */
export function relevanceOf(
  { terms, head }: Named,
  { description = "", schema = "" }: { description?: string; schema?: string },
): Relevance {
  if (terms.length === 0) return { coverage: 1, focus: 0, isThing: false };
  const { terms: own, things, words: name } = readName(description);
  const around = readName(schema).terms;
  const meantSo = new Set(
    alternativesTo(terms)
      .filter(({ others }) => others.some((other) => other.every((term) => own.includes(term))))
      .flatMap((alternative) => alternative.terms),
  );
  const has = (term: string): boolean => meantSo.has(term) || own.some((word) => isMeant(term, word));
  let had = 0;
  for (const term of terms) {
    if (has(term)) had += 1;
    else if (term !== head && around.some((word) => isMeant(term, word))) had += OF_SCHEMA;
  }
  // A thing is what it is called: bolts are asked for, and the blade is none.
  const lacksHead = head !== undefined && !has(head);
  const asked = name.filter((word) => /\p{L}{2}/u.test(word));
  const isAsked = (word: string): boolean =>
    terms.some((term) => isMeant(term, word)) ||
    (meantSo.size > 0 && alternativesTo(terms).some(({ others }) => others.some((other) => other.includes(word))));
  const focus = asked.length === 0 ? 0 : asked.filter(isAsked).length / asked.length;
  return { coverage: lacksHead ? 0 : had / terms.length, focus, isThing: things.some(isAsked) };
}

interface NameRead {
  /** Each once. */
  terms: readonly string[];
  /** What the part is: `Bolt, Blade, 1/2 in Grade 2` is a bolt. */
  things: readonly string[];
  /** Without measures: it is named blade bolt. */
  words: readonly string[];
}

const BINDING = new Set(["with", "and", "for", "of", "the"]);
const readNames = new LRUCache<string, NameRead>({ max: MOST_NAMES });

function readName(text: string): NameRead {
  const known = readNames.get(text);
  if (known) return known;
  const { head, rest } = cutTitle(text);
  const segments = [head, ...segmentsOf(rest)].filter((segment) => segment.trim() !== "");
  // The first may say how it comes: `Assembly, Blade Spindle`. What questions are full of is no thing: a sickle section
  // is asked for by its sickle.
  const thing = (segment: string): string[] =>
    thingsOf(segment).map((word) => (NOISE.has(word) ? (lastThing(segment, NOISE) ?? word) : word));
  const things = segments.map(thing).find((found) => found.length > 0) ?? [];
  const named = segments.filter((segment) => !hasDigit(segment));
  const read: NameRead = {
    terms: [...new Set(termsOf(text))].filter((term) => !BINDING.has(term)),
    things: things.map(singular),
    words: [...new Set(termsOf((named.length > 0 ? named : segments).join(" ")))],
  };
  readNames.set(text, read);
  return read;
}

/** Terms of a question that mean the same as these others together: `pull cord` and `starter rope`. */
interface Alternative {
  terms: readonly string[];
  others: readonly (readonly string[])[];
}

const PHRASES: readonly Alternative[] = DEFAULT_SYNONYMS.en.map(parseSynonyms).flatMap(({ words, meanings }) =>
  words.map((word) => ({
    terms: termsOf(word),
    others: meanings.filter((meaning) => meaning !== word).map((meaning) => termsOf(meaning)),
  })),
);
const known = new WeakMap<readonly string[], Alternative[]>();

function alternativesTo(terms: readonly string[]): Alternative[] {
  let found = known.get(terms);
  if (!found) {
    found = PHRASES.filter((phrase) => phrase.terms.every((term) => terms.includes(term)));
    known.set(terms, found);
  }
  return found;
}

export function nameTerms(text: string): readonly string[] {
  return readName(text).terms;
}

/** Whether a name has each of these words, as people write them. */
export function isCalled(terms: readonly string[], description: string | undefined): boolean {
  return relevanceOf({ terms }, { description }).coverage === 1;
}

/** By all that its name says, except measures. */
export function isNamedIn(description: string, text: string): boolean {
  const { words, things } = readName(description);
  const said = new Set(termsOf(text));
  return things.length > 0 && words.every((word) => BINDING.has(word) || said.has(word));
}

/** Whether a text says what a part is: `the pin` of `Pin, Chute Hinge`. */
export function isThingIn(description: string, text: string): boolean {
  const said = termsOf(text);
  return readName(description).things.some((thing) =>
    said.some((word) => word === thing || (word.length >= SHORTEST_BEGINNING && thing.startsWith(word))),
  );
}

/** Or stands with others for one of them. */
export function isMeantIn(term: string, terms: readonly string[], words: ReadonlySet<string>): boolean {
  if (words.has(term)) return true;
  for (const word of words) if (isMeant(term, word)) return true;
  return alternativesTo(terms).some(
    (alternative) =>
      alternative.terms.includes(term) && alternative.others.some((other) => other.every((each) => words.has(each))),
  );
}

/** What two words are slips of that meet one name: more is forgiven if no other words are as near. */
export function slipsTogether(
  pairs: readonly (readonly [string, string])[],
  names: readonly (readonly string[])[],
  isKnown = (_word: string): boolean => false,
): string[] | undefined {
  const near = (typed: string, name: readonly string[]): [string, number][] => {
    const forgiven = isKnown(typed) || typed.length < 4 ? 0 : typed.length < 6 ? 1 : 2;
    const all = name.map((word): [string, number] => [word, isMeant(typed, word) ? 0 : editDistance(typed, word)]);
    return all.filter(([, edits]) => edits <= forgiven);
  };
  // Each pair is compared with all names: of a long word that would hold the process for minutes.
  const short = pairs.filter((pair) => pair.every((word) => word.length <= LONGEST_CORRECTED));
  const met: { words: string[]; edits: number }[] = [];
  for (const name of names)
    for (const [first, second] of short)
      for (const [word, edits] of near(first, name))
        for (const [other, more] of near(second, name))
          if (other !== word) met.push({ words: [word, other], edits: edits + more });
  const least = Math.min(...met.map(({ edits }) => edits));
  const best = met.filter(({ edits }) => edits === least).map(({ words }) => words);
  return new Set(best.map(String)).size === 1 ? best[0] : undefined;
}

/** The same, its beginning, or a slip of it. */
function isMeant(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length >= SHORTEST_BEGINNING && word.startsWith(typed)) return true;
  return stemOf(typed) === stemOf(word) || forgivenEdits(typed, word) !== undefined;
}

/** Without its ending, if enough is left: `start` of `starter` and `starting`. */
function stemOf(word: string): string {
  return word.replace(/(?<=\p{L}{5})(?:er|or|ed|ing|ment)$/u, "");
}
