import { cleanText } from "@partline/parts-language";
import { inEnglish } from "./languages.ts";
import { MOST_NUMBERS, type NumberMention } from "./numbers.ts";
import { MACHINE, MACHINE_MARK, partTerms, readPiece, type NearName, type Piece, type Stranger } from "./piece.ts";
import type { MachineMention } from "./port.ts";
import { withSpokenNames } from "../spoken-names.ts";
import {
  isAskingTerm,
  listOf,
  MACHINES,
  measureAsked,
  roleIn,
  SAYS,
  SYMPTOMS,
  WANTED,
  type Symptom,
  type Wanted,
} from "./vocabulary.ts";

/** One thing that a question asks for. */
export interface Item extends Piece {
  wanted: Wanted;
  models: string[];
  /** Parts that a symptom often comes from. */
  symptom?: Symptom;
  /** What does something to the thing that is named is asked for, and not the thing. */
  role?: Symptom;
  /** `The cheapest air filter`: it is compared by itself. */
  isPicked?: boolean;
  /** The machine is that of the conversation, not of the question. */
  isOfSession?: boolean;
  /** It is a statement beside the question, which may name no part. */
  isTold?: boolean;
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
  asksForCart: boolean;
  asksForMachines: boolean;
  asksForTotal: boolean;
}

const MOST_ITEMS = 10;
/** Characters of a clause in which a symptom is looked for. */
const LONGEST_SYMPTOM = 300;

/** What introduces a list keeps its colon, a question its mark. */
const CLAUSE_END = /(?<=\?)\s*(?!\?)|[!;]+\s*|\.\s+(?=[\p{Lu}\uE000-\uE7FF])|\.\s*$/u;
const PIECE_END =
  /(?<=:)\s+(?!\d)|\s*,\s*(?:(?:and|or|plus)\s+)?(?:also\s+)?|\s+(?:and|or|plus|but|as well as|along with|with(?= (?:both|all|\d+)\b)|then)\s+(?:also\s+)?|(?<!\b(?:is|are|was|it|this|that))\s+(?=(?:not|without) (?:the|my|its)\b)|\s+[&+]\s+|\s+[-–—]\s+(?=(?:how|what|which|where|is|are|do|does|can|qty|price|any)\b)|(?<=\b(?:cheaper|expensive))\s+than\s+/i;
/** `What goes between the carburetor and the manifold` */
const BETWEEN = /\bbetween\b/i;
/** Behind a colon stands more than equipment. */
const NAMES_MORE = /^[^:]*:.*\p{Ll}{3}/u;
const YEAR = /\(?\b(?:19|20)\d\d\b\)?/.source;
/** Said of a machine beside its name: power, a serial number, a year. */
const ASIDES = new RegExp(
  `\\b(?:with (?:an? )?)?\\d+(?:\\.\\d+)?\\s*-?\\s*(?:hp|horse ?power)\\b(?:\\s+(?:engine|motor))?|\\b(?:serial(?:\\s+(?:no\\.?|number|num|#))?|s\\/n|sn)\\s*:?\\s*#?\\s*[A-Z0-9-]*\\d[A-Z0-9-]{3,}|${YEAR}(?=\\s*(?:\\w+\\s+){0,2}[\\uE000-\\uE3FF])|(?<=[\\uE000-\\uE3FF]\\s*)(?:from\\s+)?${YEAR}|\\b(?:in|since|until|around)\\s+${YEAR}`,
  "gi",
);
/** `2014 Honda GX390` */
const YEAR_OF_STRANGER = new RegExp(`${YEAR}(?=\\s+(?:[a-z]+\\s+){0,2}[a-z]{1,4}-?\\d{2,5}[a-z]{0,2}(?:\\s|$))`, "gi");
const COUNTS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const WRITTEN_COUNT = new RegExp(`\\b(?:${COUNTS.join("|")})\\b(?! (?:stroke|cycle|stage|piece))`, "gi");
/** `Ok, chuck three of them into my cart` */
const CART_VERB =
  /(?<!\p{L})(?!(?:in|into|to|for|of|on|with|and|or)\b)\p{L}+(?= (?:an?|the|one|some|it|them|these|those|this|that|\d+)\b.*\b(?:cart|basket|trolley)\b)/iu;

