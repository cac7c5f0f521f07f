import { isCalled } from "@partline/parts-search";
import {
  createBareItem,
  deduplicate,
  extractPartTerms,
  findIntent,
  findMeasure,
  getWordSet,
  type Intent,
  isAskingTerm,
  isStatement,
  type Item,
  listModelNames,
  MACHINES,
  type Measure,
  PART_WORDS,
  type Request,
  SAYS,
} from "@partline/parts-language/words";
import { cleanText, fold, normalizePartNumber } from "@partline/parts-language";
import { getAt } from "@partline/toolkit";
import type { Memory } from "./memory.ts";
import { deduplicateParts } from "./parts.ts";
import { describePart, type FoundPart } from "./port.ts";
import type { TextName } from "./texts.ts";

/** A machine's name alone, or nearly, asks for its parts. */
const MOST_WORDS_OF_A_LIST = 4;

/** How a question goes on with the conversation before it. */
interface Turn {
  /** It speaks of what was answered: `it`, `that one`. */
  refers: boolean;
  goesOn: boolean;
  intent?: Intent;
  measure?: Measure;
  /** It asks for a price, a cart or the like of what it names. */
  isWish: boolean;
  /** It names no part. */
  isBare: boolean;
  /** `How many of them do you have?` */
  isCountOfIt: boolean;
  /** What is measured, in words that ask for it. */
  measureText: string;
}

/** Completes a question with what it leaves to the answer before it. */
export function followUp(rawQuestion: Request, memory: Memory | undefined): Request {
  const question = askForOther(dropFillers(rawQuestion, memory), memory);
  const turn = readTurn(question, memory);
  if (memory && isOfThings(question, turn, memory)) return askOfThings(question, turn, memory);
  if (turn.isBare || turn.isCountOfIt) return resolveBareQuestion(question, memory, turn);
  if (question.models.length > 0) return question;
  if (memory && memory.models.length > 0) return fillIn(question, turn, memory);
  const isUnclear = SAYS["machine it"].test(question.text) && isLeftOpen(getAt(question.items, 0));
  return isUnclear ? { ...question, isUnclear, items: question.items.slice(1) } : question;
}

/** Drops what only counts, `fine, two sets into the cart`, and asks what does something to the last thing. */
function dropFillers(question: Request, memory: Memory | undefined): Request {
  const isFiller = (item: Item): boolean =>
    item.terms.length > 0 &&
    isBare(item, (term) => POLITE.has(term) || (item.count !== undefined && COUNTED_IN.has(term)));
  const items = question.items
    .filter((item) => !isFiller(item))
    .map((item) =>
      item.role && item.terms.length === 0 && memory
        ? askAbout({ ...item, terms: (memory.terms.at(-1) ?? "").split(" ") }, "")
        : item,
    );
  return { ...question, items };
}

function readTurn({ text, items, models, task, ...question }: Request, memory: Memory | undefined): Turn {
  const refers = SAYS.it.test(text) || task?.name === "companions";
  const goesOn = refers || SAYS["goes on"].test(text);
  const intent = findIntent(text);
  const measure = findMeasure(text);
  const isWish = question.asksForCart || question.asksForTotal || intent !== undefined;
  const isOfIt = (term: string): boolean => refers && measure?.isOfParts === true && isAskingTerm(term);
  const isNothing = (term: string): boolean => memory !== undefined && ((goesOn && MACHINES.has(term)) || isOfIt(term));
  const asksForCount = SAYS["how many of it"].test(text) || SAYS["so many of it"].test(text);
  return {
    refers,
    goesOn,
    ...(intent && { intent }),
    ...(measure && { measure }),
    isWish,
    isBare: items.every((item) => isBare(item, isNothing)),
    isCountOfIt: models.length === 0 && asksForCount && (memory?.parts.length ?? 0) > 0,
    measureText: measure ? text : isWish ? "" : (memory?.measure ?? ""),
  };
}

/**
 * Returns whether the things that were asked for before are asked for again: of another machine, or something else of
 * them.
 */
function isOfThings(question: Request, { refers, goesOn, isWish, measure, ...turn }: Turn, memory: Memory): boolean {
  const { text, models, items, asksForCart, asksForOrder } = question;
  if (memory.terms.length === 0 || (asksForOrder && !asksForCart)) return false;
  const isOfOther = models.length > 0;
  // `Does it fit the other one?` is asked of the part, `and for the other one?` of what it is called.
  const isOfPart = (refers && SAYS["does it fit"].test(text)) || SAYS.list.test(text);
  const isOfMachine = isOfOther && turn.isBare && !isOfPart && (goesOn || !SAYS["known machines"].test(text));
  // `Is it in stock?`, of what was quoted.
  const isOfQuoted = memory.measure !== undefined || memory.parts.length === 0;
  const isOfPrevious = !isOfOther && turn.isBare && (refers || isWish) && isOfQuoted;
  // `And the torque?`, of what was answered.
  const isMeasured =
    measure?.isOfOneThing && (!isOfOther || goesOn) && items.every((item) => isBare(item, isAskingTerm));
  return isOfMachine || isOfPrevious || isMeasured === true;
}

