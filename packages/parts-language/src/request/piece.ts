import { getAt, memoizeRecent } from "@partline/toolkit";
import { fold } from "../fold.ts";
import { findMeasures } from "../measures.ts";
import { findNumberMentions, type NumberMention } from "../words/number-mentions.ts";
import { splitWords } from "../words/split-words.ts";
import { queryChunks, toSingular } from "../words/text.ts";
import { isAskingTerm, MACHINES, NOISE, PART_WORDS, SAYS } from "../words/vocabulary.ts";

/** Where in a manual something is asked for. */
export interface Place {
  /** Its number on the drawing, as rows have it. */
  reference?: string;
  /** Label of the figure. */
  figure?: string;
}

/** A name that looks like an equipment's and is none that manuals know, or a number that nobody knows. */
export interface UnknownName {
  name: string;
  /** Equipment that is called much like it. */
  near: string[];
  /** It stands where an equipment does: `fits my LX-500`. */
  isMachine: boolean;
}

export interface Piece {
  /** As it was typed, without equipment and numbers. */
  text: string;
  /** What names the part, folded and singular. */
  terms: string[];
  /** The terms as they stood side by side. */
  phrases: string[][];
  /** The thing itself, if the question says which term that is: the bolt that holds the blade. */
  head?: string;
  isPlural: boolean;
  /** What it rather is of: words beside the machine's name, what was asked for before it. */
  context: string[];
  mentions: NumberMention[];
  numbersTyped: number;
  place?: Place;
  isList: boolean;
  /** Terms that say whose machine it is for, unless they are parts: `for my Husqvarna`. */
  owned: string[];
  unknownNames: UnknownName[];
  count?: number;
}

/** A name that is a slip away from known equipment. */
export interface NearName {
  text: string;
  models: string[];
}

const MOST_TERMS = 12;
const LONGEST_WORD = 24;
/** In a masked text a machine is one of these, a number one of those. */
export const MACHINE = 0xe000;
const NUMBER = 0xe400;
export const MACHINE_MARK = /[\uE000-\uE3FF]/u;
export const MACHINE_MARKS = new RegExp(MACHINE_MARK, "gu");
const NUMBER_MARKS = /[\uE400-\uE7FF]/gu;

const OWNER = /(?:my|our|his|her|an?)/.source;
/**
 * `3 blade bolts`, `2 x 614071`; a number that measures, as `12 volt`, or that a machine is said to take counts
 * nothing.
 */
