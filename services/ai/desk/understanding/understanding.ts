import { fold } from "../../../../mixins/fold.ts";
import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import { singular } from "../../../../mixins/search-index/text.ts";
import { cleanText } from "./clean-text.ts";
import {
  countAsked,
  countOfEach,
  piecesOf,
  tellingWords,
  withWrittenCounts,
  withWrittenSizes,
  withoutMeasureWords,
  type Counted,
} from "./lists.ts";
import { isPowerAlone, serialNumbers, withAsides } from "./machine-asides.ts";
import { MACHINES } from "./strange-machines.ts";
import { distinctModels, makersBefore, modelSpans } from "./model-spans.ts";
import { numberMentions, type NumberMention } from "./number-mentions.ts";
import { partTerms } from "./part-terms.ts";
import { pickAsked, withCompared, type PickAsked } from "./picks.ts";
import { placeAsked, type Place } from "./places.ts";
import type { KnownModel } from "../sources/sources.ts";
import { machinesAmong, makersOf, strangersIn, type StrangeMachine } from "./strange-machines.ts";
import { breaksOf, wordsOf } from "../../../../mixins/fitment-index/split-words.ts";

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
  /** The words that name the part, as they were typed. */
  name: string;
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
  /** It asks for several of the thing that it names: `washers`. */
  isPlural: boolean;
  /** It asks for the sum of what it finds. */
  isTotal: boolean;
  /** It asks whether one equipment's part is right for another. */
  isWhether: boolean;
  /** Those of the strangers that are asked about as equipment: `fits the LX-500`. */
  strangeMachines: StrangeMachine[];
  /** What may be the makers of machines beside one that is known, and no part: `for a Husqvarna and a GT-2254`. */
  makers: string[];
  /** It says what somebody has, or names one more equipment, and asks nothing, unless that is a part's number. */
  isMereName?: boolean;
  /** How many of what it is about it asks the price of. */
  count?: number;
  /** It has a number that may be that, and that is not understood. */
  isCountUnclear?: true;
  /** Which of several it asks for. */
  pick?: PickAsked;
  /** What it asks for, one by one, where it may be a list: two at least. */
  pieces: Ask[];
}

export interface Question {
  text: string;
  asks: Ask[];
  /** It leaves to an answer before it what only that could tell, and there was none. */
  isUnclear?: boolean;
}

/** Questions of one text that are answered. */
const MOST_ASKS = 4;
/** Parts of one list that are looked up. */
const MOST_PIECES = 10;

/** Where one question ends and another begins. */
const BETWEEN =
  /[?!;]+\s*|\.\s+(?=[A-Z])|,?\s+(?:and|also|plus|then)\s+(?=(?:also\s+)?(?:what|which|how|where|who|is|are|do|does|can|could|tell|give|show|on what|on which|for how)\b)|,\s*(?=(?:what|which|how|where|is it|are they|do you|does it)\b)|,\s*(?:and\s+|or\s+)?(?=(?:the|an?|some|one)\s)|\s+and\s+(?=(?:the|an?)\s)/gi;

const LIST = /\b(?:parts|components|pieces)\b(?! numbers?\b)|\beverything (?:in|on|of)\b/i;

