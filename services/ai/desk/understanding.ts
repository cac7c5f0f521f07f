import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { queryChunks } from "../../../mixins/search-index/text.ts";
import { cleanText } from "./clean-text.ts";
import { numberMentions, type NumberMention } from "./number-mentions.ts";
import { placeAsked, type Place } from "./places.ts";
import { QUESTION_WORDS } from "./question-words.ts";
import type { KnownModel } from "./sources.ts";

/** What somebody wants to know of a part. */
export type Wanted = "part" | "quantity" | "page" | "replacement" | "offer" | "fitment";

/** One of the questions that a text asks. */
export interface Ask {
  wanted: Wanted;
  /** As it was typed. */
  text: string;
  /** What names the part, folded and singular: `blade`, `bolt`. */
  terms: string[];
  /** The thing itself, where the question says which of the terms that is: the bolt that holds the blade. */
  head?: string;
  mentions: NumberMention[];
  /** Numbers that it was typed with, and how many of them are more than are looked up. */
  numbersTyped: number;
  numbersLeftOut: number;
  /** Item and figure that it names. */
  place?: Place;
  /** It asks for all parts of something. */
  isList: boolean;
  /** Equipment that it is about, its own or that of the question before it. */
  models: KnownModel[];
  /** What it names that looks like a model, and is none of a manual's. */
  strangers: string[];
  /** It is about what the one before it found, in this text or in the answer before: `and what does it cost?`. */
  isAboutTheSame: boolean;
}

export interface Question {
  text: string;
  asks: Ask[];
  /** It leaves to an answer before it what only that could tell, and there was none. */
  isUnclear?: boolean;
}

/** Questions of one text that are answered. */
const MOST_ASKS = 4;
/** Terms of one question that count. */
const MOST_TERMS = 12;

/** Where one question ends and another begins. */
const BETWEEN =
  /[?!;]+\s*|\.\s+(?=[A-Z])|,?\s+(?:and|also|plus|then)\s+(?=(?:also\s+)?(?:what|which|how|where|who|is|are|do|does|can|could|tell|give|show|on what|on which|for how)\b)|,\s*(?=(?:what|which|how|where|is it|are they|do you|does it)\b)|,\s*(?:and\s+|or\s+)?(?=(?:the|an?|some|one)\s)|\s+and\s+(?=(?:the|an?)\s)/gi;

const LIST = /\b(?:parts|components|pieces)\b(?! numbers?\b)|\beverything (?:in|on|of)\b/i;

const WANTED: readonly (readonly [wanted: Wanted, asked: RegExp])[] = [
  ["quantity", /\bhow many\b|\bquantit(?:y|ies)\b|\bqty\b|\bnumber of (?!the\b)(?!part)\w+s\b|\bhow much of\b/i],
  ["replacement", /\b(?:re)?placed by\b|\bsupersed|\breplacement (?:number|part number) (?:for|of)\b|\bsuccessor\b|\bwhat replaces\b|\bwhich (?:part|number)s? replaces?\b|\bno longer (?:available|supplied|made)\b|\bdiscontinued\b|\bnew(?:er)? (?:part )?number\b|\bobsolete\b/i],
  ["page", /\b(?:what|which|on what|on which) (?:page|figure|fig\.?|diagram|drawing|schema|section|exploded view)\b|\bwhere (?:is|are|can i (?:find|see)|do i find|in the manual)\b|\b(?:page|figure) (?:number|is|shows)\b|\bshow(?:s|n)? (?:me )?(?:in|the diagram|where)\b/i],
  ["offer", /\b(?:price|priced|prices|pricing|cost|costs|how much|stock|available|availability|deliver(?:y|ed)?|ship(?:ping|ped)?|lead time|buy|order|have (?:it|them|any)|do you (?:have|sell|carry|stock))\b/i],
  ["fitment", /\bwhat (?:does|do|else does|machines?|equipment|models?)\b.*\bfits?\b|\b(?:which|what) (?:machines?|equipment|models?|tractors?|mowers?|engines?|units?|balers?|sprayers?|cutters?)\b|\bwhere (?:is|are) .*\bused\b|\bfits? what\b|\bused (?:on|in|by) (?:which|what)\b|\bgoes? on (?:which|what)\b|\bwhat is .* (?:for|used (?:on|in|for))$/i],
];

