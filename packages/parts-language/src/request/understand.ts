import { getAt } from "@partline/toolkit";
import { dropUnmeant, findUnmeant, isMaker, writeOver } from "../words/clauses.ts";
import { isDescribing } from "../words/shopper-words.ts";
import { getLines, getWordSet, MACHINES, OPPOSITES, PART_WORDS, SAYS, type Symptom } from "../words/vocabulary.ts";
import { type Draft, type Drafts, type NamedMachines, readClauses } from "./drafts.ts";
import { createBareItem, deduplicate, type Item } from "./item.ts";
import { listModelNames, type MachineMention, markMachines } from "./marks.ts";
import { extractPartTerms } from "./piece.ts";
import { readWishes, type Wishes } from "./wishes.ts";

/** What a text asks for. */
export interface Request extends Omit<Wishes, "text"> {
  text: string;
  /** The text with a mark for each machine. */
  maskedText: string;
  /** ISO 639-1. */
  language: string;
  items: Item[];
  models: string[];
  /** Equipment that was named by a part of its name. */
  guessed: string[];
  /** It asks whether a list is for a machine with this serial number. */
  serial?: string;
  /** It leaves to an answer before it what only that could say, and there was none. */
  isUnclear: boolean;
  asksForOrder: boolean;
  asksForCart: boolean;
  asksForMachines: boolean;
  asksForTotal: boolean;
}

/**
 * Understands what a text asks for: wishes that hold for all of it, machines, then clause by clause the things.
 * @param normalized from `normalizeQuestion` @param mentions where it names equipment
 */
export function understand(normalized: string, mentions: readonly MachineMention[], language = "en"): Request {
  const { text, mentions: meantMentions, wishes } = readMeant(normalized, mentions);
  const marked = markMachines(text, meantMentions);
  const drafts = readClauses(marked);
  const models = listModelNames(marked.mentions.flatMap((mention) => mention.models));
  shareFigure(drafts.items);
  const { constraints, task } = wishes;
  const otherPart = findOther(drafts.items, text);
  let items = otherPart ? [otherPart.item] : drafts.items;
  if (items.length === 0 && (drafts.unknownMachines.length > 0 || drafts.wantedOfAll || constraints.numberParts))
    items = [createBareDraft(text)];
  if (task?.name === "service" && items.every(isOfService))
    items = [createServiceDraft(items[0] ?? createBareDraft(text), task.hours)];
  const serial = SAYS["is it covered"].test(text) ? SERIAL.exec(text)?.slice(1).find(Boolean) : undefined;
  if (serial !== undefined) items = [createSerialDraft(), ...items.filter(isOfPart)];
  const numbered = items.filter((item) => item.mentions.length > 0);
  // `790536 is in. Which other gaskets are in that figure?`
  const isInFigure = numbered.length === 1 && SAYS["in its figure"].test(normalized);
  if (isInFigure) {
    const context = items.flatMap((item) => (numbered.includes(item) ? [] : item.terms));
    items = numbered.map((item) => ({ ...item, context, models }));
  }
  const asksForTotal = wishes.isBudget || SAYS.total.test(text);
  // `Total cost: a carburetor, an air filter`
  if (asksForTotal) drafts.wantedOfAll = "offer";
  const maker = marked.mentions.find(({ how }) => how === "maker");
  const askedItems = settleItems({ ...drafts, items }, models, text, maker);
  return {
    ...wishes,
    ...(isInFigure && { task: { name: "companions" as const } }),
    constraints: { ...constraints, without: [...constraints.without, ...(otherPart?.without ?? [])] },
    ...(serial !== undefined && { serial }),
    text,
    maskedText: marked.masked,
    language,
    items: askedItems.map(({ clause: _, pieceIndex: __, ...item }) => item),
    models,
    guessed: listModelNames(
      marked.mentions.flatMap((mention) => (["part", "maker"].includes(mention.how) ? mention.models : [])),
    ),
    isUnclear: false,
    asksForCart: SAYS.cart.test(text),
    asksForOrder: SAYS.orders.test(text),
    asksForMachines:
      SAYS["known machines"].test(text) &&
      !marked.mentions.some(({ how }) => how === "named") &&
      askedItems.every((item) => item.mentions.length === 0 && item.terms.every((term) => KNOWN_BY.has(term))),
    asksForTotal,
  };
}