const WANTED: readonly (readonly [wanted: Wanted, asked: RegExp])[] = [
  [
    "quantity",
    /\bhow many\b|\b(?:quantit(?:y|ies)|qty)\b(?!\.?:? ?\d{1,3}(?![\w./-]))|\bnumber of (?!the\b)(?!part)\w+s\b|\bhow much of\b/i,
  ],
  [
    "replacement",
    /\b(?:re)?placed by\b|\bsupersed|\breplacement (?:number|part number) (?:for|of)\b|\bsuccessor\b|\bwhat replaces\b|\bwhich (?:part|number)s? replaces?\b|\bno longer (?:available|supplied|made)\b|\bdiscontinued\b|\bnew(?:er)? (?:part )?number\b|\bobsolete\b/i,
  ],
  [
    "page",
    /\b(?:what|which|on what|on which) (?:page|figure|fig\.?|diagram|drawing|schema|section|exploded view)\b|\bwhere (?:is|are|can i (?:find|see)|do i find|in the manual)\b|\b(?:page|figure) (?:number|is|shows)\b|\bshow(?:s|n)? (?:me )?(?:in|the diagram|where)\b/i,
  ],
  [
    "offer",
    /\b(?:price|priced|prices|pricing|cost|costs|how much|stock|available|availability|cheap(?:er|est)|(?:least|less) expensive|lowest[- ]pric\w*|deliver(?:y|ed)?|ship(?:ping|ped)?|lead time|buy|order|have (?:it|them|any)|do you (?:have|sell|carry|stock))\b/i,
  ],
  [
    "fitment",
    /\bwhat (?:does|do|else does|machines?|equipment|models?)\b.*\bfits?\b|\bwhat (?:will |would |else )?fits? (?:the |this |that )?(?:part|number)\b|\b(?:which|what) (?:machines?|equipment|models?|tractors?|mowers?|engines?|units?|balers?|sprayers?|cutters?)\b|\bwhere (?:is|are) .*\bused\b|\bfits? what\b|\bused (?:on|in|by) (?:which|what)\b|\bgoes? on (?:which|what)\b|\bwhat is .* (?:for|used (?:on|in|for))$/i,
  ],
];

/** Behind these stands the thing that is asked for. */
const HEAD =
  /\b(?:how many|number of|quantity of|qty of)\s+((?:[\p{L}-]+\s+){0,3}?[\p{L}-]+)(?=\s+(?:hold|holds|are|is|do|does|has|have|in|on|for|of|to|per|needed|required|that|which|it|the|go|goes|attach|attaches|secure|secures|fasten|fastens|keep|mount)\b|\s*[,?]|\s*$)/iu;

/**
 * What a text asks, by rules alone.
 * @param named the manuals' equipment that the text names
 */
export function understand(query: string, named: readonly KnownModel[]): Question {
  const text = withWrittenCounts(cleanText(query));
  let strangers: string[] = [];
  let models: KnownModel[] = [];
  /** Strangers that somebody has, and the ask that says so. */
  const has: { names: string[]; ask: number }[] = [];
  const asks: Ask[] = [];
  /** Those that name no machine. */
  const nameless = new Set<Ask>();
  const clauses = clausesOf(text);
  const isOfferAsked = clauses.some((clause) => wantedOf(clause) === "offer");
  for (const clause of clauses) {
    const { own: typed, strange, machines, owned, isLed, unnamed, ...read } = readClause(clause, named);
    const last = asks.at(-1);
    // `For a ZT 3000 and a GT-2254: which belt?` is about both.
    const inFront = isLed && last && isMoreEquipment(last.text, last.models, last) ? last.models : [];
    const own = distinctModels([...inFront, ...typed]);
    if (isMoreEquipment(clause, own, read) && last && last.models.length > 0) {
      lend(last, own);
      models = last.models;
      continue;
    }
    const isOneMore =
      last !== undefined &&
      (last.models.length > 0 || last.strangeMachines.length > 0) &&
      isMereStranger(clause, own, strange, read);
    if (isOneMore) last.strangeMachines.push(...certain(strange));
    if (own.length > 0) models = own;
    if (strange.length > 0 && !isOneMore) strangers = strange;
    const wanted = wantedOf(clause);
    // `The price of 2 belts, a filter and 3 bolts`, `I need 3 bolts: what do they cost?`.
    const isPriced =
      wanted === "offer" ||
      (wanted === "part" && isOfferAsked && (NEEDED.test(clause) || asks.some((ask) => ask.wanted === "offer")));
    const isNothing =
      read.terms.length === 0 && read.mentions.length === 0 && own.length === 0 && read.place === undefined;
    if (isNothing && asks.length === 0 && wanted === "part") continue;
    const isWhether = WHETHER.test(clause) && FITS.test(clause);
    const isMereName =
      isOneMore || (owned.length > 0 && own.length === 0 && read.terms.length === 0 && isAllOf(strange, read));
    // `I have a GT-2254 and an LX-500`.
    const isHadToo = isOneMore && last.terms.length === 0 && last.mentions.length === 0;
    if (owned.length > 0 || isHadToo) has.push({ names: isHadToo ? strange : owned, ask: asks.length });
    const ask: Ask = {
      ...read,
      wanted,
      text: clause,
      models,
      strangers,
      isAboutTheSame: isNothing,
      isList: LIST.test(clause),
      isTotal: TOTAL.test(clause),
      isWhether,
      strangeMachines: isOneMore ? certain(strange) : machines,
      ...(isMereName && { isMereName }),
      ...pickAsked(clause),
      ...countOf(unnamed, read, isPriced),
      pieces: [],
    };
    const pieces = piecesOfAsk(ask, { inFront, named, isPriced });
    // Of a list each part has a count of its own.
    const isOfFirst = pieces.length === 0 || pieces[0]!.count === ask.count;
    asks.push({ ...ask, ...(!isOfFirst && { count: undefined }), pieces });
    if (own.length === 0 && strange.length === 0) nameless.add(asks.at(-1)!);
  }
  countEach(asks);
  for (const { names, ask } of has) lendOwned(asks, { names, own: ask, nameless });
  // "For my GT-2254: which belt?" names the equipment in front, "which belt, and on which page? It is a GT-2254"
  // behind.
  const merged = withoutMereModels(withCompared(asks));
  for (const ask of merged) if (ask.models.length === 0) lend(ask, models);
  return { text, asks: merged.slice(0, MOST_ASKS) };
}