/** Behind these stands the thing that is asked for. */
const HEAD = /\b(?:how many|number of|quantity of|qty of)\s+((?:[\p{L}-]+\s+){0,3}?[\p{L}-]+)(?=\s+(?:hold|holds|are|is|do|does|has|have|in|on|for|of|to|per|needed|required|that|which|it|the|go|goes|attach|attaches|secure|secures|fasten|fastens|keep|mount)\b|\s*[,?]|\s*$)/iu;

/**
 * What a text asks, by rules alone.
 * @param named the manuals' equipment that the text names
 */
export function understand(query: string, named: readonly KnownModel[]): Question {
  const text = cleanText(query);
  let strangers: string[] = [];
  let models: KnownModel[] = [];
  const asks: Ask[] = [];
  for (const clause of clausesOf(text)) {
    const wanted = WANTED.find(([, asked]) => asked.test(clause))?.[0] ?? "part";
    const { place, rest: unplaced } = placeAsked(clause);
    const words = wordsOf(unplaced);
    const spans = modelSpans(words, named);
    const own = [...new Map(spans.flatMap(({ models: found }) => found).map((model) => [`${model.equipment} ${model.manufacturer ?? ""}`, model])).values()];
    const taken = new Set(spans.flatMap(({ from, to }) => range(from, to)));
    const { mentions, typed: numbersTyped, leftOut: numbersLeftOut } = numberMentions(words, taken, breaksOf(unplaced));
    const inNumbers = new Set(mentions.flatMap(({ from, to }) => range(from, to)));
    const rest = words.filter((_, at) => !taken.has(at) && !inNumbers.has(at)).join(" ");
    const terms = termsOf(rest);
    const strange = [...new Set(strangersOf(words, taken))];
    if (own.length > 0) models = own;
    if (strange.length > 0) strangers = strange;
    const isAboutTheSame = terms.length === 0 && mentions.length === 0 && own.length === 0 && place === undefined && (asks.length > 0 || wanted !== "part");
    if (terms.length === 0 && mentions.length === 0 && own.length === 0 && place === undefined && !isAboutTheSame) continue;
    asks.push({ wanted, text: clause, terms, ...headOf(clause, terms), mentions, numbersTyped, numbersLeftOut, ...(place && { place }), isList: LIST.test(clause), models: own.length > 0 ? own : models, strangers: strange.length > 0 ? strange : strangers, isAboutTheSame });
  }
  // "For my GT-2254: which belt?" names the equipment in front, "which belt, and on which page? It is a GT-2254" behind.
  const merged = withoutMereModels(asks);
  for (const ask of merged) if (ask.models.length === 0) ask.models = models;
  return { text, asks: merged.slice(0, MOST_ASKS) };
}

/** A clause that names equipment and nothing else lends it to the others, and asks nothing by itself where there are such. */
function withoutMereModels(asks: readonly Ask[]): Ask[] {
  const isMere = ({ terms, mentions, place, isAboutTheSame, wanted }: Ask): boolean => place === undefined && terms.length === 0 && mentions.length === 0 && !isAboutTheSame && wanted === "part";
  const others = asks.filter((ask) => !isMere(ask));
  return others.length > 0 ? others : asks.slice(0, 1);
}

function clausesOf(text: string): string[] {
  // What stands between the numbers of a list ends no question.
  return text.replace(/;(?=\s*[A-Z&-]*\d)/gi, ",").split(BETWEEN).map((clause) => clause.trim()).filter((clause) => clause !== "");
}