/** A question as it is read: plain characters, English words, counts in digits. */
export function plainQuestion(query: string): string {
  // Our own SKU is a number behind its vendor's code.
  const plain = withSpokenNames(cleanText(query))
    .replace(/[¿¡]/g, " ")
    .replace(/(?<=\s)'?n'?(?=\s)/g, "and")
    .replace(/(?<=\s)w\/(o?)(?=\s)/gi, (_, out: string) => (out === "" ? "with" : "without"))
    .replace(/\bCT-([A-Z]{3})-(?=\S*\d)/gi, "$1 ");
  const english = inEnglish(plain).replace(WRITTEN_COUNT, (word) => String(COUNTS.indexOf(word.toLowerCase()) + 2));
  return SAYS.cart.test(english) ? english.replace(CART_VERB, "add").replace(/\btrolley\b/i, "cart") : english;
}

/** What machines are known by, and no part is. */
const KNOWN_BY = listOf("known by");

/** A thing that is asked for, and which piece of the text it is. */
interface Draft extends Item {
  clause: number;
  at: number;
}

interface NamedMachines {
  clause: number;
  at: number;
  models: string[];
}

/** @param text as `plainQuestion` has it @param mentions where it names equipment */
export function readQuestion(text: string, mentions: readonly MachineMention[]): Question {
  const { masked, modelsIn, near, meant } = withMarks(text, mentions);
  const clauses = masked
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
  const isAsked = clauses.some(asks);
  const items: Draft[] = [];
  const machines: NamedMachines[] = [];
  /** Equipment that no manual is of, named beside what is asked for. */
  const elsewhere: Stranger[] = [];
  /** What is asked where nothing but equipment, or nothing at all, is named. */
  let wantedOfAll: Wanted | undefined;
  let at = 0;
  for (const [clauseAt, written] of clauses.entries()) {
    const clause = written.replace(/\?+$/, "");
    let wantedBefore: Wanted | undefined;
    // A clause may have hundreds of pieces.
    const isSaid = isStatement(clause);
    const isAsking = asks(written);
    const namesMore = NAMES_MORE.test(clause);
    const isOffer = wantedOf(clause) === "offer";
    const symptom = symptomIn(clause);
    const isWhole = symptom !== undefined || (BETWEEN.test(clause) && roleIn(clause) !== undefined);
    for (const said of isWhole ? [clause] : clause.split(PIECE_END).map((each) => each.trim())) {
      if (said === "") continue;
      at += 1;
      const role = symptom ? undefined : roleIn(said);
      const piece = role ? said.replace(role.asked, " ") : said;
      const models = modelsIn(piece);
      const wanted = wantedOf(piece);
      const read = readPiece(piece, near);
      const { terms, context, strangers, place } = read;
      const before = machines.at(-1);
      const isBehindMachine = before?.clause === clauseAt && before.at === at - 1;
      // What the shop has, and costs, is rather a part's number; `for the GT-2254 and LX-500` is none.
      for (const stranger of strangers)
        if (isOffer) stranger.isMachine = false;
        else if (isBehindMachine && terms.length === 0) stranger.isMachine = true;
      const strange = strangers.filter(isStrangeMachine);
      const isNumbered = read.mentions.length > 0 || place !== undefined;
      const isName = ({ text: typed }: NumberMention): boolean =>
        strange.some(({ name }) => name.includes(typed) || typed.endsWith(name));
      const isMachineAlone =
        terms.length === 0 &&
        place === undefined &&
        models.length + strange.length > 0 &&
        read.mentions.every(isName) &&
        (context.length === 0 || isSaid);
      // `Carburetor for the GT-2254 and the ZT 3000`
      if (isMachineAlone && isBehindMachine)
        Object.assign(before, { at, models: distinct([...before.models, ...models]) });
      else if (models.length > 0) machines.push({ clause: clauseAt, at, models });

      if (SAYS.unwanted.test(piece) && !isNumbered) continue;
      const ofClause = items.filter((item) => item.clause === clauseAt);
      const last = ofClause.at(-1);
      // `HM-722D muffler stud, how many foot pounds?`
      if (last && terms.length > 0 && !isNumbered && models.length === 0 && terms.every(isAskingTerm)) {
        last.text = `${last.text} ${read.text}`;
        if (measureAsked(read.text)) last.terms = distinct([...last.terms, ...terms]);
        continue;
      }
      if (place && last?.place && terms.length + read.mentions.length === 0) {
        last.place = { ...last.place, ...place };
        continue;
      }
      // The machine itself is asked for, or about: `which mowers does it fit`, `what engine does the GT-2254 have`.
      const asksForMachine = wanted === "fitment" && models.length === 0 && terms.every((term) => MACHINES.has(term));
      const isThing = (terms.length > 0 && !asksForMachine) || isNumbered || role !== undefined;
      // `Tune up: air filter, spark plug`
      const isHeading = said.endsWith(":") && clause.startsWith(said) && namesMore && !asks(said);
      const isStory = isAsked && (isAsking ? isStatement(piece) : isSaid);
      const isTold = !isNumbered && (isHeading || isStory);
      if (!role && (isMachineAlone || (!isThing && (asksForMachine || context.length === 0)))) {
        if (isMachineAlone) elsewhere.push(...strange);
        else for (const item of isTold ? [] : items) item.count ??= read.count;
        for (const item of ofClause.length > 0 || isMachineAlone ? ofClause : items) {
          item.wanted = moreOf(item.wanted, wanted ?? item.wanted);
          if (SAYS["part number"].test(piece) || measureAsked(piece)) item.text += ` ${read.text}`;
        }
        // `I think the fuel solenoid is dead because it backfires. What is its number?`
        if (isAsking && ofClause.length === 0 && SAYS.it.test(piece)) {
          const before = items.at(-1)?.clause;
          for (const item of items.filter(({ clause: of, isTold: told }) => told && of === before))
            Object.assign(item, { isTold: false, symptom: undefined });
        }
        wantedBefore = wanted ?? wantedBefore;
        wantedOfAll ??= wanted;
        continue;
      }
      const named = asksForMachine ? [] : terms;
      const item: Draft = {
        ...read,
        terms: named,
        ...(named.length === 0 && !isNumbered && !read.isList && { terms: context, phrases: [context], context: [] }),
        wanted: wanted ?? wantedBefore ?? "part",
        models: [],
        clause: clauseAt,
        at,
        ...(symptom && { symptom }),
        ...(role && { role, head: undefined }),
        ...(isTold && { isTold }),
        ...(SAYS["cheapest thing"].test(piece) && { isPicked: true }),
      };
      wantedBefore = item.wanted;
      const former = items.at(-1);
      if (former && isNumbersAlone(item) && isNumbersAlone(former) && !machines.some((each) => each.at === former.at))
        joinNumbers(former, item);
      else if (items.length < MOST_ITEMS) items.push(item);
    }
  }
  const all = namesOf(meant.flatMap((mention) => mention.models));
  if (items.length === 0 && (elsewhere.length > 0 || wantedOfAll !== undefined))
    items.push({ ...bareItem(text), clause: 0, at: 0 });
  const asksForTotal = SAYS.total.test(text);
  // `Total cost: a carburetor, an air filter`
  if (asksForTotal) wantedOfAll = "offer";
  const isOfAll = items.every(({ wanted }) => wanted === "part");
  const isEachPicked = SAYS.cheapest.test(text) && items.every(({ isPicked }) => !isPicked);
  // `I've got a Toro, which oil filter?`
  const owned = distinct(items.flatMap((item) => item.owned));
  const isOwner = ({ terms, mentions: own }: Item): boolean =>
    own.length === 0 && terms.length > 0 && terms.every((term) => owned.includes(term));
  const asked = items.every(isOwner) ? items : items.filter((item) => !isOwner(item));
  const maker = meant.find(({ how }) => how === "maker");
  for (const item of asked) {
    if (isOfAll) item.wanted = wantedOfAll ?? "part";
    item.models = items.length === 1 ? all : machinesOf(item, machines, all);
    item.owned = owned;
    if (maker) item.maker = partTerms(text.slice(maker.from, maker.to));
    if (isEachPicked && (item.wanted === "offer" || item.wanted === "part")) item.isPicked = true;
    // `Spindle shaft and a nut`, `deck and drive belts`: the nut is rather the spindle's, the deck's is a belt.
    const beside = items.filter((other) => other.clause === item.clause && other !== item);
    const behind = beside.find((other) => other.at === item.at + 1 && other.terms.length > 1);
    const around = beside.flatMap((other) => (other.at < item.at ? other.terms : []));
    // `The idler arm spring is worn. Which spring do I need?`
    const said = items.flatMap((other) => (other.isTold && other.terms.includes(item.terms[0]!) ? other.terms : []));
    if (item.terms.length === 1)
      item.context.push(
        ...around,
        ...(behind?.terms.slice(-1) ?? []),
        ...said.filter((term) => term !== item.terms[0]),
      );
    if (item.strangers.length === 0 || item.mentions.length > 0)
      item.strangers.push(...elsewhere.filter(({ name }) => item.strangers.every((other) => other.name !== name)));
  }
  return {
    text,
    items: asked.map(({ clause: _, at: __, ...item }) => item),
    models: all,
    guessed: namesOf(meant.flatMap(({ how, models }) => (how === "part" || how === "maker" ? models : []))),
    isUnclear: false,
    asksForCart: SAYS.cart.test(text),
    asksForOrder: SAYS.orders.test(text) || /^(?!(?:do|can) you).*\b(?:ship|send|deliver)\b.*\bto \p{Lu}/u.test(text),
    asksForMachines:
      SAYS["known machines"].test(text) &&
      !meant.some(({ how }) => how === "named") &&
      asked.every(({ mentions: own, terms }) => own.length === 0 && terms.every((term) => KNOWN_BY.has(term))),
    asksForTotal,
  };
}

