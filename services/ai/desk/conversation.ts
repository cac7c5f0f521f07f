import { createHash } from "node:crypto";
import { cleanText, fold } from "@partline/parts-language";
import { type CollectionDefinition, type Document, type DocumentStore, isStoreAway } from "@partline/durable";
import { partsOf } from "./compose.ts";
import { isCalled } from "./names.ts";
import { partTerms } from "./piece.ts";
import { keyOf, saidOf, type FoundPart } from "./port.ts";
import {
  bareItem,
  distinct,
  isStatement,
  namesOf,
  isStrangeMachine,
  wantedOf,
  type Item,
  type Question,
} from "./question.ts";
import { distinctParts, MOST_MACHINES } from "./parts.ts";
import type { Finding } from "./retrieval.ts";
import { MACHINES, PART_WORDS, SAYS, isAskingTerm, listOf, measureAsked, type Wanted } from "./vocabulary.ts";

/** How long "it" and "yes" still mean what was answered. */
const KEPT_MS = 30 * 60_000;
const MOST_PARTS = 10;
const MOST_PLACES = 8;
/** A machine's name alone, or nearly, asks for its parts. */
const MOST_WORDS_OF_A_LIST = 4;

/**
 * What the last answers of a session were about. Words are those alone that parts' names have: nothing else that
 * somebody typed is kept.
 */
export interface Remembered {
  models: string[];
  parts: FoundPart[];
  /** Those before them. */
  former?: FoundPart[];
  /** What was asked for, each by its words: `blade bolt`. */
  terms: string[];
  wanted?: Wanted;
  /** What was quoted of it: `torque`. */
  measure?: string;
  /** The last answer asked whether links are wanted, or gave some: a yes is to it. */
  isOpen: boolean;
}

/** The id is a hash: a session's own is a credential. */
interface Conversation extends Document, Remembered {
  expiresAt: Date;
}

export const CONVERSATIONS: CollectionDefinition = {
  name: "ai_conversations",
  fields: { expiresAt: "date" },
  expires: "expiresAt",
};

/** In the document store, so that any node understands the next question. */
export interface Conversations {
  keep(sessionId: string, remembered: Remembered): Promise<void>;
  get(sessionId: string): Promise<Remembered | undefined>;
}

/** @param onUnkept gets the error if the store cannot keep a conversation: the answer itself does not need it */
export function createConversations(documents: DocumentStore, onUnkept: (error: unknown) => void): Conversations {
  const conversations = documents.collection<Conversation>(CONVERSATIONS);
  const idOf = (sessionId: string): string => createHash("sha256").update(sessionId).digest("hex");
  return {
    async keep(sessionId, remembered) {
      const _id = idOf(sessionId);
      // What is undefined is nothing to a store.
      const kept = JSON.parse(JSON.stringify(remembered)) as Remembered;
      const conversation = { _id, ...kept, expiresAt: new Date(Date.now() + KEPT_MS) };
      try {
        await conversations.replaceOne({ _id }, conversation, { upsert: true });
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        onUnkept(error);
      }
    },
    async get(sessionId) {
      const found = await conversations.findOne({ _id: idOf(sessionId) });
      if (!found) return undefined;
      const { _id: _, expiresAt: __, ...remembered } = found;
      return remembered;
    },
  };
}

/**
 * What is remembered after an answer. The machine stays until another one is named; the parts stay until others are
 * named, found or not.
 * @param named equipment that the question named
 */