/** Between words that have nothing to do with each other. */
const APART = /[,;:!?()[\]{}<>"“”|]+/u;

export function wordsOf(text: string): string[] {
  return text
    .split(APART)
    .flatMap((part) => part.split(/\s+/u))
    .map((word) => word.replace(/'s$/u, "").replace(/^[^\p{L}\p{N}$#]+|[^\p{L}\p{N}"&%]+$/gu, ""))
    .filter((word) => word !== "");
}

/** Words that something parts from the one before. */
function breaksOf(text: string): Set<number> {
  const breaks = new Set<number>();
  let count = 0;
  for (const part of text.split(APART)) {
    breaks.add(count);
    count += wordsOf(part).length;
  }
  return breaks;
}

/** What of a text may name a part: its terms without the words of questions. */
export function termsOf(text: string): string[] {
  const telling = text.split(/\s+/).filter((word) => !QUESTION_WORDS.has(word.toLowerCase())).join(" ");
  const terms = queryChunks(telling).flatMap(({ terms: own, compact, only }) => (only === undefined ? (own.length > 1 && compact !== undefined ? [compact] : own) : [only]));
  return [...new Set(terms)].filter((term) => !QUESTION_WORDS.has(term) && (term.length > 1 || /\d/.test(term)) && !/^\d{1,3}$/.test(term)).slice(0, MOST_TERMS);
}

function headOf(clause: string, terms: readonly string[]): { head?: string } {
  const named = HEAD.exec(clause)?.[1];
  const head = named === undefined ? undefined : termsOf(named).findLast((term) => terms.includes(term));
  return head === undefined ? {} : { head };
}

interface ModelSpan {
  from: number;
  to: number;
  models: KnownModel[];
}

const MOST_MODEL_WORDS = 6;

/** Where the words name equipment: all of its name, with its manufacturer or without, or the part of it that has its digits. */
function modelSpans(words: readonly string[], named: readonly KnownModel[]): ModelSpan[] {
  const spans: ModelSpan[] = [];
  for (let from = 0; from < words.length; ) {
    const span = longestSpan(words, from, named);
    if (span) spans.push(span);
    from = span?.to ?? from + 1;
  }
  return spans;
}

function longestSpan(words: readonly string[], from: number, named: readonly KnownModel[]): ModelSpan | undefined {
  for (let to = Math.min(words.length, from + MOST_MODEL_WORDS); to > from; to -= 1) {
    const key = normalizePartNumber(words.slice(from, to).join(""));
    const models = named.filter((model) => isSpelling(key, model));
    if (models.length > 0) return { from, to, models };
  }
  return undefined;
}

function isSpelling(key: string, { equipment, manufacturer = "" }: KnownModel): boolean {
  if (key.length < 3) return false;
  const whole = normalizePartNumber(equipment);
  const maker = normalizePartNumber(manufacturer);
  const bare = maker !== "" && whole.startsWith(maker) && whole.length > maker.length ? whole.slice(maker.length) : whole;
  if (key === whole || key === bare || key === maker + bare) return true;
  // `GT 2254` of `GT 2254 Garden Tractor`.
  const designation = /^[A-Z]{0,4}\d[A-Z0-9]*?\d?(?=[A-Z]{4,}|$)/.exec(bare)?.[0];
  return designation !== undefined && designation.length >= 3 && (key === designation || key === maker + designation);
}

/** Letters and digits together, as models are named. */
function strangersOf(words: readonly string[], taken: ReadonlySet<number>): string[] {
  return words.flatMap((word, at) => {
    if (taken.has(at)) return [];
    const before = words[at - 1];
    const isWhole = /^(?!M\d)[A-Z]{1,4}-?\d{2,5}[A-Z]{0,2}$/i.test(word);
    const isSplit = before !== undefined && !taken.has(at - 1) && /^[A-Z]{2,4}$/.test(before) && /^\d{3,5}[A-Z]?$/.test(word);
    return isWhole ? [word] : isSplit ? [`${before} ${word}`] : [];
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