/** The text with a mark for each machine that is known, without what is said of it beside its name. */
function withMarks(text: string, mentions: readonly MachineMention[]) {
  const others = mentions.filter(({ how }) => how !== "maker");
  // Manufacturers alone say which machine is meant where nothing else does.
  const known = others.length > 0 || /\p{L}-?\d{2}|\d{3}/u.test(text) ? others : mentions;
  const meant = known.filter(({ how }) => how !== "near");
  const makers = meant.flatMap(({ how, models }) => (how === "maker" ? [] : models.map((model) => model.manufacturer)));
  const isMaker = ({ how, models }: MachineMention): boolean =>
    how === "maker" && models.some(({ manufacturer }) => makers.includes(manufacturer));
  let masked = text;
  for (const { from, to } of mentions.filter(isMaker))
    masked = masked.slice(0, from) + " ".repeat(to - from) + masked.slice(to);
  for (const [at, { from, to }] of [...meant.entries()].reverse())
    masked = `${masked.slice(0, from)} ${String.fromCodePoint(MACHINE + at)} ${masked.slice(to)}`;
  masked = masked.replace(MACHINE_MARK.test(masked) ? ASIDES : YEAR_OF_STRANGER, " ");
  const near: NearName[] = known
    .filter(({ how }) => how === "near")
    .map(({ from, to, models }) => ({ text: text.slice(from, to), models: namesOf(models) }));
  const modelsIn = (piece: string): string[] =>
    namesOf([...piece].flatMap((mark) => meant[(mark.codePointAt(0) ?? 0) - MACHINE]?.models ?? []));
  return { masked, modelsIn, near, meant };
}