function wantedOf(clause: string): Wanted {
  return WANTED.find(([, asked]) => asked.test(clause))?.[0] ?? "part";
}

const NEEDED = /\b(?:need|want|require|looking for)\b/i;

function countOf(text: string, { terms, mentions, numbersTyped }: Read, isPriced: boolean): Counted {
  return countAsked(text, {
    numbers: mentions.map(({ text: typed }) => typed),
    areMore: numbersTyped > 1,
    isPriced,
    isPart: (word) => partTerms(word).some((term) => terms.includes(term)),
  });
}

/** `3 of each` counts what is asked for before it, too; and one is meant of what has no number beside what has one. */
function countEach(asks: readonly Ask[]): void {
  const all = asks
    .flatMap((ask) => (ask.pieces.length > 0 ? ask.pieces : [ask]))
    .filter(({ wanted, isAboutTheSame }) => !isAboutTheSame && (wanted === "offer" || wanted === "part"));
  const each = asks
    .map(({ text }) => (/\bof each\b/i.test(text) ? countOfEach(text) : undefined))
    .find((count) => count !== undefined);
  const isCounted = all.some(({ count }) => count !== undefined);
  for (const ask of all)
    if (ask.count === undefined && ask.isCountUnclear === undefined && isCounted)
      ask.count = each ?? (ask.isPlural || ask.isList ? undefined : 1);
}

const TOTAL = /\btotal\b|\baltogether\b|\bin all\b/i;
const WHETHER =
  /^(?:(?:and|so|but|hi|hello|please|then|also)\b[\s,]*)*(?:does|do|did|will|would|can|could|may|might|is|are|should)\b/i;
const FITS =
  /\b(?:fits?|fitted|works?|suits?|suitable|compatible|interchange\w*|right|correct|same|used?|goes|go|swap|replaces?)\b/i;