const COUNT =
  /(?<![\p{L}\p{N}.#/-]|\p{Sc}\s?)(?<!\b(?:grade|size|no|number|item|key)\b\.?\s|\b(?:takes|has|uses)\s|\b(?!(?:a|i|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|ok|on|or|so|to|up|us|we)\b)\p{L}{1,2}\s)(\d{1,3})\s*(?:x\s+|×\s*|pcs?\.?\s+|pieces?\s+)?(?:of\s+)?(?:(?:the|those|these)\s+)?(?=[\p{L}\uE000-\uE7FF])(?!(?:rpm|hours?|degrees?|(?:minute|day|week|month|year|time|kid|buck|dollar|euro|acre|mile)s?|usd|eur|x|or|and|on|for|is|are|has|have|cost|price)\b)/iu;
/**
 * `614071 x 6`, `2 x 614071`, `qty 5`, `2 | 614071`; of a size, `M6 x 1.0 x 16`, or of a `Deere X350`, no number is
 * one.
 */
const COUNT_MARKED =
  /(?<![\w.])(?<!(?:^|\s)(?:m\d{1,2}|x\s?[\d.]+|\d+\/\d+(?:-\d+)?(?: in(?:ch)?)?)\s)x(?:\s?(\d{1,2})|(?:\s|(?<=\d\S*\sx))(\d{3}))(?![\w./-])|(?<![\w./-])(\d{1,3})\s?[x×](?=\s+\S*\d{3})|\b(?:qty|quantity)\b\.?:?\s?(\d{1,3})(?![\w./-])|(?<=\d{3}\S* +)(\d{1,3}) ?(?:pcs?|pieces)\b|(?<=^\s*|\|\s*)(\d{1,3})\s*(?:\||$)(?<=\d{3}.*)|^\s*(\d{1,3})\s*\|(?=.*\d{3})/i;
/** `my Craftsman 5000`, `the Rider 500`; at the end also without such a word, `mower blade Stiga Park 540`. */
const MADE_BY = new RegExp(
  `\\b(?:for|on|onto|fits?|${OWNER})\\s+(?:the\\s+)?(?:\\p{Ll}{3,}\\s+)?((?:\\p{Lu}\\p{L}+\\s+){1,2}\\d{3,5}\\p{Lu}{0,2})(?![\\w-])|(?<=\\p{Ll}\\s)((?:\\p{Lu}\\p{Ll}+\\s+){2}\\d{3,5})(?=\\W*$)`,
  "gu",
);
/** `I have a woods rm990` */
const OWNED = `\\b(?:have|got|own|for|on)\\s+${OWNER}\\s+(?:old\\s+|new\\s+)?`;
const BEHIND_A_MAKER = new RegExp(`${OWNED}\\p{L}+$`, "iu");
const MAKER_BEFORE_NUMBER = new RegExp(
  `(?<=\\b(?:for|on|onto|fits?|${OWNER}|the|is|own|have)\\s+(?:old\\s+|new\\s+)?)(?:\\p{Lu}\\p{L}+\\s+){1,2}(?=[\\uE400-\\uE7FF])`,
  "gu",
);
const OWNED_MAKER = new RegExp(`(?<=${OWNED})\\p{L}+\\s+(?=[\\uE400-\\uE7FF])`, "giu");
const REFERENCE =
  /\b(?:items?|ref(?:erence)?s?|callouts?|balloons?|keys?|index|pos(?:ition)?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)|(?<!\S)#\s?(\d{1,3}[A-Z]?)\b(?![-/.]\d)|(?<=\bfig(?:ure)?s?\b\.? ?\S{1,6},? (?:and )?)\b(?:number|no|nr|part)\b\.?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)|\b(?:number|no|nr|part)\b\.?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)(?=.{0,60}\b(?:diagram|fig(?:ure)?|drawing|picture|illustration|schema|section|exploded|view)s?\b)/i;
const FIGURE =
  /\b(?:fig(?:ure)?s?|diagrams?|drawings?|illustrations?|schemas?|sections?|plates?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*([A-Z]{0,2}-?\d{1,3}(?:[-.]\d{1,3}){0,2}[A-Z]?)\b(?![-/]\d)/i;
/** Behind these stands what the thing in front of them is for, or on. */
const RELATION =
  /\s(?:of|for|on|in|from|inside|under|over|above|below|behind|around|round|between|through|into|onto|to|that|which|where|you|holds?|holding|secur\w+|fasten\w*|attach\w*|keeps?|\p{L}{3,}s(?= (?:the|an?|my|it|its)\s))\s/iu;
/** Behind it stands when or why something happens, which names no part; `any left` asks for stock. */
const CIRCUMSTANCE = /\b(?:when|while|because|if|at (?:full|half|wide|idle|high|low|max(?:imum)?)\b)\b|\bleft\s*$/i;
/** `LX-500`, `TS354XD`, `YTH24V48`, `13AL78XS`; a thread is none. */
const MODEL_LIKE =
  /^(?:(?!M\d)[A-Z]{1,4}-?\d{2,5}[A-Z]{0,2}|[A-Z]{2,4}\d{2}[A-Z]{1,2}\d{2,3}[A-Z]{0,2}|\d{2}(?![XV])[A-Z]{1,2}\d{2,3}[A-Z]{1,3})$/i;
const BEFORE_MACHINE = /^(?:for|on|onto|fits?|my|our|his|her|an?|with|have|own|got|it'?s|take|takes|using|of)$/i;
/** `A set of blades` are blades. */
const SETS =
  /(?<=^\s*|\b(?:an?|the|\d+|some|full|complete|whole|new|what|which) )(?:sets?|pairs?|kinds?|packs?|box(?:es)?|couple|dozen) of\b/gi;
/** A link to something; a lift link is a part. */
const LINKS = /(?:\b(?:the|an?|any|its|store|shop|your|me|with) |^)(?:(?:store|shop|buy|web) )?links?\b/gi;
/** `60 inch` and `60"` are 60, as sizes are printed. */
const INCHES = /(\d)[ -]?(?:inch(?:es)?|")(?!\w)/gi;

/** Extracts the terms of a text that may name a part, without the words of questions. */
export function extractPartTerms(text: string): string[] {
  return text.length > LONGEST_WORD ? findPartTerms(text) : [...extractWordTerms(text)];
}

/** One question reads its words some six times over. */
const extractWordTerms = memoizeRecent(2_000, (word): readonly string[] => findPartTerms(word));

function findPartTerms(text: string): string[] {
  // `I'll` names no `ll`.
  const plain = /['’]/.test(text) ? text.replace(/\b(\p{L}+)['’](?:ll|d|ve|re|m)\b/giu, "$1") : text;
  const telling = plain
    .split(/\s+/)
    .filter((word) => !NOISE.has(word.toLowerCase()))
    .join(" ");
  if (telling === "") return [];
  const terms = queryChunks(telling).flatMap(({ terms: chunkTerms, compact, only }) =>
    only === undefined ? (chunkTerms.length > 1 && compact !== undefined ? [compact] : chunkTerms) : [only],
  );
  return [...new Set(terms)]
    .filter((term) => !NOISE.has(term) && (term.length > 1 || /\d/.test(term)) && !/^\d{1,3}$/.test(term))
    .slice(0, MOST_TERMS);
}

/** @param piece with marks where machines are named */
export function readPiece(piece: string, near: readonly NearName[]): Piece {
  const marked = COUNT_MARKED.exec(piece);
  const { place, rest: unplaced } = findPlace(
    marked === null ? piece : `${piece.slice(0, marked.index)} ${piece.slice(marked.index + marked[0].length)}`,
  );
  // No number goes on in the next cell of a table.
  const cells = unplaced.replace(MACHINE_MARKS, " , ").split("|");
  const words = cells.flatMap((cell, index) => [...(index > 0 ? ["|"] : []), ...splitWords(cell)]);
  const { mentions, typed: numbersTyped } = findNumberMentions(words);
  const unknownNames = findUnknownNames(unplaced, words, mentions, near);
  const masked = maskNames(unplaced, mentions, unknownNames);
  const counted = COUNT.exec(masked);
  // A measure counts nothing.
  const isCount = counted && findMeasures(masked.slice(counted.index))[0]?.from !== 0;
  const count = marked?.slice(1).find((group) => group !== undefined) ?? (isCount ? counted[1] : undefined);
  const unnumbered = masked.replace(NUMBER_MARKS, " , ").replace(INCHES, "$1").replace(SETS, "").replace(LINKS, " ");
  const [main = "", when = ""] = unnumbered.split(CIRCUMSTANCE);
  const { phrases, ofMachine: machineTerms } = findPhrases(
    when === "" || extractPartTerms(main).length > 0 ? main : `${main} ${when}`,
  );
  const terms = [...new Set(phrases.flat())].slice(0, MOST_TERMS);
  const text = unnumbered.replace(MACHINE_MARKS, " ");
  const head = findHead(text, terms);
  const thing = head ?? terms.at(-1);
  return {
    text: text.replace(/[\s,]+/g, " ").trim(),
    terms,
    phrases,
    ...(head !== undefined && { head }),
    isPlural:
      thing !== undefined && splitWords(fold(text)).some((word) => word !== thing && toSingular(word) === thing),
    context: machineTerms,
    mentions,
    numbersTyped,
    ...(place && { place }),
    isList: SAYS.list.test(piece),
    owned: findOwnedTerms(unnumbered),
    unknownNames,
    ...(Number(count) > 0 && { count: Number(count) }),
  };
}

function findPlace(text: string): { place?: Place; rest: string } {
  const item = REFERENCE.exec(text);
  const reference = item?.slice(1).find((group) => group !== undefined);
  const without = item === null ? text : text.replace(item[0], ",");
  const [figureText = "", figure] = FIGURE.exec(without) ?? [];
  if (reference === undefined && figure === undefined) return { rest: text };
  const place = { ...(reference !== undefined && { reference }), ...(figure !== undefined && { figure }) };
  return { place, rest: without.replace(figureText, figureText && ",") };
}

/** Finds names of machines that no manual is of. */
function findUnknownNames(
  text: string,
  words: readonly string[],
  mentions: readonly NumberMention[],
  near: readonly NearName[],
): UnknownName[] {
  const isPartBehindFits = SAYS["part behind fits"].test(text);
  const isFitted = (index: number): boolean => isPartBehindFits && /^fits?$/i.test(words[index - 1] ?? "");
  const unknownNames = mentions
    .filter(({ from, to }) => to - from === 1)
    .map(({ text: name, from }) => ({
      name,
      near: near.flatMap((nearName) => (nearName.text.includes(name) ? nearName.models : [])),
      isMachine: !isFitted(from) && isWhereMachinesStand(words, from),
    }))
    .filter((unknownName) => unknownName.near.length > 0 || MODEL_LIKE.test(unknownName.name));
  const brandedNames = [...text.matchAll(MADE_BY)]
    .map(([, owned, lastName = ""]) => ({ name: owned ?? lastName, near: [], isMachine: true }))
    .filter(({ name }) => !splitWords(name.toLowerCase()).some((word) => NOISE.has(word) || PART_WORDS.has(word)))
    .filter(({ name }) => !unknownNames.some((unknownName) => name.includes(unknownName.name)));
  return [...unknownNames, ...brandedNames];
}

function isWhereMachinesStand(words: readonly string[], index: number): boolean {
  let wordIndex = index - 1;
  const isMaker = (word: string): boolean =>
    /^(?:the|old|new)$/i.test(word) || (/^\p{Lu}\p{L}+$/u.test(word) && !NOISE.has(word.toLowerCase()));
  while (wordIndex >= 0 && wordIndex >= index - 4 && isMaker(getAt(words, wordIndex))) wordIndex -= 1;
  if (BEHIND_A_MAKER.test(words.slice(Math.max(0, index - 4), index).join(" "))) return true;
  if (/^(?:manual|takes?|needs?|uses?|requires?)$/i.test(words[index + 1] ?? "")) return true;
  return BEFORE_MACHINE.test(words[wordIndex] ?? "") || (wordIndex === -1 && index > 0);
}

/** Replaces numbers by marks and drops unknown machines with their makers, as neither names a part. */
function maskNames(text: string, mentions: readonly NumberMention[], unknownNames: readonly UnknownName[]): string {
  let masked = text;
  for (const mention of [...mentions].sort((a, b) => b.text.length - a.text.length))
    masked = replaceNumber(masked, mention.text, String.fromCodePoint(NUMBER + mention.number));
  for (const { name } of unknownNames) masked = masked.replace(name, " , ");
  if (!unknownNames.some(({ isMachine }) => isMachine)) return masked;
  const unowned = masked.replace(OWNED_MAKER, (word) => (PART_WORDS.has(word.trim().toLowerCase()) ? word : " "));
  return unowned.replace(MAKER_BEFORE_NUMBER, " ");
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const BETWEEN_WORDS = /[\s,()]+/y;

/** Replaces the first place where a number stands by itself. A pattern for each number would take most of the time. */
function replaceNumber(text: string, number: string, mark: string): string {
  const [first = "", ...rest] = number.split(" ");
  for (let from = text.indexOf(first); from !== -1; from = text.indexOf(first, from + 1)) {
    let end: number | undefined = from + first.length;
    for (const word of rest) end = end === undefined ? undefined : findEndOfNext(text, end, word);
    if (end === undefined || LETTER_OR_DIGIT.test(text.charAt(from - 1)) || LETTER_OR_DIGIT.test(text.charAt(end)))
      continue;
    return text.slice(0, from) + mark + text.slice(end);
  }
  return text;
}

function findEndOfNext(text: string, from: number, word: string): number | undefined {
  BETWEEN_WORDS.lastIndex = from;
  const start = BETWEEN_WORDS.test(text) ? BETWEEN_WORDS.lastIndex : undefined;
  return start !== undefined && text.startsWith(word, start) ? start + word.length : undefined;
}

/** In front of a machine that is no part: `for my lawn mower`. */
const FOR_A_MACHINE = new RegExp(`\\b(?:(?:for|in|on|off|from|fits?)\\s+(?:the|this)|my|our|his|her|for\\s+an?)$`, "i");

/**
 * Finds words that stand side by side and may name a part, and machine words that touch a machine's name with nothing
 * but words that say nothing between, or that end what a part is for.
 */
function findPhrases(text: string): { phrases: string[][]; ofMachine: string[] } {
  const tokens = text
    .replace(/[\uE000-\uE3FF,]/gu, " $& ")
    .split(/\s+/)
    .filter((token) => /[\p{L}\p{N},\uE000-\uE3FF]/u.test(token));
  const isMark = (token: string): boolean => MACHINE_MARK.test(token);
  const termsIn = new Map(tokens.map((token) => [token, extractPartTerms(token)]));
  const getTerms = (token: string): string[] => termsIn.get(token) ?? [];
  const isFiller = (token: string): boolean => getTerms(token).length === 0;
  const isMachineWord = (token = ""): boolean =>
    !isFiller(token) && getTerms(token).every((term) => MACHINES.has(term));
  const machineWordIndexes = new Set<number>();
  for (const [index, token] of tokens.entries())
    for (const step of isMark(token) ? [-1, 1] : [])
      for (let next = index + step; tokens[next] !== undefined; next += step)
        if (isMachineWord(tokens[next])) machineWordIndexes.add(next);
        else if (!isFiller(getAt(tokens, next))) break;
  for (let index = 0; index < tokens.length; index += 1) {
    let end = index;
    while (isMachineWord(tokens[end])) end += 1;
    const next = tokens[end];
    if (end === index || !FOR_A_MACHINE.test(tokens.slice(Math.max(0, index - 2), index).join(" "))) continue;
    if (next === undefined || isMark(next) || isFiller(next)) tokens.fill(",", index, end);
    index = end;
  }
  const machineTerms: string[] = [];
  const runs: string[][] = [[]];
  for (const [index, token] of tokens.entries()) {
    if (machineWordIndexes.has(index)) machineTerms.push(...extractPartTerms(token));
    else if (isMark(token) || token === "," || NOISE.has(token.toLowerCase())) runs.push([]);
    else getAt(runs, -1).push(token);
  }
  const phrases = runs.map((run) => extractPartTerms(run.join(" "))).filter((phrase) => phrase.length > 0);
  return { phrases, ofMachine: machineTerms };
}

/** Finds the thing in front of what it is for: the bolt of `bolts that hold the blade`. */
function findHead(text: string, terms: readonly string[]): string | undefined {
  const groups = ` ${text} `.split(RELATION);
  if (groups.length < 2) return undefined;
  const names = groups
    .map((part) => extractPartTerms(part).filter((term) => !isAskingTerm(term)))
    .filter((group) => group.length > 0);
  return names.length < 2 ? undefined : getAt(names, 0).findLast((term) => terms.includes(term));
}

const OWNED_THING = new RegExp(
  `\\b(?:(?:for|on|fits?|of) ${OWNER}|my|our|(?:i|we)(?:'ve| have)?(?: got| own| have)? an?) ((?:\\p{L}+ ?){1,3})`,
  "giu",
);

const MARK_FOLLOWS = new RegExp(`^\\s*${MACHINE_MARK.source}`, "u");

/**
 * Finds the terms of what somebody owns: `for my Husqvarna`, `I've got a Toro`. In front of a machine it is that one.
 */
function findOwnedTerms(text: string): string[] {
  return [...text.matchAll(OWNED_THING)]
    .filter(({ index, 0: { length } }) => !MARK_FOLLOWS.test(text.slice(index + length)))
    .flatMap((match) => extractPartTerms(match[1] ?? ""));
}