function symptomIn(clause: string): Symptom | undefined {
  const wanted = wantedOf(clause) ?? "part";
  if (wanted !== "part" && wanted !== "offer") return undefined;
  return SYMPTOMS.find(({ asked }) => asked.test(clause.slice(0, LONGEST_SYMPTOM)));
}

export function wantedOf(text: string): Wanted | undefined {
  return WANTED.find(({ asked }) => asked.test(text))?.wanted;
}

/** Whether a text says that something is wanted. */
function asks(text: string): boolean {
  return SAYS.wishes.test(text) || wantedOf(text) !== undefined;
}

/** A name that is an equipment's, and no number of a part. */
export function isStrangeMachine({ isMachine, near }: Stranger): boolean {
  return isMachine || near.length > 0;
}

/** It says what somebody has, or what happened, and asks nothing. */
export function isStatement(text: string): boolean {
  return SAYS.tells.test(text) && !asks(text);
}

/** Its own machines, those behind it in its clause, those before it there, or all of the clause before. */
function machinesOf({ at, clause }: Draft, machines: readonly NamedMachines[], all: string[]): string[] {
  const inClause = machines.filter((named) => named.clause === clause);
  const own = inClause.find((named) => named.at >= at) ?? inClause.at(-1);
  const before = machines.findLast((named) => named.clause < clause)?.clause;
  const ofClause = machines.filter((named) => named.clause === before).flatMap(({ models }) => models);
  return own?.models ?? (before === undefined ? all : distinct(ofClause));
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

function joinNumbers(into: Draft, item: Draft): void {
  into.at = item.at;
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

/** What asks for something, and names nothing. */
export function bareItem(text: string): Item {
  const { count } = readPiece(text, []);
  return { ...readPiece("", []), text, wanted: wantedOf(text) ?? "part", models: [], ...(count && { count }) };
}

export function namesOf(machines: readonly { equipment: string }[]): string[] {
  return distinct(machines.map(({ equipment }) => equipment));
}

export function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