function askOfThings(question: Request, { intent, measureText }: Turn, memory: Memory): Request {
  const item = {
    ...createBareItem(question.text, question.maskedText),
    wanted: intent ?? memory.wanted ?? "part",
    models: question.models.length > 0 ? question.models : memory.models,
  };
  return {
    ...question,
    items: memory.terms.map((name) => askAbout({ ...item, terms: name.split(" ") }, measureText)),
  };
}

/** Fills in the machine of the conversation where a question names none. */
function fillIn(question: Request, { goesOn, isWish, measureText }: Turn, memory: Memory): Request {
  const { text } = question;
  // Of what was asked for by its number its name says what it is: `is it the round one?`
  const last = memory.terms.at(-1)?.split(" ") ?? extractPartTerms(memory.parts[0]?.description ?? "");
  // `And the flywheel nut?`, of which the torque is asked as before.
  const isShort = isShortText(text.replace(SAYS["goes on"], "And "));
  const isNext = memory.measure !== undefined && SAYS["goes on"].test(text) && !isWish && isShort;
  const complete = (item: Item): Item => ({
    ...(isNext ? askAbout(item, measureText) : item),
    models: memory.models,
    isOfSession: !goesOn && item.place === undefined,
    context: [...item.context, ...last],
  });
  return { ...question, items: question.items.map((item) => (isLeftOpen(item) ? complete(item) : item)) };
}

function isLeftOpen({ unknownNames, mentions, models }: Item): boolean {
  return unknownNames.length + mentions.length + models.length === 0;
}

/** `The other one` is the other of several, or is called as what was answered: besides a deck belt, another belt. */
function askForOther(question: Request, memory: Memory | undefined): Request {
  const { constraints, text, maskedText, models, items } = question;
  const name = memory?.terms.at(-1);
  if (!memory || name === undefined || models.length > 0 || !SAYS["the other"].test(text)) return question;
  const [part, ...otherParts] = memory.parts;
  const namedTerms = deduplicate(items.flatMap(({ terms }) => terms.filter((term) => PART_WORDS.has(term))));
  const isNamed = part !== undefined && namedTerms.some((term) => isCalled([term], part.description));
  if (!part || otherParts.length > 0 || (!isNamed && (memory.former?.length ?? 0) > 0))
    return { ...question, items: [] };
  const terms = isNamed ? namedTerms : [findNoun(name)];
  const item = { ...createBareItem(text, maskedText), models: memory.models, terms };
  return { ...question, constraints: { ...constraints, without: [part.pnNorm] }, items: [askAbout(item, "")] };
}

/** Resolves a question that names nothing but a machine, or not even that. */
function resolveBareQuestion(
  question: Request,
  memory: Memory | undefined,
  { refers, goesOn, isWish, isCountOfIt }: Turn,
): Request {
  const { text, models, items, order, asksForCart, asksForOrder } = question;
  if (asksForOrder && !asksForCart) return question;
  const [, count] = SAYS["so many of it"].exec(text) ?? [];
  const counted = count === undefined ? {} : { count: Number(count), wanted: "offer" as const };
  const bare: Item = { ...createBareItem(text, question.maskedText), ...counted, models };
  const isOfOne = models.length === 0 && ONE_OF_THEM.test(text);
  const isMeant = models.length > 0 ? goesOn : refers || isWish || isOfOne || isCountOfIt;
  const [row] = memory?.parts[0]?.rows ?? [];
  if (row?.figure !== undefined && models.length === 0 && SAYS["in its figure"].test(text))
    return {
      ...question,
      items: [{ ...bare, isList: true, place: { figure: row.figure }, models: listModelNames([row]) }],
    };
  if (memory && memory.parts.length > 0 && isMeant) {
    const parts = isOfOne ? pickParts(text, memory) : findReferredParts(text, memory);
    if (!parts) return { ...question, items: [], isUnclear: true };
    // By their numbers, so that they are looked up again.
    const mentions = parts.map(({ partNumber, vendor, pnNorm }, index) => {
      const typed = vendor === undefined ? partNumber : `${vendor} ${partNumber}`;
      return { text: typed, pnNorm, from: index, to: index + 1, number: index };
    });
    const targetModels = models.length > 0 ? models : memory.models;
    return { ...question, items: [{ ...bare, mentions, numbersTyped: mentions.length, models: targetModels }] };
  }
  const isOfAll =
    (isShortText(text) ||
      order !== undefined ||
      SAYS.list.test(text) ||
      SAYS["known machines"].test(text) ||
      isStatement(text)) &&
    (findIntent(text) !== "offer" || order !== undefined || question.constraints.stock !== undefined) &&
    !SAYS["no part"].test(text);
  if (models.length > 0 && isOfAll)
    return { ...question, items: [{ ...bare, isList: true, isPicked: order === "cheapest" }] };
  return { ...question, items: [], isUnclear: refers && (isWish || items.length > 0) };
}

