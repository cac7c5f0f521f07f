import { computeEditsWithin, computeForgivenEdits } from "./edit-distance.ts";
import { cutTitle, findLastThing, splitSegments, findThings } from "./title-head.ts";
import { DEFAULT_SYNONYMS, hasDigit, parseSynonyms, toSingular, splitTerms } from "@partline/parts-language/terms";
import { NOISE } from "@partline/parts-language/words";
import { getFrom } from "@partline/toolkit";
import { LRUCache } from "lru-cache";

/** Terms of a query, with the one that is the thing itself, if known. */
export interface NameQuery {
  terms: readonly string[];
  head?: string;
}

/** Share of what a question names that a part must have of it to be offered. */
export const RELEVANT = 0.6;
/** Weight of the diagram's name, lower than that of the part's own. */
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

/** Scores how well a part answers a question by its words. Any part answers a question that names nothing. */
export function scoreRelevance(
  { terms, head }: NameQuery,
  { description = "", schema = "" }: { description?: string; schema?: string },
): Relevance {
  if (terms.length === 0) return { coverage: 1, focus: 0, isThing: false };
  const { terms: ownTerms, things, words: name } = readName(description);
  const schemaTerms = readName(schema).terms;
  const matchTerms = getTermMatcher(terms);
  const meantTerms = new Set(ownTerms.flatMap(matchTerms));
  const meantAround = new Set(schemaTerms.flatMap(matchTerms));
  const meantSo = new Set(
    findAlternatives(terms)
      .filter(({ others: alternatives }) =>
        alternatives.some((phrase) => phrase.every((term) => ownTerms.includes(term))),
      )
      .flatMap((alternative) => alternative.terms),
  );
  const has = (term: string): boolean => meantSo.has(term) || meantTerms.has(term);
  let had = 0;
  for (const term of terms) {
    if (has(term)) had += 1;
    else if (term !== head && meantAround.has(term)) had += OF_SCHEMA;
  }
  // A thing is what it is called: bolts are asked for, and the blade is none.
  const lacksHead = head !== undefined && !has(head) && !ownTerms.some((word) => isMeant(head, word));
  const nameWords = name.filter((word) => /\p{L}{2}/u.test(word));
  const isAsked = (word: string): boolean =>
    matchTerms(word).length > 0 ||
    (meantSo.size > 0 &&
      findAlternatives(terms).some(({ terms: phraseTerms, others: alternatives }) => {
        // An air filter is an air cleaner; an air filter's pre-cleaner, which has both words, is none.
        const head = phraseTerms.at(-1) ?? "";
        return alternatives.some(
          (phrase) => phrase.includes(word) && (phrase.includes(head) || !ownTerms.includes(head)),
        );
      }));
  const focus = nameWords.length === 0 ? 0 : nameWords.filter(isAsked).length / nameWords.length;
  return { coverage: lacksHead ? 0 : had / terms.length, focus, isThing: things.some(isAsked) };
}

type TermMatcher = (word: string) => readonly string[];
const meanings = new WeakMap<readonly string[], TermMatcher>();

/** Returns the matcher of some terms, kept, as thousands of names are weighed by the same terms. */
function getTermMatcher(terms: readonly string[]): TermMatcher {
  const cached = meanings.get(terms);
  if (cached) return cached;
  const cache = new Map<string, readonly string[]>();
  const matchTerms: TermMatcher = (word) => {
    const matches = cache.get(word) ?? terms.filter((term) => isMeant(term, word));
    cache.set(word, matches);
    return matches;
  };
  meanings.set(terms, matchTerms);
  return matchTerms;
}

interface ParsedName {
  /** All of it, each once. */
  terms: readonly string[];
  /** Words for the thing itself: `Bolt, Blade, 1/2 in Grade 2` is a bolt. */
  things: readonly string[];
  /** The words that are no measures: it is named blade bolt. */
  words: readonly string[];
}

/** Words of a name that are nobody's question. */
const BINDING = new Set(["with", "and", "for", "of", "the"]);
const parsedNames = new LRUCache<string, ParsedName>({ max: MOST_NAMES });

function readName(text: string): ParsedName {
  const cached = parsedNames.get(text);
  if (cached) return cached;
  const { head, rest } = cutTitle(text);
  const segments = [head, ...splitSegments(rest)].filter((segment) => segment.trim() !== "");
  // The first may say how it comes: `Assembly, Blade Spindle`. What questions are full of is no thing: a sickle section
  // is asked for by its sickle.
  const readThings = (segment: string): string[] =>
    findThings(segment).map((word) => (NOISE.has(word) ? (findLastThing(segment, NOISE) ?? word) : word));
  const things = segments.map(readThings).find((words) => words.length > 0) ?? [];
  const namedSegments = segments.filter((segment) => !hasDigit(segment));
  const parsedName: ParsedName = {
    terms: [...new Set(splitTerms(text))].filter((term) => !BINDING.has(term)),
    things: things.map(toSingular),
    words: [...new Set(splitTerms((namedSegments.length > 0 ? namedSegments : segments).join(" ")))],
  };
  parsedNames.set(text, parsedName);
  return parsedName;
}

