import { fold } from "../../../mixins/fold.ts";
import { queryChunks, singular } from "../../../mixins/search-index/text.ts";
import { wordsOf } from "../../../mixins/fitment-index/split-words.ts";
import type { Remembered } from "./conversation.ts";
import { inEnglish } from "./languages.ts";
import { MOST_NUMBERS, numberMentions, type NumberMention } from "./numbers.ts";
import type { FitmentRow, MachineMention } from "./port.ts";
import { isAskingTerm } from "./quotes.ts";
import { cleanText, isInstruction } from "../../../mixins/safe-words.ts";
import { MACHINES, NOISE, SAYS, SYMPTOMS, WANTED, type Symptom, type Wanted } from "./words.ts";

/** Where in a manual something is asked for. */
export interface Place {
  /** Its number on the drawing, as rows have it. */
  reference?: string;
  /** Label of the figure. */
  figure?: string;
}

/** A name that looks like an equipment's and is none that manuals know, or a number that nobody knows. */
export interface Stranger {
  name: string;
  /** Equipment that is called much like it. */
  near: string[];
  /** It stands where an equipment does: `fits my LX-500`. */
  isMachine: boolean;
}

/** One thing that a question asks for. */
export interface Item {
  /** As it was typed, without equipment and numbers. */
  text: string;
  wanted: Wanted;
  /** What names the part, folded and singular. */
  terms: string[];
  /** What is said of the machine besides, or names what it belongs to: `the carburetor, its gasket`. */
  ofMachine: string[];
  /** What was asked for before it: of `a spindle shaft and a nut` the nut is rather the spindle's. */
  hints?: string[];
  /** The terms as they stood side by side. */
  phrases: string[][];
  /** The thing itself, if the question says which term that is: the bolt that holds the blade. */
  head?: string;
  mentions: NumberMention[];
  numbersTyped: number;
  place?: Place;
  isList: boolean;
  isPlural: boolean;
  /** Terms that say whose machine it is for, unless they are parts: `for my Husqvarna`. */
  owned: string[];
  models: string[];
  strangers: Stranger[];
  /** How many of it. */
  count?: number;
  /** Parts that a symptom often comes from. */
  symptom?: Symptom;
  /** `The cheapest air filter`: it is compared by itself. */
  isPicked?: boolean;
  /** The machine is that of the conversation, not of the question. */
  isOfSession?: boolean;
  /** Of the machine, where nothing else says which it is: terms. */
  maker?: string[];
}

export interface Question {
  text: string;
  items: Item[];
  models: string[];
  /** Equipment that was named by a part of its name. */
  guessed: string[];
  /** It leaves to an answer before it what only that could say, and there was none. */
  isUnclear: boolean;
  asksForOrder: boolean;
  /** It wants parts in its cart. */
  asksForCart: boolean;
  asksForMachines: boolean;
  asksForTotal: boolean;
}

const MOST_ITEMS = 10;
const MOST_TERMS = 12;
/** A machine's name alone, or nearly, asks for its parts. */
const MOST_WORDS_OF_A_LIST = 4;
/** Characters of a clause in which a symptom is looked for. */
const LONGEST_SYMPTOM = 300;
/** A machine stands in a masked text as one of these, a number as one of those. */
const MACHINE = 0xe000;
const NUMBER = 0xe400;
const MACHINE_MARK = /[\uE000-\uE3FF]/u;

/** What introduces a list keeps its colon. */
const CLAUSE_END = /[?!;]+\s*|\.\s+(?=[\p{Lu}\uE000-\uE7FF])|(?<=:)\s+(?!\d)|\.\s*$/u;
const PIECE_END =
  /\s*,\s*(?:(?:and|or|plus)\s+)?(?:also\s+)?|\s+(?:and|or|plus|as well as|along with|then)\s+(?:also\s+)?|\s+[&+]\s+|(?<=\b(?:cheaper|expensive))\s+than\s+/i;