export function rememberedAfter(
  before: Remembered | undefined,
  findings: readonly Finding[],
  parts: readonly FoundPart[],
  named: readonly string[],
  isOpen: boolean,
): Remembered | undefined {
  const rows = parts.flatMap((part) => part.rows);
  // A number may be in one manual alone: that is of its machine.
  const isOfOne = new Set(rows.map(({ sha256 }) => sha256)).size === 1;
  const found = findings.flatMap(({ item }) => item.models);
  const asked = distinct([found, named, isOfOne ? namesOf(rows) : []].find(({ length }) => length > 0) ?? []);
  if (parts.length === 0 && asked.length === 0 && before === undefined) return undefined;
  const isOfStranger = findings.some(({ item }) => item.strangers.some(isStrangeMachine));
  const having = findings.filter((finding) => finding.parts.length > 0);
  // What was asked for by its name, and not what a symptom may come from.
  const direct = having.filter(({ item }) => !item.symptom);
  // What was named then and not found is rather meant by "it" than what was found before it.
  const isMissing = ({ item, quotes }: Finding): boolean =>
    item.terms.some((term) => PART_WORDS.has(term)) && quotes.length === 0 && item.isTold !== true;
  // What nothing answered may be asked of another machine, if parts are called so.
  const isNamed = ({ item: { terms }, quotes }: Finding): boolean =>
    quotes.length > 0 || terms.every((term) => isAskingTerm(term) || PART_WORDS.has(term));
  const quoted = parts.length === 0 ? findings.filter(isNamed) : [];
  const told = [quoted, direct, having].find((some) => some.length > 0) ?? [];
  const meant = new Set((direct.length > 0 && direct.length < having.length ? partsOf(direct) : parts).map(keyOf));
  const isAsBefore =
    parts.length === 0 && !findings.some(isMissing) && asked.every((model) => before?.models.includes(model));
  const areTheSame = parts.every(({ pnNorm }) => before?.parts.some((part) => part.pnNorm === pnNorm));
  const terms = distinct(
    told.map(({ item, parts: own, quotes }) => {
      const names = [...own.map(saidOf), ...quotes.map(({ line }) => line)];
      const isSaid = (term: string): boolean => names.some((name) => isCalled([term], name));
      const isKept = (term: string): boolean => (own.length === 0 && PART_WORDS.has(term)) || isSaid(term);
      return distinct([...item.context.filter(isSaid), ...item.terms.filter(isKept)]).join(" ");
    }),
  ).filter((name) => name !== "");
  // In the order of the answer: the second may be asked for.
  const kept = distinctParts([...having.flatMap((finding) => finding.parts), ...parts])
    .filter((part) => meant.has(keyOf(part)))
    .slice(0, MOST_PARTS)
    .map((part) => ({ ...part, rows: part.rows.slice(0, MOST_PLACES) }));
  return {
    models: asked.length > 0 ? asked.slice(0, MOST_MACHINES) : isOfStranger ? [] : (before?.models ?? []),
    former: isAsBefore || (areTheSame && parts.length === before?.parts.length) ? before?.former : before?.parts,
    parts: isAsBefore ? (before?.parts ?? []) : kept,
    terms: terms.length > 0 || !(isAsBefore || (told.length > 0 && areTheSame)) ? terms : (before?.terms ?? []),
    wanted: told.at(-1)?.item.wanted,
    measure: measureAsked(quoted.at(-1)?.item.text ?? "")?.name,
    isOpen,
  };
}