/** Terms of a question that mean the same as these others together: `pull cord` and `starter rope`. */
interface Alternative {
  terms: readonly string[];
  others: readonly (readonly string[])[];
}

const PHRASES: readonly Alternative[] = DEFAULT_SYNONYMS.en.map(parseSynonyms).flatMap(({ words, meanings }) =>
  words.map((word) => ({
    terms: splitTerms(word),
    others: meanings.filter((meaning) => meaning !== word).map((meaning) => splitTerms(meaning)),
  })),
);
const BY_FIRST_TERM = Map.groupBy(PHRASES, ({ terms }) => terms[0]);
const alternativesByTerms = new WeakMap<readonly string[], Alternative[]>();

function findAlternatives(terms: readonly string[]): Alternative[] {
  let alternatives = alternativesByTerms.get(terms);
  if (!alternatives) {
    const candidates = [...new Set(terms)].flatMap((term) => BY_FIRST_TERM.get(term) ?? []);
    alternatives = candidates.filter((phrase) => phrase.terms.every((term) => terms.includes(term)));
    alternativesByTerms.set(terms, alternatives);
  }
  return alternatives;
}

/** The words of a name, each once. */
export function nameTerms(text: string): readonly string[] {
  return readName(text).terms;
}

/** Returns whether a name has each of these words, as people write them. */
export function isCalled(terms: readonly string[], description: string | undefined): boolean {
  return scoreRelevance({ terms }, { description }).coverage === 1;
}

/** Returns whether a text names a part by all that its name says, except its measures. */
export function isNamedIn(description: string, text: string): boolean {
  const { words, things } = readName(description);
  const textTerms = new Set(splitTerms(text));
  return things.length > 0 && words.every((word) => BINDING.has(word) || textTerms.has(word));
}

/** Returns whether a text says what a part is: `the pin` of `Pin, Chute Hinge`. */
export function isThingIn(description: string, text: string): boolean {
  const textTerms = splitTerms(text);
  return readName(description).things.some((thing) =>
    textTerms.some((word) => word === thing || (word.length >= SHORTEST_BEGINNING && thing.startsWith(word))),
  );
}

/** Returns whether a typed term means one of these words, or stands with others for one of them. */
export function isMeantIn(term: string, terms: readonly string[], words: ReadonlySet<string>): boolean {
  if (words.has(term)) return true;
  for (const word of words) if (isMeant(term, word)) return true;
  return findAlternatives(terms).some(
    (alternative) =>
      alternative.terms.includes(term) && alternative.others.some((phrase) => phrase.every((word) => words.has(word))),
  );
}

/** Finds the words of one name that two typed words are slips of: more is forgiven than of one word alone. */
export function findPairCorrection(
  pairs: readonly (readonly [string, string])[],
  names: readonly (readonly string[])[],
  isKnown = (_word: string): boolean => false,
): string[] | undefined {
  const words = [...new Set(names.flat())];
  const findNearWords = (typed: string): Map<string, number> => {
    const forgiven = isKnown(typed) || typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
    const nearWords = new Map<string, number>();
    for (const word of words) {
      const edits = isMeant(typed, word) ? 0 : computeEditsWithin(typed, word, forgiven);
      if (edits !== undefined) nearWords.set(word, edits);
    }
    return nearWords;
  };
  const nearPairs = pairs
    .map(([first, second]) => [findNearWords(first), findNearWords(second)] as const)
    .filter((pair) => pair.every(({ size }) => size > 0));
  const met: { words: string[]; edits: number }[] = [];
  for (const name of nearPairs.length > 0 ? names : [])
    for (const [first, second] of nearPairs)
      for (const word of name)
        for (const otherWord of first.has(word) ? name : [])
          if (otherWord !== word && second.has(otherWord))
            met.push({ words: [word, otherWord], edits: getFrom(first, word) + getFrom(second, otherWord) });
  const least = Math.min(...met.map(({ edits }) => edits));
  const best = met.filter(({ edits }) => edits === least).map(({ words }) => words);
  return new Set(best.map(String)).size === 1 ? best[0] : undefined;
}

/** Returns whether a typed word means a part's: the same, its beginning, or a slip of it. */
function isMeant(typed: string, word: string): boolean {
  if (typed === word) return true;
  if (typed.length >= SHORTEST_BEGINNING && word.startsWith(typed)) return true;
  // A stem has five letters.
  const isOfStem = typed[0] === word[0] && toStem(typed) === toStem(word);
  return isOfStem || computeForgivenEdits(typed, word) !== undefined;
}

/** Cuts the ending if enough is left: `start` of `starter` and `starting`. */
function toStem(word: string): string {
  return word.replace(/(?<=\p{L}{5})(?:er|or|ed|ing|ment)$/u, "");
}
