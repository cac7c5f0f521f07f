import { LRUCache } from "lru-cache";
import {
  cutTitle,
  DEFAULT_SYNONYMS,
  editsWithin,
  forgivenEdits,
  hasDigit,
  lastThing,
  parseSynonyms,
  segmentsOf,
  singular,
  termsOf,
  thingsOf,
} from "@partline/parts-search";
import { NOISE } from "./vocabulary.ts";

/** What is asked for: its terms, and which of them is the thing itself, if that is known. */
export interface Named {
  terms: readonly string[];
  head?: string;
}

/** Share of what a question names that a part must have of it to be offered. */
export const RELEVANT = 0.6;
/** What the diagram's name says of a part counts less than what its own does. */
const OF_SCHEMA = 0.7;
/** A word that begins like the one asked for: `carb`. */
const SHORTEST_BEGINNING = 4;
/** Names that are remembered as read: the same parts are weighed for question after question. Some 10 MB. */
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
  const meaning = meaningOf(terms);
  const meant = new Set(own.flatMap(meaning));
  const meantAround = new Set(around.flatMap(meaning));
  const meantSo = new Set(
    alternativesTo(terms)
      .filter(({ others }) => others.some((other) => other.every((term) => own.includes(term))))
      .flatMap((alternative) => alternative.terms),
  );
  const has = (term: string): boolean => meantSo.has(term) || meant.has(term);
  let had = 0;
  for (const term of terms) {
    if (has(term)) had += 1;
    else if (term !== head && meantAround.has(term)) had += OF_SCHEMA;
  }
  // A thing is what it is called: bolts are asked for, and the blade is none.
  const lacksHead = head !== undefined && !has(head) && !own.some((word) => isMeant(head, word));
  const asked = name.filter((word) => /\p{L}{2}/u.test(word));
  const isAsked = (word: string): boolean =>
    meaning(word).length > 0 ||
    (meantSo.size > 0 && alternativesTo(terms).some(({ others }) => others.some((other) => other.includes(word))));
  const focus = asked.length === 0 ? 0 : asked.filter(isAsked).length / asked.length;
  return { coverage: lacksHead ? 0 : had / terms.length, focus, isThing: things.some(isAsked) };
}

type Meaning = (word: string) => readonly string[];
const meanings = new WeakMap<readonly string[], Meaning>();

/** The terms that a word is meant by: thousands of names of few words are weighed by the same terms. */
function meaningOf(terms: readonly string[]): Meaning {
  const known = meanings.get(terms);
  if (known) return known;
  const read = new Map<string, readonly string[]>();
  const meaning: Meaning = (word) => {
    const found = read.get(word) ?? terms.filter((term) => isMeant(term, word));
    read.set(word, found);
    return found;
  };
  meanings.set(terms, meaning);
  return meaning;
}

interface NameRead {
  /** All of it, each once. */
  terms: readonly string[];
  /** What the part is: `Bolt, Blade, 1/2 in Grade 2` is a bolt. */
  things: readonly string[];
  /** The words that are no measures: it is named blade bolt. */
  words: readonly string[];
}

/** Words of a name that are nobody's question. */
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
const BY_FIRST_TERM = Map.groupBy(PHRASES, ({ terms }) => terms[0]);
const known = new WeakMap<readonly string[], Alternative[]>();

function alternativesTo(terms: readonly string[]): Alternative[] {
  let found = known.get(terms);
  if (!found) {
    const begun = [...new Set(terms)].flatMap((term) => BY_FIRST_TERM.get(term) ?? []);
    found = begun.filter((phrase) => phrase.terms.every((term) => terms.includes(term)));
    known.set(terms, found);
  }
  return found;
}

/** The words of a name, each once. */
export function nameTerms(text: string): readonly string[] {
  return readName(text).terms;
}

/** Whether a name has each of these words, as people write them. */
export function isCalled(terms: readonly string[], description: string | undefined): boolean {
  return relevanceOf({ terms }, { description }).coverage === 1;
}

/** Whether a text names a part by all that its name says, except its measures. */
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

/** Whether a typed term means one of these words, or stands with others for one of them. */
export function isMeantIn(term: string, terms: readonly string[], words: ReadonlySet<string>): boolean {
  if (words.has(term)) return true;
  for (const word of words) if (isMeant(term, word)) return true;
  return alternativesTo(terms).some(
    (alternative) =>
      alternative.terms.includes(term) && alternative.others.some((other) => other.every((each) => words.has(each))),
  );
}

/** What two words are slips of that meet one name: more is forgiven than by itself, if no other words are as near. */
export function slipsTogether(
  pairs: readonly (readonly [string, string])[],
  names: readonly (readonly string[])[],
  isKnown = (_word: string): boolean => false,
): string[] | undefined {
  const words = [...new Set(names.flat())];
  const near = (typed: string): Map<string, number> => {
    const forgiven = isKnown(typed) || typed.length < 4 ? 0 : typed.length < 6 ? 1 : 2;
    const found = new Map<string, number>();
    for (const word of words) {
      const edits = isMeant(typed, word) ? 0 : editsWithin(typed, word, forgiven);
      if (edits !== undefined) found.set(word, edits);
    }
    return found;
  };
  const nearPairs = pairs
    .map(([first, second]) => [near(first), near(second)] as const)
    .filter((pair) => pair.every(({ size }) => size > 0));
  const met: { words: string[]; edits: number }[] = [];
  for (const name of nearPairs.length > 0 ? names : [])
    for (const [first, second] of nearPairs)
      for (const word of name)
        for (const other of first.has(word) ? name : [])
          if (other !== word && second.has(other))
            met.push({ words: [word, other], edits: first.get(word)! + second.get(other)! });
  const least = Math.min(...met.map(({ edits }) => edits));
  const best = met.filter(({ edits }) => edits === least).map(({ words }) => words);
  return new Set(best.map(String)).size === 1 ? best[0] : undefined;
}

/** Whether a typed word means a part's: the same, its beginning, or a slip of it. */
function isMeant(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length >= SHORTEST_BEGINNING && word.startsWith(typed)) return true;
  // A stem has five letters.
  const isOfStem = typed[0] === word[0] && stemOf(typed) === stemOf(word);
  return isOfStem || forgivenEdits(typed, word) !== undefined;
}

/** Without its ending, if enough is left: `start` of `starter` and `starting`. */
function stemOf(word: string): string {
  return word.replace(/(?<=\p{L}{5})(?:er|or|ed|ing|ment)$/u, "");
}