const YEAR = /\(?\b(?:19|20)\d\d\b\)?/.source;
const ASIDES = new RegExp(
  `\\b(?:with (?:an? )?)?\\d+(?:\\.\\d+)?\\s*-?\\s*(?:hp|horse ?power)\\b(?:\\s+(?:engine|motor))?|\\b(?:serial(?:\\s+(?:no\\.?|number|num|#))?|s\\/n|sn)\\s*:?\\s*#?\\s*[A-Z0-9-]*\\d[A-Z0-9-]{3,}|${YEAR}(?=\\s*(?:\\w+\\s+){0,2}[\\uE000-\\uE3FF])|(?<=[\\uE000-\\uE3FF]\\s*)(?:from\\s+)?${YEAR}`,
  "gi",
);
const COUNTS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const WRITTEN_COUNT = new RegExp(`\\b(?:${COUNTS.join("|")})\\b(?! (?:stroke|cycle|stage|piece))`, "gi");
const COUNT =
  /(?:^|[,;:(]|\b(?:of|for|need|want|and|or|are|is|get|buy|order|add|put|throw|much|cost|costs|take|plus|with|do|does|all|the|my|these|those|price|please))\s*(?<![\w.])(\d{1,3})\s*(?:x\s+|×\s*|pcs?\.?\s+|pieces?\s+)?(?:of\s+)?(?:the\s+|those\s+|these\s+)?(?=[\p{L}\uE000-\uE7FF])(?!(?:volts?|v|amps?|a|in|inch(?:es)?|mm|cm|ft|hp|tooth|teeth|micron|ply|psi|rpm|gallons?|quarts?|oz|hours?|watts?|degrees?|x|or|and|on|for|is|are|cost|price)\b)/iu;
/** `614071 x 6`, `2 x 614071`, `qty 5` */
const COUNT_MARKED =
  /(?<![\w.])x\s?(\d{1,3})(?![\w./-])|(?<![\w./-])(\d{1,3})\s?[x×](?=\s+\S*\d{3})|\b(?:qty|quantity)\b\.?:?\s?(\d{1,3})(?![\w./-])/i;
/** `Ok, chuck three of them into my cart` */
const CART_VERB =
  /^((?:(?:ok|okay|and|now|then|so|yes|great|please|pls|can you|could you)\b[\s,]*)*)\p{L}+(?=\s.*\b(?:cart|basket|trolley)\b)/iu;
/** `my Craftsman 5000`, `the Rider 500` */
const MADE_BY =
  /\b(?:for|on|onto|fits?|my|our|an?)\s+(?:the\s+)?((?:\p{Lu}\p{L}+\s+){1,2}\d{3,5}\p{Lu}{0,2})(?![\w-])/gu;
const REFERENCE =
  /\b(?:items?|ref(?:erence)?s?|callouts?|balloons?|keys?|index|pos(?:ition)?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)|(?<!\S)#\s?(\d{1,3}[A-Z]?)\b(?![-/.]\d)|\b(?:number|no|nr|part)\b\.?\s*(\d{1,3}[A-Z]?)\b(?![-/.]\d)(?=.{0,60}\b(?:diagram|fig(?:ure)?|drawing|picture|illustration|schema|section|exploded|view)s?\b)/i;
const FIGURE =
  /\b(?:fig(?:ure)?s?|diagrams?|drawings?|illustrations?|schemas?|sections?|plates?)\b\.?\s*(?:(?:number|no|num)\b\.?\s*)?#?\s*([A-Z]{0,2}-?\d{1,3}(?:[-.]\d{1,3}){0,2}[A-Z]?)\b(?![-/]\d)/i;
/** Behind these stands what the thing in front of them is for, or on. */
const RELATION =
  /\s(?:of|for|on|in|from|inside|under|to|that|which|holds?|holding|secur\w+|fasten\w*|attach\w*|keeps?|hold)\s/i;
/** `LX-500`, `TS354XD`, `YTH24V48`; a thread is none. */
const MODEL_LIKE = /^(?:(?!M\d)[A-Z]{1,4}-?\d{2,5}[A-Z]{0,2}|[A-Z]{2,4}\d{2}[A-Z]{1,2}\d{2,3}[A-Z]{0,2})$/i;
/** `60 inch` and `60"` are 60, as sizes are printed. */
const INCHES = /(\d)[ -]?(?:inch(?:es)?|")(?!\w)/gi;
/** In front of a name that is asked about itself: a number. */
const IS_ASKED = /^(?:what(?:'s| is| are)|is)$/i;
const BEFORE_MACHINE = /^(?:for|on|onto|fits?|my|our|his|her|an?|with|have|own|got|it'?s|is|take|takes|using|of)$/i;

/** A question as it is read: plain characters, English words, counts in digits. */
export function plainQuestion(query: string): string {
  // Our own SKU is a number behind its vendor's code.
  const plain = cleanText(query)
    .replace(/[¿¡]/g, " ")
    .replace(/\bCT-([A-Z]{3})-(?=\S*\d)/gi, "$1 ");
  // Counts first: the first word of `two of those in my cart` is no verb.
  const english = inEnglish(plain).replace(WRITTEN_COUNT, (word) => String(COUNTS.indexOf(word.toLowerCase()) + 2));
  return SAYS.cart.test(english) ? english.replace(CART_VERB, "$1add") : english;
}

/** A thing that is asked for, with the machines that stand beside it. */
interface Draft extends Item {
  clause: number;
  own: string[];
}

/** What a text asks. @param text as `plainQuestion` has it @param mentions where it names equipment */
export function readQuestion(text: string, mentions: readonly MachineMention[]): Question {
  const known = machinesMeant(text, mentions).map((mention) => ({ ...mention, isKnown: mention.how !== "near" }));
  let masked = withoutMakers(text, mentions);
  for (const [at, { from, to, isKnown }] of [...known.entries()].reverse())
    if (isKnown) masked = `${masked.slice(0, from)} ${String.fromCodePoint(MACHINE + at)} ${masked.slice(to)}`;
  if (MACHINE_MARK.test(masked)) masked = masked.replace(ASIDES, " ");
  const modelsIn = (piece: string): string[] =>
    namesOf([...piece].flatMap((mark) => known[(mark.codePointAt(0) ?? 0) - MACHINE]?.models ?? []));
  const near = known.filter(({ isKnown }) => !isKnown);
  const clauses = masked
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "" && (MACHINE_MARK.test(clause) || !isInstruction(clause)));

  let items: Draft[] = [];
  /** Machines that stand by themselves. */
  const alone: { clause: number; models: string[] }[] = [];
  /** Equipment that no manual is of, named beside what is asked for. */
  const elsewhere: Stranger[] = [];
  /** What is asked where nothing but equipment, or nothing at all, is named. */
  let wantedOfAll: Wanted | undefined;
  for (const [clauseAt, clause] of clauses.entries()) {
    let wantedBefore: Wanted | undefined;
    /** What is named before what is asked for. */
    let hinted: string[] = clauses[clauseAt - 1]?.endsWith(":") ? (items.at(-1)?.terms ?? []) : [];
    const isCounted = WANTED.some(({ wanted, asked }) => wanted !== "part" && wanted !== "offer" && asked.test(clause));
    const symptom = isCounted ? undefined : SYMPTOMS.find(({ asked }) => asked.test(clause.slice(0, LONGEST_SYMPTOM)));
    for (const piece of symptom ? [clause] : clause.split(PIECE_END).map((each) => each.trim())) {
      if (piece === "") continue;
      const own = modelsIn(piece);
      const wanted = wantedOf(piece);
      const read = withoutAskedMachines(readPiece(piece, clause, text, near), wanted);
      const { terms, ofMachine, place, strangers, count } = read;
      const isNamed = read.mentions.length > 0 || place !== undefined;
      const isNothing = terms.length === 0 && !isNamed;
      const last = items.at(-1);
      const isOfLast = last?.clause === clauseAt;
      // `HM-722D muffler stud, how many foot pounds?`
      if (isOfLast && terms.length > 0 && !isNamed && own.length === 0 && terms.every(isAskingTerm)) {
        last!.text = `${last!.text} ${read.text}`;
        continue;
      }
      if (SAYS.unwanted.test(piece) && !isNamed) {
        hinted = terms;
        if (own.length > 0) alone.push({ clause: clauseAt, models: own });
        continue;
      }
      if (place && last?.place && isOfLast && terms.length + read.mentions.length === 0) {
        last.place = { ...last.place, ...place };
        last.own = distinct([...last.own, ...own]);
        continue;
      }
      if (isNothing && count !== undefined && items.length > 0) {
        // `I need 4 of them`, `3 of each`
        for (const item of /\b(?:each|them|those|these)\b/i.test(piece) ? items : items.slice(-1)) item.count ??= count;
        continue;
      }
      const strange = strangers.filter(isStrangeMachine);
      // `For the GT-2254 and LX-500`, unless that is a part's number.
      if (terms.length === 0 && isOfLast && last!.own.length > 0)
        for (const stranger of strangers) stranger.isMachine = true;
      const isMachineAlone =
        terms.length === 0 &&
        place === undefined &&
        own.length + strange.length > 0 &&
        read.mentions.every(({ text: typed }) => strange.some(({ name }) => name.includes(typed))) &&
        (ofMachine.length === 0 || isStatement(clause));
      if (isMachineAlone || (isNothing && ofMachine.length === 0 && own.length === 0)) {
        elsewhere.push(...(isMachineAlone ? strange : []));
        // `And the ZT 3000` is one more machine of what was asked for before it.
        if (isOfLast && last!.own.length > 0 && !isStatement(clause)) last!.own = distinct([...last!.own, ...own]);
        else if (own.length > 0) alone.push({ clause: clauseAt, models: own });
        // `What does it cost?` is about what was asked for before.
        const ofClause = isMachineAlone ? items.filter((each) => each.clause === clauseAt) : items;
        const about = !isMachineAlone && /\b(?:it|that|this)\b/i.test(piece) ? items.slice(-1) : ofClause;
        if (wanted !== undefined) for (const item of about) item.wanted = moreOf(item.wanted, wanted);
        wantedBefore = wanted ?? wantedBefore;
        if (isMachineAlone || items.length === 0) wantedOfAll ??= wanted;
        continue;
      }
      const isNew = /^(?:what|which)\b/i.test(piece);
      const item: Draft = {
        ...read,
        ...(isNothing && !read.isList && { terms: ofMachine, phrases: [ofMachine], ofMachine: [] }),
        ...(last && /^(?:the |an? )?(?:its|their)\b/i.test(piece) && { ofMachine: last.terms }),
        wanted: wanted ?? (isNew ? undefined : wantedBefore) ?? "part",
        models: [],
        clause: clauseAt,
        own,
        ...(symptom && { symptom }),
        ...(terms.length === 1 &&
          (isOfLast
            ? { hints: distinct([...(last!.hints ?? []), ...last!.terms]) }
            : hinted.length > 0 && { hints: hinted })),
        ...(SAYS["cheapest thing"].test(piece) && { isPicked: true }),
      };
      wantedBefore = item.wanted;
      if (last && isNumbersAlone(item) && isNumbersAlone(last) && last.own.length === 0) {
        joinNumbers(last, item);
        last.own = own;
      } else if (items.length < MOST_ITEMS) items.push(item);
    }
  }
  // `Deck and drive belts`: the deck's is a belt, too.
  for (const [at, item] of items.slice(0, -1).entries()) {
    const { terms, clause } = items[at + 1]!;
    if (item.terms.length === 1 && terms.length > 1 && clause === item.clause)
      item.hints = [...(item.hints ?? []), terms.at(-1)!];
  }
  const named = known.filter(({ isKnown }) => isKnown).flatMap(({ models }) => models);
  const all = namesOf(named);
  const isModelNamed = known.some(({ how }) => how === "named");
  const asksForTotal = SAYS.total.test(text);
  // `Total cost: a carburetor, an air filter`
  if (asksForTotal) wantedOfAll = "offer";
  if (wantedOfAll !== undefined && items.every(({ wanted }) => wanted === "part"))
    for (const item of items) item.wanted = wantedOfAll;
  for (const [at, item] of items.entries()) item.models = machinesOf(at, items, alone, all);
  for (const { mentions: own, strangers } of items)
    if (strangers.length === 0 || own.length > 0)
      strangers.push(...elsewhere.filter(({ name }) => strangers.every((stranger) => stranger.name !== name)));
  if (items.length === 0 && (elsewhere.length > 0 || wantedOfAll !== undefined))
    items.push({ ...bareItem(text, wantedOfAll), strangers: elsewhere, models: all, clause: 0, own: all });
  // `I've got a Toro, which oil filter?`
  const owned = distinct(items.flatMap((item) => item.owned));
  const isOwner = ({ terms, mentions: own }: Item): boolean =>
    own.length === 0 && terms.length > 0 && terms.every((term) => owned.includes(term));
  if (owned.length > 0 && !items.every(isOwner)) items = items.filter((item) => !isOwner(item));
  for (const item of items) item.owned = owned;
  const maker = known.find(({ how }) => how === "maker");
  if (maker) for (const item of items) item.maker = partTerms(text.slice(maker.from, maker.to));
  if (SAYS.cheapest.test(text) && items.every(({ isPicked }) => !isPicked))
    for (const item of items) if (item.wanted === "offer" || item.wanted === "part") item.isPicked = true;
  return {
    text,
    items: items.map(({ clause: _, own: __, ...item }) => item),
    models: all,
    guessed: namesOf(known.filter(({ how }) => how === "part" || how === "maker").flatMap(({ models }) => models)),
    isUnclear: false,
    asksForCart: SAYS.cart.test(text),
    asksForOrder: SAYS.orders.test(text) || /^(?!(?:do|can) you).*\b(?:ship|send|deliver)\b.*\bto \p{Lu}/u.test(text),
    asksForMachines:
      SAYS["known machines"].test(text) &&
      items.every(({ mentions: own, terms }) => own.length === 0 && (terms.length === 0 || !isModelNamed)),
    asksForTotal,
  };
}

/** Manufacturers alone say which machine is meant where nothing else does. */
function machinesMeant(text: string, mentions: readonly MachineMention[]): MachineMention[] {
  const others = mentions.filter(({ how }) => how !== "maker");
  return others.length > 0 || /\d{3}/.test(text) ? others : [...mentions];
}

/** The manufacturer of a machine that is named is no part, wherever its name stands. */
function withoutMakers(text: string, mentions: readonly MachineMention[]): string {
  const named = mentions.filter(({ how }) => how === "named" || how === "part").flatMap(({ models }) => models);
  const isNamed = ({ manufacturer }: { manufacturer?: string }): boolean =>
    named.some((model) => model.manufacturer === manufacturer);
  return mentions
    .filter(({ how, models }) => how === "maker" && models.some(isNamed))
    .reduce((left, { from, to }) => left.slice(0, from) + " ".repeat(to - from) + left.slice(to), text);
}

/** `Which mowers does it fit`: the machines are what is asked for. */
function withoutAskedMachines(read: Read, wanted: Wanted | undefined): Read {
  const isAsked = wanted === "fitment" && read.terms.every((term) => MACHINES.has(term));
  return isAsked ? { ...read, terms: [], phrases: [], head: undefined } : read;
}

function wantedOf(text: string): Wanted | undefined {
  return WANTED.find(({ asked }) => asked.test(text))?.wanted;
}

/** A name that is an equipment's, and no number of a part. */
export function isStrangeMachine({ isMachine, near }: Stranger): boolean {
  return isMachine || near.length > 0;
}

/** A question with what it leaves to the answer before it filled in. */
export function followUp(question: Question, before: Remembered | undefined): Question {
  const { text, items, models } = question;
  const refers = SAYS.it.test(text);
  const goesOn = refers || SAYS["goes on"].test(text);
  if (question.asksForCart && before && before.parts.length > 0 && items.every(isBare))
    return { ...question, items: [aboutParts(bareItem(text, "offer"), before)] };
  if (question.asksForOrder && items.every(({ mentions, terms }) => mentions.length + terms.length === 0))
    return question;
  if (items.every(isBare)) {
    const wanted = items[0]?.wanted ?? wantedOf(text);
    const bare: Item = { ...bareItem(text, wanted), models };
    const only = (item: Item): Question => ({ ...question, items: [item] });
    if (before && before.terms.length > 0 && models.length > 0 && goesOn)
      return only({
        ...bare,
        text: [text, before.measure].join(" "),
        terms: before.terms,
        phrases: [before.terms],
      });
    if (before && before.parts.length > 0 && (models.length > 0 ? goesOn : refers || wanted !== undefined))
      return only(aboutParts(bare, before));
    const isShort = text.split(/\s+/).length <= MOST_WORDS_OF_A_LIST;
    if (models.length > 0 && (isShort || SAYS.list.test(text) || isStatement(text)))
      return only({ ...bare, isList: true });
    return { ...question, items: [], isUnclear: refers && (wanted !== undefined || items.length > 0) };
  }
  if (models.length > 0) return question;
  const isLeftOpen = (item: Item): boolean =>
    item.strangers.length + item.mentions.length === 0 && item.models.length === 0;
  const spoken = before?.models ?? [];
  if (spoken.length > 0)
    return {
      ...question,
      items: items.map((item) =>
        isLeftOpen(item)
          ? {
              ...item,
              models: spoken,
              isOfSession: !goesOn && item.place === undefined,
              ...(goesOn && item.terms.length === 1 && { hints: item.hints ?? before!.terms }),
            }
          : item,
      ),
    };
  if (!SAYS["machine it"].test(text) || !isLeftOpen(items[0]!)) return question;
  return { ...question, isUnclear: !/\b(?:my|the) \p{L}+/u.test(text), items: items.slice(1) };
}

/** The rows of a place; of those that the other words name, their figure or they themselves, if there are such words. */
export function rowsAt(rows: readonly FitmentRow[], { reference, figure }: Place): FitmentRow[] {
  const plain = (label: string): string =>
    label
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .replace(/(^|-)0+(?=\d)/g, "$1");
  const isSame = (printed: string | undefined, typed: string): boolean =>
    printed !== undefined && plain(printed) === plain(typed);
  const labelOf = (schema: string): string | undefined => /^Figure (\S+?)(?::|$)/.exec(schema)?.[1];
  return rows.filter(
    (row) =>
      (reference === undefined || isSame(row.reference, reference)) &&
      (figure === undefined || isSame(row.figure, figure) || isSame(labelOf(row.schema), figure)),
  );
}

/** What of a text may name a part: its terms without the words of questions. */
export function partTerms(text: string): string[] {
  const telling = text
    .split(/\s+/)
    .filter((word) => !NOISE.has(word.toLowerCase()))
    .join(" ");
  const terms = queryChunks(telling).flatMap(({ terms: own, compact, only }) =>
    only === undefined ? (own.length > 1 && compact !== undefined ? [compact] : own) : [only],
  );
  return [...new Set(terms)]
    .filter((term) => !NOISE.has(term) && (term.length > 1 || /\d/.test(term)) && !/^\d{1,3}$/.test(term))
    .slice(0, MOST_TERMS);
}

type Read = Omit<Item, "wanted" | "models" | "symptom" | "isOfSession" | "isPicked">;

/** What names parts in a piece of a text. */
function readPiece(piece: string, clause: string, text: string, near: readonly MachineMention[]): Read {
  const marked = COUNT_MARKED.exec(piece);
  const { place, rest: unplaced } = placeIn(marked === null ? piece : piece.replace(marked[0], " "));
  const words = wordsOf(unplaced.replace(new RegExp(MACHINE_MARK, "gu"), " , "));
  const { mentions, typed: numbersTyped } = numberMentions(words);
  let masked = unplaced;
  for (const mention of [...mentions].sort((a, b) => b.text.length - a.text.length)) {
    const written = mention.text.split(" ").map(escaped).join("[\\s,()]+");
    masked = masked.replace(
      new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, "u"),
      String.fromCodePoint(NUMBER + mention.number),
    );
  }
  const isPriced =
    /\b(?:how much|price|cost|stock|number|replac\w*|supersed\w*|substitute|equivalent|compatible)\b|\bdo you (?:have|sell|stock|carry)\b/i.test(
      clause,
    );
  const isNear = (each: MachineMention, typed: string): boolean => text.slice(each.from, each.to).includes(typed);
  const strangers: Stranger[] = mentions
    .filter(
      ({ from, to, text: typed }) =>
        to - from === 1 && (MODEL_LIKE.test(typed) || near.some((each) => isNear(each, typed))),
    )
    .map(({ text: typed, from }) => ({
      name: typed,
      near: namesOf(near.filter((each) => isNear(each, typed)).flatMap(({ models }) => models)),
      isMachine: !isPriced && !IS_ASKED.test(words.slice(0, from).join(" ")) && isWhereMachinesStand(words, from),
    }));
  for (const [, name] of unplaced.matchAll(MADE_BY)) {
    if (strangers.some((stranger) => name!.includes(stranger.name))) continue;
    strangers.push({ name: name!, near: [], isMachine: true });
    masked = masked.replace(name!, " , ");
  }
  // The maker in front of it is no part.
  if (strangers.some(({ isMachine }) => isMachine))
    masked = masked.replace(
      /(?<=\b(?:for|on|onto|fits?|my|our|his|her|an?|the|is|own|have)\s+(?:old\s+|new\s+)?)(?:\p{Lu}\p{L}+\s+){1,2}(?=[\uE400-\uE7FF])/gu,
      " ",
    );
  const unnumbered = masked.replace(/[\uE400-\uE7FF]/gu, " , ").replace(INCHES, "$1");
  const tokens = unnumbered
    .replace(/([\uE000-\uE3FF,])/gu, " $1 ")
    .split(/\s+/)
    .filter((token) => token !== "");
  const isOfMachine = ofMachine(tokens);
  const isStranger = strangers.length > 0 && !tokens.some((token) => MACHINE_MARK.test(token));
  const phrases: string[][] = [[]];
  const of: string[] = [];
  for (const [at, token] of tokens.entries()) {
    const terms = MACHINE_MARK.test(token) ? [] : partTerms(token);
    if (terms.length === 0) {
      if (!/^[-/&"]$/.test(token)) phrases.push([]);
    } else if (isOfMachine.has(at) || (isStranger && terms.every((term) => MACHINES.has(term)))) of.push(...terms);
    else phrases.at(-1)!.push(...terms);
  }
  // Sizes and names are read with their neighbours: `v belt`, `1/2 in`.
  const isNaming = (token: string, at: number): boolean =>
    !MACHINE_MARK.test(token) && !isOfMachine.has(at) && !(isStranger && MACHINES.has(token.toLowerCase()));
  const terms = partTerms(tokens.filter(isNaming).join(" "));
  const head = headOf(unnumbered.replace(/[\uE000-\uE3FF]/gu, " "), terms);
  const thing = head ?? terms.at(-1);
  const count = marked === null ? COUNT.exec(masked)?.[1] : (marked[1] ?? marked[2] ?? marked[3]);
  return {
    text: unnumbered
      .replace(/[\uE000-\uE3FF]/gu, " ")
      .replace(/[\s,]+/g, " ")
      .trim(),
    terms,
    ofMachine: of,
    phrases: phrases.filter((phrase) => phrase.length > 0),
    ...(head !== undefined && { head }),
    mentions,
    numbersTyped,
    ...(place && { place }),
    isList: SAYS.list.test(piece),
    isPlural:
      thing !== undefined && wordsOf(fold(unnumbered)).some((word) => word !== thing && singular(word) === thing),
    owned: [
      ...unnumbered.matchAll(
        /\b(?:(?:for|on|fits?|of) (?:an?|my|our|his|her)|my|our|(?:i|we)(?:'ve| have)?(?: got| own| have)? an?) ((?:\p{L}+ ?){1,3})/giu,
      ),
    ].flatMap((match) => partTerms(match[1]!)),
    strangers,
    ...(count !== undefined && Number(count) > 0 && { count: Number(count) }),
  };
}

/** It says what somebody has, and asks nothing. */
function isStatement(clause: string): boolean {
  return (
    SAYS.owns.test(clause) &&
    !/^\W*(?:do|does|did|have|has|is|are|can|could|what|which|where|how)\b|\b(?:do|have|can) you\b/i.test(clause)
  );
}

/** Machine words that touch a machine's name, with nothing but words that say nothing between. */
function ofMachine(tokens: readonly string[]): Set<number> {
  const found = new Set<number>();
  for (const [at, token] of tokens.entries()) {
    if (!MACHINE_MARK.test(token)) continue;
    for (const step of [-1, 1]) {
      for (let place = at + step; place >= 0 && place < tokens.length; place += step) {
        const [term, more] = partTerms(tokens[place]!);
        if (term === undefined) continue;
        if (more !== undefined || !MACHINES.has(term)) break;
        found.add(place);
      }
    }
  }
  return found;
}

function isWhereMachinesStand(words: readonly string[], at: number): boolean {
  let before = at - 1;
  const isMaker = (word: string): boolean =>
    /^(?:the|old|new)$/i.test(word) || (/^\p{Lu}\p{L}+$/u.test(word) && !NOISE.has(word.toLowerCase()));
  while (before >= 0 && before >= at - 4 && isMaker(words[before]!)) before -= 1;
  if (/^(?:manual|takes?|needs?|uses?|requires?)$/i.test(words[at + 1] ?? "")) return true;
  return BEFORE_MACHINE.test(words[before] ?? "") || (before === -1 && at > 0);
}

function placeIn(text: string): { place?: Place; rest: string } {
  const item = REFERENCE.exec(text);
  const reference = item?.[1] ?? item?.[2] ?? item?.[3];
  const without = item === null ? text : text.replace(item[0], ",");
  const figure = FIGURE.exec(without);
  if (reference === undefined && figure === null) return { rest: text };
  return {
    place: { ...(reference === undefined ? {} : { reference }), ...(figure === null ? {} : { figure: figure[1]! }) },
    rest: figure === null ? without : without.replace(figure[0], ","),
  };
}

/** The thing in front of what it is for: the bolt of `bolts that hold the blade`. */
function headOf(text: string, terms: readonly string[]): string | undefined {
  const asked = text.replace(
    /^.*\b(?:number|count|quantity|qty|price|cost|charge|page|picture|torque|set|pair|kind|type|size|spec|pack|box|couple|dozen) (?:of|for)\b/i,
    " ",
  );
  // What it is called is not known: none of what stands behind it is meant.
  if (/\b(?:thing|thingy|bit|piece|part)\s+(?:that|which|right|next|beside|behind)\b/i.test(asked)) return "thing";
  const parts = ` ${asked} `.split(new RegExp(RELATION, "gi"));
  const named = parts.findIndex((part) => partTerms(part).length > 0);
  if (named === -1 || !parts.slice(named + 1).some((part) => partTerms(part).length > 0)) return undefined;
  return partTerms(parts[named]!).findLast((term) => terms.includes(term));
}

/** Its own machines, those of its clause, those behind it, or before it, or of the clauses before. */
function machinesOf(
  at: number,
  items: readonly Draft[],
  alone: readonly { clause: number; models: string[] }[],
  all: string[],
): string[] {
  const { own, clause } = items[at]!;
  const ofClause = alone.filter((each) => each.clause === clause).flatMap(({ models }) => models);
  const isNamed = (other: Draft): boolean => other.own.length > 0;
  const choices = [
    own.length > 0 && items.length === 1 ? [...own, ...all] : own,
    ofClause,
    items.slice(at + 1).find((other) => other.clause === clause && isNamed(other))?.own ?? [],
    items.slice(0, at).findLast(isNamed)?.own ?? [],
    alone.filter((each) => each.clause < clause).flatMap(({ models }) => models),
  ];
  return distinct(choices.find((models) => models.length > 0) ?? all);
}

/** How much of a part is said for what is asked, the least first: each has what is before it. */
const TOLD: readonly Wanted[] = ["part", "offer", "page", "quantity"];

function moreOf(before: Wanted, then: Wanted): Wanted {
  if (!TOLD.includes(before) || !TOLD.includes(then)) return then;
  return TOLD[Math.max(TOLD.indexOf(before), TOLD.indexOf(then))]!;
}

function isNumbersAlone({ terms, mentions, place, count }: Item): boolean {
  return terms.length === 0 && mentions.length > 0 && place === undefined && count === undefined;
}

function joinNumbers(into: Item, item: Item): void {
  const first = into.numbersTyped;
  const mentions = item.mentions.map((mention) => ({
    ...mention,
    number: mention.number + first,
    from: mention.from + first * 100,
    to: mention.to + first * 100,
  }));
  into.numbersTyped += item.numbersTyped;
  into.mentions = [...into.mentions, ...mentions].filter(({ number }) => number < MOST_NUMBERS);
  into.strangers.push(...item.strangers);
  into.wanted = moreOf(into.wanted, item.wanted);
}

function isBare({ terms, mentions, place, strangers }: Item): boolean {
  return terms.length + mentions.length + strangers.length === 0 && place === undefined;
}

function bareItem(text: string, wanted: Wanted = "part"): Item {
  const count = COUNT.exec(text)?.[1];
  return { ...readPiece("", "", "", []), text, wanted, models: [], ...(count && { count: Number(count) }) };
}

/** By their numbers, so that they are looked up again. */
function aboutParts(item: Item, { parts, models }: Remembered): Item {
  const mentions = parts.map(({ partNumber, vendor, pnNorm }, at) => ({
    text: vendor === undefined ? partNumber : `${vendor} ${partNumber}`,
    pnNorm,
    from: at,
    to: at + 1,
    number: at,
  }));
  return { ...item, mentions, numbersTyped: mentions.length, models: item.models.length > 0 ? item.models : models };
}

/** Names of equipment, each once. */
export function namesOf(machines: readonly { equipment: string }[]): string[] {
  return distinct(machines.map(({ equipment }) => equipment));
}

export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