/** What machines are known by, and no part is. */
const KNOWN_BY = getWordSet("known by");
/** In place of a machine's name. */
const HIDDEN = "\uF8FF";
/** `Serial number L21004455`, `L21004455 is the serial number` */
const SERIAL =
  /\b(?:serial|s\/?n)\b[^\d,;?]{0,20}?([A-Z]{0,3}\d[\dA-Z-]{3,})|\b([A-Z]{0,3}\d[\dA-Z-]{5,})\b[^\d,;?]{0,20}\bserial\b/i;

interface MeantText {
  text: string;
  mentions: readonly MachineMention[];
  wishes: Omit<Wishes, "text">;
}

/** Reads the wishes of a text, and leaves out what only says them and what is taken back. */
function readMeant(normalized: string, mentions: readonly MachineMention[]): MeantText {
  // A machine's name is no wish, `without halogen Boomer 47`, and its `18 HP` no size of a part; unless it is the
  // unwanted one.
  const hiddenMentions = mentions.filter(
    ({ from, how }) => how !== "maker" && findUnmeant(normalized, from) === undefined,
  );
  const { text: unnamedText, ...wishes } = readWishes(
    writeOver(normalized, hiddenMentions, ({ from, to }) => HIDDEN.repeat(to - from)),
  );
  const wishedText = writeOver(unnamedText, hiddenMentions, ({ from, to }) => normalized.slice(from, to));
  const isSaid = ({ from, to }: MachineMention): boolean => wishedText.slice(from, to).trim() !== "";
  const { unfit, ...reading } = dropUnmeant(wishedText, mentions.filter(isSaid));
  const fitsNone = listModelNames(unfit.flatMap(({ models }) => models));
  return {
    ...reading,
    wishes: { ...wishes, constraints: { ...wishes.constraints, ...(fitsNone.length > 0 && { fitsNone }) } },
  };
}

/** `Items 3 and item 4 of figure 8` */
function shareFigure(items: readonly Draft[]): void {
  const figure = items.findLast((item) => item.place?.figure !== undefined)?.place?.figure;
  for (const item of items) if (item.place && figure !== undefined) item.place = { figure, ...item.place };
}

/** `Coil 48679-0368 is the left one. What is the right-hand one?`: a coil, and not that one. */
function findOther(items: readonly Draft[], text: string): { item: Draft; without: string[] } | undefined {
  const [namedItem] = items;
  if (!namedItem || items.length > 1) return undefined;
  const rest = text.slice(text.lastIndexOf(namedItem.mentions.at(-1)?.text ?? ""));
  const place = namedItem.terms.find((term) => OPPOSITES.has(term));
  const opposite = OPPOSITES.get(place ?? "");
  const nouns = namedItem.terms.filter((term) => !isDescribing(term));
  const isOther =
    SAYS["the other"].test(rest) ||
    /\bthe other side\b/i.test(rest) ||
    (opposite !== undefined && new RegExp(`\\bthe ${opposite}\\b(?! ${place}\\b)`, "iu").test(rest));
  if (namedItem.mentions.length === 0 || nouns.length === 0 || !isOther) return undefined;
  const terms = [...nouns, ...(opposite === undefined ? [] : [opposite])];
  const { head: _, ...item } = {
    ...namedItem,
    text: rest,
    terms,
    phrases: [terms],
    mentions: [],
    numbersTyped: 0,
    unknownNames: [],
  };
  return { item, without: namedItem.mentions.map(({ pnNorm }) => pnNorm) };
}

function createBareDraft(text: string): Draft {
  return { ...createBareItem(text), clause: 0, pieceIndex: 0 };
}

/** Parts that a service changes, the first ones first. */
const SERVICE_PARTS = getLines("service parts");
const SERVICE_WORDS = getWordSet("service words");

function isOfService({ mentions, terms, place }: Item): boolean {
  return mentions.length === 0 && !place && terms.every((term) => !PART_WORDS.has(term) || SERVICE_WORDS.has(term));
}

/** `What do I need for the 100 hour service`: parts that it changes, and what the manual says of it. */
function createServiceDraft({ head: _, ...draft }: Draft, hours: number | undefined): Draft {
  const interval =
    hours === undefined ? "\\b(?:hours?|hrs?|maintenance|service)\\b" : `\\b${hours}\\b.{0,12}\\b(?:hours?|hrs?|h)\\b`;
  const symptom: Symptom = { asked: new RegExp(interval, "i"), parts: SERVICE_PARTS, isService: true };
  return { ...draft, terms: [], phrases: [], context: [], symptom, isTold: false };
}

