import { forgivenEdits, isSlip, LONGEST_CORRECTED } from "@partline/parts-search";
import { isMeantIn, nameTerms, slipsTogether } from "./names.ts";
import { EXACT_HITS } from "./parts.ts";
import type { Stranger } from "./piece.ts";
import type { DeskSources, FitmentRow } from "./port.ts";
import type { Item } from "./question.ts";
import { isAskingTerm, MACHINES, measureAsked, NOISE, PART_WORDS } from "./vocabulary.ts";

/** Terms that are looked up to see whether anything is called by them. */
const MOST_LOOKED_UP = 6;
/** Letters: too many words of no more are a slip from each other. */
const LONGEST_UNSURE = 5;
/** Letters of a word that is written as one with another. */
const SHORTEST_JOINED = 3;

/**
 * The item with slips mended by the words of its equipment, and without phrases that nothing known is called by: what
 * they say does not matter to a part that is found without them. A word beside a known one stays: a steering wheel is
 * no wheel.
 */
export async function withKnownTerms(item: Item, rows: readonly FitmentRow[], sources: DeskSources) {
  const { terms, phrases, head, models, owned } = item;
  const vocabulary = vocabularyOf(rows);
  const isOwned = (term: string): boolean => owned.includes(term) && !MACHINES.has(term);
  // Without equipment any word may be what matters, except whose machine it is.
  const strange = (models.length > 0 ? terms : owned.filter(isOwned))
    .filter((term) => !isAskingTerm(term) && !isMeantIn(term, terms, vocabulary))
    .slice(0, MOST_LOOKED_UP);
  const known = await Promise.all(strange.map((term) => isCalledSo(term, sources)));
  const unknown = new Set(strange.filter((_, at) => !known[at]));
  const withOwned = (own: readonly string[]): Stranger[] => [
    ...item.strangers,
    ...own.map((name) => ({ name, near: [], isMachine: true })),
  ];
  if (models.length === 0) return { item: { ...item, strangers: withOwned([...unknown]) }, ignored: [] };
  const names = [...new Set(rows.map(({ description = "" }) => nameTerms(description)))];
  const mended = new Map<string, string>();
  for (const term of unknown) {
    // A slip of a word that only asks, `nubmer`, names nothing.
    const isAsking = term.length > LONGEST_UNSURE && [...NOISE].some((word) => forgivenEdits(term, word) !== undefined);
    const meant = MACHINES.has(term) ? undefined : (slipOf(term, vocabulary, names) ?? (isAsking ? "" : undefined));
    if (meant !== undefined) mended.set(term, meant);
  }
  const isLost = (term: string): boolean => unknown.has(term) && !mended.has(term);
  for (const phrase of phrases)
    for (const [at, second] of phrase.slice(1).entries()) {
      const pair = [phrase[at]!, second];
      if (!pair.some(isLost)) continue;
      const [one, other] = pair.map((term) => mended.get(term) ?? term);
      const meant = slipsTogether([[one!, other!]], names, (word) => !isLost(word));
      for (const [place, word] of meant?.entries() ?? []) mended.set(pair[place]!, word);
    }
  const mend = (some: readonly string[]): string[] =>
    some.flatMap((term) => (mended.get(term) ?? term).split(" ")).filter((term) => term !== "");
  const read = { ...item, phrases: phrases.map(mend).filter((phrase) => phrase.length > 0) };
  // What is asked of it may be said by the text alone.
  if (measureAsked(item.text)) return { item: { ...read, terms: mend(terms) }, ignored: [] };
  const isOfKnown = (term: string): boolean =>
    phrases.some((phrase) => phrase.includes(term) && !phrase.every((each) => isLost(each)));
  const lost = terms.filter(isLost);
  const ignored = lost.filter((term) => !isOfKnown(term) && (term !== head || lost.length === terms.length));
  const left = mend(terms).filter((term) => !ignored.includes(term));
  return {
    item: {
      ...read,
      head: head === undefined ? undefined : mend([head])[0],
      terms: left.length > 0 ? left : mend(terms),
      strangers: left.length > 0 ? withOwned(ignored.filter(isOwned)) : item.strangers,
    },
    ignored: ignored.filter((term) => !isOwned(term)),
  };
}

/** Whether something is called by a word, in this shop or in any other. */
async function isCalledSo(term: string, sources: DeskSources): Promise<boolean> {
  if (/\d/.test(term) || PART_WORDS.has(term)) return true;
  return (await sources.catalog(term, EXACT_HITS)).some(({ title }) => nameTerms(title).includes(term));
}

export async function areCalledSo(
  terms: readonly string[],
  rows: readonly FitmentRow[],
  sources: DeskSources,
): Promise<boolean> {
  const vocabulary = vocabularyOf(rows);
  const others = terms.filter((term) => !isMeantIn(term, terms, vocabulary));
  return (await Promise.all(others.map((term) => isCalledSo(term, sources)))).every(Boolean);
}

function vocabularyOf(rows: readonly FitmentRow[]): Set<string> {
  return new Set(rows.flatMap(({ description = "", schema }) => [...nameTerms(description), ...nameTerms(schema)]));
}

/** The word, or the two of one name that are written as one, that a slip of the keys makes of a term. */
function slipOf(term: string, vocabulary: ReadonlySet<string>, names: readonly (readonly string[])[]) {
  // A misspelt word may have lost an s that was none of a plural: `harnews`.
  const whole = nearest(term, vocabulary) ?? nearest(`${term}s`, vocabulary);
  const letters = term.length > LONGEST_CORRECTED ? [] : [...term];
  const pairs = letters.map((_, at) => [term.slice(0, at), term.slice(at)] as const);
  return whole ?? slipsTogether(pairs, names)?.join(" ");
}

/** The word itself, or the one that it is the least slip of. */
function nearest(term: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (vocabulary.has(term)) return term;
  const [first, second] = [...vocabulary]
    .filter((word) => word.length >= SHORTEST_JOINED)
    .map((word) => ({ word, edits: forgivenEdits(term, word) ?? (isSlip(term, word) ? 1 : Infinity) }))
    .sort((a, b) => a.edits - b.edits);
  return first && first.edits < (second?.edits ?? Infinity) ? first.word : undefined;
}