/** Of `it's` the word is `it`. */
const OWNS = /^(?:is|am|have|has|had|got|own|owns|bought|run|use|it|that|mine)$/i;
/** Between that and what is owned. */
const SOME = /^(?:an?|the|my|our|old|new|this)$/i;
const QUESTION =
  /^(?:(?:and|so|but|hi|hello|please|then|also|ok|okay)\b[\s,]*)*(?:(?:does|do|did|will|would|can|could|may|might|is|are|was|were|should|shall|what|which|where|who|how|when|why)\b|ha(?:ve|s) (?:you|it|they|any)\b)|\b(?:do|did|would|can|could|have) you\b|\b(?:is|are) there\b/i;

/** Where `it` may be somebody's machine. */
const OF_IT =
  /\b(?:fits?|for|on|in|into|with)\s+(?:it|that|this|them|both|mine|(?:my|the|this|that) (?:mower|lawnmower|rider|tractor|machine|engine|unit|baler|sprayer|loader))\b|\b(?:does|do|will|would|can)\s+(?:it|they|both)\s+(?:need|have|take|use|require|get|hold)\b/i;
const REPLACES = /\breplac|\bsupersed|\bsame as\b|\binstead\b/i;

/**
 * What somebody has is what the others are about that speak of it, or of no other: `I have a LX-500. Does 614071 fit
 * it?`, `Which belt?`.
 */
function lendOwned(
  asks: readonly Ask[],
  { names, own, nameless }: { names: readonly string[]; own: number; nameless: ReadonlySet<Ask> },
): void {
  const isOfOwned = (ask: Ask, at: number): boolean =>
    OF_IT.test(ask.text) || (at > own && nameless.has(ask) && ask.terms.length > 0 && ask.mentions.length === 0);
  const about = asks.filter((ask, at) => isOfOwned(ask, at) && !REPLACES.test(ask.text));
  for (const ask of about.length === 0 ? [] : [...about, asks[own]!].flatMap((each) => [each, ...each.pieces])) {
    const others = ask.strangeMachines.filter(({ name }) => !names.includes(name));
    ask.strangeMachines = [...others, ...certain(names)];
  }
}

function certain(names: readonly string[]): StrangeMachine[] {
  return names.map((name) => ({ name, isCertain: true }));
}

/** Whether nothing but these is typed as numbers are. */
function isAllOf(names: readonly string[], { mentions, place }: Read): boolean {
  const keys = names.map(normalizePartNumber);
  return place === undefined && mentions.every(({ pnNorm }) => keys.includes(pnNorm));
}

type Read = Pick<
  Ask,
  "place" | "terms" | "name" | "head" | "mentions" | "numbersTyped" | "numbersLeftOut" | "isPlural" | "makers"
>;