function isShortText(text: string): boolean {
  return text.split(/\s+/).length <= MOST_WORDS_OF_A_LIST;
}

/** Finds the parts that were answered last, with those before them for `both`; undefined if more are meant. */
function findReferredParts(text: string, { parts, former = [] }: Memory): readonly FoundPart[] | undefined {
  if (parts.length === 1 && SAYS["of two"].test(text)) return deduplicateParts([...former, ...parts]);
  return parts;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const ONE_OF_THEM = new RegExp(
  `\\b(?:the|that) (?:(${ORDINALS.join("|")})|last|other|new|newer|replacement|successor)(?= (?:one|part|of|in|into|to|for|please)\\b|\\W*$)`,
  "i",
);

/** Picks `the second one` of the parts that were answered, or `the other` of two. */
function pickParts(text: string, { parts, former = [], terms }: Memory): FoundPart[] | undefined {
  const candidates =
    parts.length === 1 && former.length > 0 ? (former.length > 1 ? former : [...former, ...parts]) : parts;
  const ordinal = ORDINALS.indexOf(ONE_OF_THEM.exec(text)?.[1]?.toLowerCase() ?? "");
  // Of several things that were asked for it is the second thing, with all parts that are called so.
  const thing = terms.length > 1 ? terms.at(ordinal)?.split(" ") : undefined;
  // `The new one`, of a part and what replaces it.
  const isNew = /\b(?:the|that) new(?:er)? one\b|\bthe (?:replacement|successor)\b/i.test(text);
  const replaced = candidates.flatMap(({ replacedBy }) =>
    replacedBy === undefined ? [] : normalizePartNumber(replacedBy),
  );
  const successors = candidates.filter(({ pnNorm }) => replaced.includes(pnNorm));
  if (isNew) return successors.length > 0 ? successors.slice(-1) : undefined;
  const picked = thing
    ? [parts, former].map((group) => group.filter((part) => isCalled(thing, describePart(part))))
    : [candidates.slice(ordinal).slice(0, 1)];
  return picked.find((group) => group.length > 0);
}

/** @param isNothing of a term that names nothing */
function isBare(
  { terms, mentions, place, unknownNames, symptom }: Item,
  isNothing = (_term: string): boolean => false,
): boolean {
  return (
    !symptom?.isService && terms.every(isNothing) && mentions.length + unknownNames.length === 0 && place === undefined
  );
}

/** What is asked of the thing, as if it were asked in one question. @param measureText a measure, or nothing */
function askAbout(item: Item, measureText: string): Item {
  const terms = deduplicate([...item.terms, ...extractPartTerms(measureText).filter(isAskingTerm)]);
  return { ...item, text: `${item.terms.join(" ")} ${measureText}`, terms, phrases: [item.terms] };
}

/** The noun of a part's name, as people say it: of `starter motor`, the starter. */
function findNoun(name: string): string {
  const [first = "", ...rest] = name.split(" ");
  return rest.includes("motor") ? first : (rest.at(-1) ?? first);
}

const POLITE = getWordSet("polite");
const COUNTED_IN = getWordSet("counted in");

/** Detects a text of nothing but politeness: a yes to the question for store links, or the text to reply with. */
export function detectPoliteness(query: string): "yes" | { reply: TextName } | undefined {
  const text = fold(cleanText(query)).replace(/^[¡¿\s]+/, "");
  const words = text.match(/[^\s,.!¡¿-]+/g) ?? [];
  if (text.length > 200 || !words.every((word) => POLITE.has(word))) return undefined;
  if (SAYS.no.test(text)) return { reply: "no links wanted" };
  // `Ok thanks` says yes to nothing.
  if (SAYS.thanks.test(text) && !SAYS.assents.test(text)) return { reply: "you are welcome" };
  return (SAYS.yes.test(text) || SAYS["asks for links"].test(text)) && !SAYS["is no yes"].test(text)
    ? "yes"
    : undefined;
}
