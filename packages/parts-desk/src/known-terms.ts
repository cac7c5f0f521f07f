import {
  getWordSet,
  isAskingTerm,
  isNoPartName,
  isPlain,
  MACHINES,
  findMeasure,
  PART_WORDS,
  type UnknownName,
  type Item,
} from "@partline/parts-language/words";
import {
  computeForgivenEdits,
  isSlip,
  LONGEST_CORRECTED,
  isMeantIn,
  nameTerms,
  findPairCorrection,
} from "@partline/parts-search";
import { EXACT_HITS } from "./parts.ts";
import type { DeskSources, FitmentRow } from "./port.ts";

type NamedRow = Pick<FitmentRow, "description" | "schema">;

/** Terms that are looked up to see whether anything is called by them. */
const MOST_LOOKED_UP = 6;
/** What stands in front of these is what it is. */
const SAYS_NOTHING = getWordSet("says nothing");
/** Letters of a word that is written as one with another. */
const SHORTEST_JOINED = 3;

/**
 * Returns the item with slips mended by the words of its equipment, and without words that nothing known is called by,
 * here or in the trade. What people write around parts, and what stands apart, does not matter; of what stands in front
 * of a noun the answer says that it was left aside. An unknown noun stays: a blade sharpener is no blade.
 */
export async function withKnownTerms(item: Item, rows: readonly NamedRow[], sources: DeskSources) {
  const { terms, phrases, head, models, owned } = item;
  const vocabulary = collectVocabulary(rows);
  const isOwned = (term: string): boolean =>
    owned.includes(term) && ![isNoPartName, isPlain].some((isSilent) => isSilent(term)) && !MACHINES.has(term);
  // Without equipment any word may be what matters, except whose machine it is.
  const strange = (models.length > 0 ? terms : owned.filter(isOwned))
    .filter((term) => !isAskingTerm(term) && !isMeantIn(term, terms, vocabulary))
    .slice(0, MOST_LOOKED_UP);
  const knownFlags = await Promise.all(strange.map((term) => isCalledSo(term, sources)));
  const unknown = new Set(strange.filter((_, index) => !knownFlags[index]));
  const withOwned = (ownedTerms: readonly string[]): UnknownName[] => [
    ...item.unknownNames,
    ...ownedTerms.map((name) => ({ name, near: [], isMachine: true })),
  ];
  if (models.length === 0) return { item: { ...item, unknownNames: withOwned([...unknown]) }, ignored: [] };
  const names = [...new Set(rows.map(({ description = "" }) => nameTerms(description)))];
  const mended = new Map<string, string>();
  for (const term of unknown) {
    const correction = MACHINES.has(term) ? undefined : findCorrection(term, vocabulary, names);
    if (correction !== undefined) mended.set(term, correction);
  }
  const isLost = (term: string): boolean => unknown.has(term) && !mended.has(term);
  const mend = (terms: readonly string[]): string[] => terms.flatMap((term) => (mended.get(term) ?? term).split(" "));
  const mendedItem = { ...item, phrases: phrases.map(mend).filter((phrase) => phrase.length > 0) };
  // What is asked of it may be said by the text alone.
  if (findMeasure(item.text)) return { item: { ...mendedItem, terms: mend(terms) }, ignored: [] };
  const isOfKnown = (term: string): boolean => phrases.some((phrase) => phrase.includes(term) && !phrase.every(isLost));
  // Of a `parking stand kit` the noun says nothing.
  const isNoun = (term: string): boolean =>
    term === head ||
    phrases.some(
      (phrase) => phrase.at(-1) === term || (phrase.includes(term) && SAYS_NOTHING.has(phrase.at(-1) ?? "")),
    );
  const isIgnored = (term: string): boolean =>
    isLost(term) && (isNoPartName(term) || (term !== head && !isOfKnown(term)) || !isNoun(term));
  const isKept = (term: string): boolean => !isIgnored(term);
  const left = mend(terms.filter(isKept));
  if (left.length === 0) return { item: { ...mendedItem, terms: mend(terms) }, ignored: [] };
  const ignored = terms.filter(isIgnored);
  return {
    item: {
      ...item,
      phrases: phrases.map((phrase) => mend(phrase.filter(isKept))).filter((phrase) => phrase.length > 0),
      head: head === undefined || !isKept(head) ? undefined : mend([head])[0],
      terms: left,
      unknownNames: withOwned(ignored.filter(isOwned)),
    },
    ignored: ignored.filter(
      (term) => isOfKnown(term) && ![isOwned, isNoPartName, isPlain].some((isSilent) => isSilent(term)),
    ),
  };
}

/** Returns whether something is called by a word, in this shop or in any other. */
async function isCalledSo(term: string, sources: DeskSources): Promise<boolean> {
  if (/\d/.test(term) || PART_WORDS.has(term)) return true;
  return (await sources.catalog(term, EXACT_HITS)).some(({ title }) => nameTerms(title).includes(term));
}

export async function areCalledSo(
  terms: readonly string[],
  rows: readonly NamedRow[],
  sources: DeskSources,
): Promise<boolean> {
  const vocabulary = collectVocabulary(rows);
  const unknownTerms = terms.filter((term) => !isMeantIn(term, terms, vocabulary));
  return (await Promise.all(unknownTerms.map((term) => isCalledSo(term, sources)))).every(Boolean);
}

function collectVocabulary(rows: readonly NamedRow[]): Set<string> {
  return new Set(rows.flatMap(({ description = "", schema }) => [...nameTerms(description), ...nameTerms(schema)]));
}

/** Finds the word that a term is a slip of, or the two words of one name that it runs together. */
function findCorrection(term: string, vocabulary: ReadonlySet<string>, names: readonly (readonly string[])[]) {
  const letters = term.length > LONGEST_CORRECTED ? [] : [...term];
  const pairs = letters.map((_, index) => [term.slice(0, index), term.slice(index)] as const);
  return findNearest(term, vocabulary) ?? findPairCorrection(pairs, names)?.join(" ");
}

/** Finds the word itself, or the one that it is the least slip of. */
function findNearest(term: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (vocabulary.has(term)) return term;
  const [first, second] = [...vocabulary]
    .filter((word) => word.length >= SHORTEST_JOINED)
    .map((word) => ({ word, edits: computeForgivenEdits(term, word) ?? (isSlip(term, word) ? 1 : Infinity) }))
    .sort((a, b) => a.edits - b.edits);
  return first && first.edits < (second?.edits ?? Infinity) ? first.word : undefined;
}