function createSerialDraft(): Draft {
  return { ...createBareDraft(""), text: "serial numbers of the list", terms: ["serial"] };
}

function isOfPart({ terms, isTold }: Item): boolean {
  return !isTold && terms.some((term) => PART_WORDS.has(term) && term !== "cover");
}

/**
 * Settles what each thing takes from the others and from the whole text.
 * @returns what is asked for, not what is owned
 */
function settleItems(
  { items, machines, unknownMachines, wantedOfAll }: Drafts,
  allModels: string[],
  text: string,
  maker: MachineMention | undefined,
): Draft[] {
  const isOfAll = items.every(({ wanted: intent }) => intent === "part");
  const isEachPicked = SAYS.cheapest.test(text) && items.every(({ isPicked }) => !isPicked);
  // `I've got a Toro, which oil filter?`
  const owned = deduplicate(items.flatMap((item) => item.owned));
  const isOwner = ({ terms, mentions }: Item): boolean =>
    mentions.length === 0 &&
    terms.length > 0 &&
    terms.every((term) => isMaker(term) || (owned.includes(term) && (MACHINES.has(term) || !PART_WORDS.has(term))));
  const askedItems = items.every(isOwner) ? items : items.filter((item) => !isOwner(item));
  for (const item of askedItems) {
    if (isOfAll) item.wanted = wantedOfAll ?? "part";
    item.models = items.length === 1 ? allModels : resolveMachines(item, items, machines, allModels);
    item.owned = owned;
    if (maker) item.maker = extractPartTerms(text.slice(maker.from, maker.to));
    if (isEachPicked && (item.wanted === "offer" || item.wanted === "part")) item.isPicked = true;
    if (item.terms.length === 1) item.context.push(...listNeighbourTerms(item, items));
    if (item.unknownNames.length === 0 || item.mentions.length > 0) item.unknownNames.push(...unknownMachines);
  }
  return askedItems;
}

/** Lists terms of the things beside one that a single word names, which may be theirs. */
function listNeighbourTerms(item: Draft, items: readonly Draft[]): string[] {
  // `Spindle shaft and a nut`: the nut is rather the spindle's.
  const preceding = items.filter(
    (otherItem) => otherItem.pieceIndex < item.pieceIndex && (otherItem.isTold || otherItem.clause === item.clause),
  );
  // `The bolt and the washer of the blade`
  const next = items.find(
    (otherItem) => otherItem.clause === item.clause && otherItem.pieceIndex === item.pieceIndex + 1,
  );
  const nextTerms = next?.head === undefined ? [] : next.terms.filter((term) => term !== next.head);
  return [...preceding.flatMap(({ terms }) => terms), ...nextTerms];
}

const OF_TWO = /\bfor the (?:(first|former)|second|latter)(?: one)?\b(?! \p{L})/iu;

/** Resolves an item's machines: its own, the next ones in its clause, the ones before, or all of the clause before. */
function resolveMachines(
  { pieceIndex, clause, text }: Draft,
  items: readonly Draft[],
  machines: readonly NamedMachines[],
  allModels: string[],
): string[] {
  if (SAYS["for all of them"].test(text)) return allModels;
  const [ordinal, isFirst] = allModels.length === 2 ? (OF_TWO.exec(text) ?? []) : [];
  if (ordinal !== undefined) return [getAt(allModels, isFirst === undefined ? 1 : 0)];
  const inClause = machines.filter((machine) => machine.clause === clause);
  // `A has a GT-2254 and needs a belt, B has an HM-722D and needs a blade`
  const isAhead = items.every(
    (item) => item.clause !== clause || item.pieceIndex > (inClause[0]?.pieceIndex ?? Infinity),
  );
  const precedingMachine = isAhead ? inClause.findLast((machine) => machine.pieceIndex < pieceIndex) : undefined;
  const nearest = precedingMachine ?? inClause.find((machine) => machine.pieceIndex >= pieceIndex) ?? inClause.at(-1);
  const previousClause = machines.findLast((machine) => machine.clause < clause)?.clause;
  const clauseModels = machines.filter((machine) => machine.clause === previousClause).flatMap(({ models }) => models);
  return nearest?.models ?? (previousClause === undefined ? allModels : deduplicate(clauseModels));
}