/** Fills in what a question leaves to the answer before it. */
export function followUp(asked: Question, before: Remembered | undefined): Question {
  // `Fine, two sets into the cart`
  const saysNothing = (item: Item): boolean =>
    item.terms.length > 0 &&
    isBare(item, (term) => POLITE.has(term) || (item.count !== undefined && COUNTED_IN.has(term)));
  const items = asked.items
    .filter((item) => !saysNothing(item))
    .map((item) =>
      item.role && item.terms.length === 0 && before
        ? asking({ ...item, terms: (before.terms.at(-1) ?? "").split(" ") }, "")
        : item,
    );
  const question = { ...asked, items };
  const { text, models, asksForCart, asksForOrder, asksForTotal } = question;
  const refers = SAYS.it.test(text);
  const goesOn = refers || SAYS["goes on"].test(text);
  const wanted = wantedOf(text);
  const measure = measureAsked(text);
  const isWish = asksForCart || asksForTotal || wanted !== undefined;
  const asks = measure ? text : isWish ? "" : (before?.measure ?? "");
  const areBare = items.every((item) => isBare(item, (term) => goesOn && before !== undefined && MACHINES.has(term)));
  const isOfOther = models.length > 0;
  if (before && before.terms.length > 0 && (asksForCart || !asksForOrder)) {
    // `Does it fit the other one?` is asked of the part, `and for the other one?` of what it is called.
    const isOfPart = (refers && SAYS["does it fit"].test(text)) || SAYS.list.test(text);
    const isOfMachine = isOfOther && areBare && !isOfPart && (goesOn || !SAYS["known machines"].test(text));
    // `Is it in stock?`, of what was quoted.
    const isOfQuoted = before.measure !== undefined || before.parts.length === 0;
    const isOfBefore = !isOfOther && areBare && (refers || isWish) && isOfQuoted;
    // `And the torque?`, of what was answered.
    const isOfThings =
      measure?.isOfOneThing && (!isOfOther || goesOn) && items.every((item) => isBare(item, isAskingTerm));
    if (isOfMachine || isOfBefore || isOfThings) {
      const now = { wanted: wanted ?? before.wanted ?? "part", models: isOfOther ? models : before.models };
      const bare = { ...bareItem(text), ...now };
      return { ...question, items: before.terms.map((name) => asking({ ...bare, terms: name.split(" ") }, asks)) };
    }
  }
  const isCountOfIt = !isOfOther && SAYS["how many of it"].test(text) && (before?.parts.length ?? 0) > 0;
  if (areBare || isCountOfIt) return aboutBefore(question, before, { refers, goesOn, isWish, isCountOfIt });
  if (isOfOther) return question;
  const isLeftOpen = ({ strangers, mentions, models: own }: Item): boolean =>
    strangers.length + mentions.length + own.length === 0;
  if (!before || before.models.length === 0) {
    if (!SAYS["machine it"].test(text) || !isLeftOpen(items[0]!)) return question;
    return { ...question, isUnclear: true, items: items.slice(1) };
  }
  // Of what was asked for by its number its name says what it is: `is it the round one?`
  const last = before.terms.at(-1)?.split(" ") ?? partTerms(before.parts[0]?.description ?? "");
  // `And the flywheel nut?`, of which the torque is asked as before.
  const isShort = isShortText(text.replace(SAYS["goes on"], "And "));
  const isNext = before.measure !== undefined && SAYS["goes on"].test(text) && !isWish && isShort;
  const filledIn = (item: Item): Item => {
    // `The muffler one`, behind a gasket.
    const named = /\bones?\b/i.test(item.text) ? distinct([...item.terms, ...last.slice(-1)]) : undefined;
    return {
      ...(isNext ? asking(item, asks) : item),
      ...(named && { terms: named, phrases: [named] }),
      models: before.models,
      isOfSession: !goesOn && item.place === undefined,
      // `The other belt` is not what was answered.
      context: /\bother\b/i.test(item.text) ? item.context : [...item.context, ...last],
    };
  };
  return { ...question, items: items.map((item) => (isLeftOpen(item) ? filledIn(item) : item)) };
}

/** A question that names nothing but a machine, or not even that. */
function aboutBefore(
  question: Question,
  before: Remembered | undefined,
  { refers, goesOn, isWish, isCountOfIt }: Record<"refers" | "goesOn" | "isWish" | "isCountOfIt", boolean>,
): Question {
  const { text, models, items, asksForCart, asksForOrder } = question;
  if (asksForOrder && !asksForCart) return question;
  const bare: Item = { ...bareItem(text), models };
  const isOfOne = models.length === 0 && ONE_OF_THEM.test(text);
  const isMeant = models.length > 0 ? goesOn : refers || isWish || isOfOne || isCountOfIt;
  const [row] = before?.parts[0]?.rows ?? [];
  if (row?.figure !== undefined && models.length === 0 && SAYS["in its figure"].test(text))
    return { ...question, items: [{ ...bare, isList: true, place: { figure: row.figure }, models: namesOf([row]) }] };
  if (before && before.parts.length > 0 && isMeant) {
    const parts = isOfOne ? pickedIn(text, before) : togetherIn(text, before);
    if (!parts) return { ...question, items: [], isUnclear: true };
    // By their numbers, so that they are looked up again.
    const mentions = parts.map(({ partNumber, vendor, pnNorm }, at) => {
      const typed = vendor === undefined ? partNumber : `${vendor} ${partNumber}`;
      return { text: typed, pnNorm, from: at, to: at + 1, number: at };
    });
    const of = models.length > 0 ? models : before.models;
    return { ...question, items: [{ ...bare, mentions, numbersTyped: mentions.length, models: of }] };
  }
  const isOfAll =
    (isShortText(text) || SAYS.list.test(text) || SAYS["known machines"].test(text) || isStatement(text)) &&
    wantedOf(text) !== "offer" &&
    !SAYS["no part"].test(text);
  if (models.length > 0 && isOfAll) return { ...question, items: [{ ...bare, isList: true }] };
  return { ...question, items: [], isUnclear: refers && (isWish || items.length > 0) };
}