/** What names parts in a text, and what equipment. `isLed`: an equipment stands in front. */
function readClause(
  clause: string,
  named: readonly KnownModel[],
): Read & {
  own: KnownModel[];
  strange: string[];
  machines: StrangeMachine[];
  owned: string[];
  isLed: boolean;
  unnamed: string;
} {
  const { place, rest: unplaced } = placeAsked(clause);
  const words = wordsOf(unplaced);
  const breaks = breaksOf(unplaced);
  const spans = modelSpans(words, named);
  const own = distinctModels(spans.flatMap(({ models }) => models));
  const whole = withAsides(
    words,
    spans.map(({ from, to, models }) => ({ from: from - makersBefore(words, from, models), to })),
  );
  const asides = named.length === 0 ? [] : isPowerAlone(words) ? range(0, words.length) : serialNumbers(words);
  const taken = new Set([...whole.flatMap(({ from, to }) => range(from, to)), ...asides]);
  const { mentions, typed: numbersTyped, leftOut: numbersLeftOut } = numberMentions(words, taken, breaks);
  const inNumbers = new Set(mentions.flatMap(({ from, to }) => range(from, to)));
  const rest = withoutMeasureWords(
    withWrittenSizes(words.filter((_, at) => !taken.has(at) && !inNumbers.has(at)).join(" ")),
  );
  const telling = partTerms(rest);
  // `My mower is a GT-2254`: what kind of machine it is names no part.
  const strangers = strangersIn(words, taken);
  const isHad = (places: ReadonlySet<number>): boolean => isOwned(clause, words, places);
  const owned = strangers.filter(({ from, to }) => isHad(new Set(range(from, to)))).map(({ name }) => name);
  const makers = makersOf(words, { strangers, breaks }).map((at) => words[at]!);
  const ofMakers = makers.flatMap(partTerms);
  const terms =
    (isHad(taken) || owned.length > 0) &&
    telling.every((term) => MACHINES.has(term) || SOME.test(term) || ofMakers.includes(term))
      ? []
      : telling;
  const { head } = headOf(clause, terms);
  const thing = head ?? terms.at(-1);
  const isPlural =
    thing !== undefined && wordsOf(fold(rest)).some((word) => word !== thing && singular(word) === thing);
  const unnamed =
    taken.size === 0
      ? unplaced
      : words
          .map((word, at) => (taken.has(at) ? "" : `${breaks.has(at) ? "," : ""} ${word}`))
          .join("")
          .replace(/^[, ]+/, "");
  return {
    own,
    unnamed,
    strange: [...new Set(strangers.map(({ name }) => name))],
    machines: machinesAmong(strangers, { words, taken, terms, clause }),
    owned,
    ...(place && { place }),
    isLed:
      spans[0] !== undefined &&
      words
        .slice(0, spans[0].from)
        .every((word, at) => taken.has(at) || /^(?:an?|the|my|our|your|for|on)$/i.test(word)),
    terms,
    name: tellingWords(rest).join(" "),
    ...(head === undefined ? {} : { head }),
    mentions,
    numbersTyped,
    numbersLeftOut,
    isPlural,
    makers,
  };
}

/**
 * Whether a clause says of an equipment that somebody has it, and asks nothing: `I have a GT-2254 mower`, and not `do
 * you have a motor for the GT-2254`.
 */
function isOwned(clause: string, words: readonly string[], taken: ReadonlySet<number>): boolean {
  if (QUESTION.test(clause)) return false;
  return words.some((word, at) => {
    if (!OWNS.test(word)) return false;
    let then = at + 1;
    while (
      then < words.length &&
      !taken.has(then) &&
      (SOME.test(words[then]!) || /^\p{Lu}\p{Ll}+$/u.test(words[then]!))
    )
      then += 1;
    return taken.has(then);
  });
}

/**
 * A list's parts, where there are two at least; each is about the equipment that is named with it, behind it, or before
 * it.
 */
function piecesOfAsk(
  ask: Ask,
  { inFront, named, isPriced }: { inFront: readonly KnownModel[]; named: readonly KnownModel[]; isPriced: boolean },
): Ask[] {
  const each = countOfEach(ask.text);
  const found: (Ask & { own: KnownModel[] })[] = [];
  let waiting = [...inFront];
  for (const text of joinedNumbers(piecesOf(ask.text), named)) {
    const { own, strange: _, machines: __, owned: ___, isLed: ____, unnamed, ...read } = readClause(text, named);
    if (read.terms.length === 0 && read.mentions.length === 0 && read.place === undefined) {
      const last = found.at(-1);
      if (last && last.own.length > 0) last.own = distinctModels([...last.own, ...own]);
      else waiting = [...waiting, ...own];
      continue;
    }
    const { count = each, isCountUnclear } = countOf(unnamed, read, isPriced);
    found.push({
      ...ask,
      head: undefined,
      place: undefined,
      ...read,
      count,
      isCountUnclear,
      text,
      isList: LIST.test(text),
      own: distinctModels([...waiting, ...own]),
      models: [],
    });
    waiting = [];
  }
  if (found.length < 2 || found.every(({ terms }) => terms.length === 0)) return [];
  return found.slice(0, MOST_PIECES).map(({ own, ...piece }, at): Ask => {
    const behind = found.slice(at).find((other) => other.own.length > 0)?.own;
    const before = found.slice(0, at).findLast((other) => other.own.length > 0)?.own;
    return {
      ...piece,
      models: own.length > 0 ? own : ((before === undefined || behind !== undefined ? behind : before) ?? ask.models),
    };
  });
}