function isShortText(text: string): boolean {
  return text.split(/\s+/).length <= MOST_WORDS_OF_A_LIST;
}

/** The parts that were answered last, with those before them if it is of both; undefined if more are meant. */
function togetherIn(text: string, { parts, former = [] }: Remembered): readonly FoundPart[] | undefined {
  if (parts.length === 1 && SAYS["of two"].test(text)) return distinctParts([...former, ...parts]);
  const all = Number(/\ball (?:of the )?(\d)\b/i.exec(text)?.[1] ?? 0);
  const isOfMany = parts.some(({ rows }) => rows.some(({ quantity = 1 }) => quantity >= all));
  return all <= parts.length || isOfMany ? parts : undefined;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const ONE_OF_THEM = new RegExp(
  `\\b(?:the|that) (?:(${ORDINALS.join("|")})|last|other)(?= (?:one|part|of|in|into|to|for|please)\\b|\\W*$)`,
  "i",
);

/** `The second one` of those that were answered, `the other` of two. */
function pickedIn(text: string, { parts, former = [], terms }: Remembered): FoundPart[] | undefined {
  const all = parts.length === 1 && former.length > 0 ? (former.length > 1 ? former : [...former, ...parts]) : parts;
  const at = ORDINALS.indexOf(ONE_OF_THEM.exec(text)?.[1]?.toLowerCase() ?? "");
  // Of several things that were asked for it is the second thing, with all parts that are called so.
  const thing = terms.length > 1 ? terms.at(at)?.split(" ") : undefined;
  const picked = thing
    ? [parts, former].map((some) => some.filter((part) => isCalled(thing, saidOf(part))))
    : [all.slice(at).slice(0, 1)];
  return picked.find((some) => some.length > 0);
}

/** @param isNothing of a term that names nothing */
function isBare({ terms, mentions, place, strangers }: Item, isNothing = (_term: string): boolean => false): boolean {
  return terms.every(isNothing) && mentions.length + strangers.length === 0 && place === undefined;
}

/** What is asked of the thing, as if it were asked in one question. @param asks a measure, or nothing */
function asking(item: Item, asks: string): Item {
  const terms = distinct([...item.terms, ...partTerms(asks).filter(isAskingTerm)]);
  return { ...item, text: `${item.terms.join(" ")} ${asks}`, terms, phrases: [item.terms] };
}

const POLITE = listOf("polite");
const COUNTED_IN = listOf("counted in");

/** A text that is nothing but politeness: a yes to the question for store links, or what is said to it. */
export function politenessOf(query: string): "yes" | { remark: string } | undefined {
  const text = fold(cleanText(query)).replace(/^[¡¿\s]+/, "");
  const words = text.match(/[^\s,.!¡¿-]+/g) ?? [];
  if (text.length > 200 || !words.every((word) => POLITE.has(word))) return undefined;
  if (SAYS.no.test(text)) return { remark: "All right. Ask about a part or an equipment whenever you like." };
  // `Ok thanks` says yes to nothing.
  if (SAYS.thanks.test(text) && !SAYS.assents.test(text)) return { remark: "You are welcome." };
  return (SAYS.yes.test(text) || SAYS["asks for links"].test(text)) && !SAYS["is no yes"].test(text)
    ? "yes"
    : undefined;
}