/** Numbers beside each other are asked for together. */
function joinedNumbers(pieces: readonly string[], named: readonly KnownModel[]): string[] {
  const isNumber = (text: string): boolean => {
    const { terms, mentions } = readClause(text, named);
    return terms.length === 0 && mentions.length > 0;
  };
  return pieces.reduce<string[]>((joined, piece) => {
    const last = joined.at(-1);
    return last !== undefined && isNumber(last) && isNumber(piece)
      ? [...joined.slice(0, -1), `${last}, ${piece}`]
      : [...joined, piece];
  }, []);
}

/** `and the ZT 3000`: the question before it is about that too. */
function isMoreEquipment(clause: string, own: readonly KnownModel[], { terms, mentions }: Read): boolean {
  if (own.length === 0 || terms.length > 0 || mentions.length > 0) return false;
  return (
    /^(?:(?:also|for|on|in|and|or|to|of|the|an?|my|our|your|one|some)\s+)*\S+(?:[\s-]\S+){0,3}(?:\s+(?:too|as well))?$/i.test(
      clause,
    ) && !/\b(?:it|is|have|got|own)\b/i.test(clause)
  );
}

/** `and the LX-500`: of the question before it no manual may be. */
function isMereStranger(clause: string, own: readonly KnownModel[], strange: readonly string[], read: Read): boolean {
  return (
    own.length === 0 &&
    strange.length > 0 &&
    read.terms.length === 0 &&
    isAllOf(strange, read) &&
    /^(?:(?:and|or|also|for|on|in)\s+)*(?:the|an?|my|our|your)\s+\S+(?:\s\S+)?$/i.test(clause)
  );
}

function lend(ask: Ask, models: readonly KnownModel[]): void {
  ask.models = distinctModels([...ask.models, ...models]);
  for (const piece of ask.pieces) piece.models = distinctModels([...piece.models, ...models]);
}

/**
 * A clause that names equipment and nothing else lends it to the others, and asks nothing by itself where there are
 * such.
 */
function withoutMereModels(asks: readonly Ask[]): Ask[] {
  const isBare = ({ terms, mentions, place, isAboutTheSame }: Ask): boolean =>
    place === undefined && terms.length === 0 && mentions.length === 0 && !isAboutTheSame;
  // `Which is cheaper for the GT-2254, the belt or the filter` compares what is named with it.
  const isComparing = ({ pick }: Ask): boolean =>
    pick?.among !== undefined &&
    asks.some((other) => !isBare(other) && !other.isAboutTheSame && other.pick?.among === pick.among);
  const isMere = (ask: Ask): boolean => isBare(ask) && (ask.wanted === "part" || isComparing(ask));
  // `Cost and how many bolts` asks for the cost of the bolts, which is told with them.
  const isAhead = (ask: Ask, at: number): boolean =>
    at === 0 &&
    ask.isAboutTheSame &&
    asks.length > 1 &&
    !/\b(?:it|its|that|this|they|them|those|these)\b/i.test(ask.text);
  const others = asks.filter((ask, at) => !isMere(ask) && !isAhead(ask, at));
  return others.length > 0 ? others : asks.slice(0, 1);
}

function clausesOf(text: string): string[] {
  // What stands between the numbers of a list ends no question.
  return text
    .replace(/;(?=\s*[A-Z&-]*\d)/gi, ",")
    .split(BETWEEN)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}

function headOf(clause: string, terms: readonly string[]): { head?: string } {
  const named = HEAD.exec(clause)?.[1];
  const head = named === undefined ? undefined : partTerms(named).findLast((term) => terms.includes(term));
  return head === undefined ? {} : { head };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
