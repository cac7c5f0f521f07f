import { getAt, memoizeRecent } from "@partline/toolkit";
import { cleanText } from "../safe-words.ts";
import {
  isMaker,
  dropCorrected,
  dropIntroductions,
  dropUnmeant,
  findUnmeant,
  markCutNumbers,
  writeOver,
  writeShared,
  writeTyped,
} from "../words/clauses.ts";
import { readLanguage } from "../words/languages.ts";
import { nameUnnamed } from "../words/descriptions.ts";
import { MOST_NUMBERS, type NumberMention } from "../words/number-mentions.ts";
import {
  findMeasure,
  findRole,
  getLines,
  isAskingTerm,
  getWordSet,
  type Intent,
  INTENTS,
  MACHINES,
  MOST_REMEMBERED,
  OPPOSITES,
  PART_WORDS,
  SAYS,
  type Symptom,
  SYMPTOMS,
} from "../words/vocabulary.ts";
import {
  MACHINE,
  MACHINE_MARK,
  MACHINE_MARKS,
  extractPartTerms,
  readPiece,
  type NearName,
  type Piece,
  type UnknownName,
} from "./piece.ts";
import type { Order } from "../order.ts";
import { type Constraints, readWishes, type Wishes } from "./wishes.ts";
import { isDescribing } from "../words/shopper-words.ts";
import { readLinks } from "../words/split-words.ts";
import { writeCounts, writeSpoken, writeSpokenNames } from "../words/spoken.ts";

/** Where a text names machines. */
export interface MachineMention {
  from: number;
  to: number;
  models: { equipment: string; manufacturer?: string }[];
  /**
   * `named`: in full, in any spelling. `part`: a beginning of its name, or its digits alone. `near`: a slip or two
   * away, and maybe another machine. `maker`: its manufacturer alone, with all of its models.
   */
  how: "named" | "part" | "near" | "maker";
}

/** One thing that a question asks for. */
export interface Item extends Piece {
  wanted: Intent;
  models: string[];
  /** The whole question in its own language, if that is not English: manuals may be in it. */
  typed?: string;
  /** Parts that a symptom often comes from. */
  symptom?: Symptom;
  /** What does something to the thing that is named is asked for, and not the thing. */
  role?: Symptom;
  /** `The cheapest air filter`: it is compared by itself. */
  isPicked?: boolean;
  /** What comes first of several; what they must be. Those of the whole question. */
  order?: Order;
  constraints?: Constraints;
  /** The machine is that of the conversation, not of the question. */
  isOfSession?: boolean;
  /** It is a statement beside the question, which may name no part. */
  isTold?: boolean;
  /** Of the machine, where nothing else says which it is: terms. */
  maker?: string[];
}

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

const MOST_ITEMS = 10;
/** An e-mail says early what it is about. Characters, and pieces. */
const LONGEST_READ = 8_000;
const MOST_PIECES = 40;
/** Characters of a clause in which a symptom is looked for. */
const LONGEST_SYMPTOM = 300;

/** What introduces a list keeps its colon, a question its mark. */
const CLAUSE_END = /(?<=^|\s)\(?\d\)\s+|(?<=\?)\s*(?!\?)|[!;]+\s*|\.\s+(?=[\p{Lu}\uE000-\uE7FF])|\.\s*$/u;
const PIECE_END =
  /(?<=:)\s+(?!\d)|\s*,\s*(?:(?:and|or|plus)\s+)?(?:also\s+)?|\s+(?:and|or|plus|but|as well as|along with|with(?= (?:both|all|\d+)\b)|then)\s+(?:also\s+)?|(?<!\b(?:is|are|was|it|this|that))\s+(?=(?:not|without) (?:the|my|its)\b)|\s+[&+]\s+|\s+[-–—]\s+(?=(?:how|what|which|where|is|are|do|does|can|qty|price|any)\b)|\s\/\s|(?<=\b(?:cheaper|expensive|longer|shorter|bigger|larger|smaller|wider|stronger)|\b(?:more|fewer)(?: [a-z-]+){1,3})\s+than\s+/i;
/** `What goes between the carburetor and the manifold` */
const BETWEEN = /\bbetween\b/i;
const YEAR = /\(?\b(?:19|20)\d\d\b\)?/.source;
/** Said of a machine beside its name: power, a serial number, a year. */
const ASIDES = new RegExp(
  `\\b(?:with (?:an? )?)?\\d+(?:\\.\\d+)?\\s*-?\\s*(?:hp|horse ?power)\\b(?:\\s+(?:engine|motor))?|\\b(?:serial(?:\\s+(?:no\\.?|number|num|#))?|s\\/n|sn)\\s*(?:is\\s+|of\\s+)?:?\\s*#?\\s*[A-Z0-9-]*\\d[A-Z0-9-]{3,}|${YEAR}(?=\\s*(?:\\w+\\s+){0,2}[\\uE000-\\uE3FF])|(?<=[\\uE000-\\uE3FF]\\s*)(?:from\\s+)?${YEAR}|\\b(?:in|since|until|around)\\s+${YEAR}`,
  "gi",
);
/** `2014 Honda GX390` */
const YEAR_OF_STRANGER = new RegExp(`${YEAR}(?=\\s+(?:[a-z]+\\s+){0,2}[a-z]{1,4}-?\\d{2,5}[a-z]{0,2}(?:\\s|$))`, "gi");
/** `Serial number L21004455`, `L21004455 is the serial number` */
const SERIAL =
  /\b(?:serial|s\/?n)\b[^\d,;?]{0,20}?([A-Z]{0,3}\d[\dA-Z-]{3,})|\b([A-Z]{0,3}\d[\dA-Z-]{5,})\b[^\d,;?]{0,20}\bserial\b/i;
/** `Ok, chuck three of them into my cart` */
const CART_VERB =
  /(?<!\p{L})(?!(?:in|into|to|for|of|on|with|and|or)\b)\p{L}+(?= (?:an?|the|one|some|it|them|these|those|this|that|\d+)\b.*\b(?:cart|basket|trolley)\b)/iu;

/** Normalizes a question to plain characters, English words and counts in digits; and the language that it is in. */
export function normalizeQuestion(query: string): { text: string; language: string } {
  const { text, language } = normalizeWords(query);
  return { text: toComparison(text), language };
}

/** `Any cheaper deck belt than 594961` compares a deck belt: what is compared stands first. */
function toComparison(text: string): string {
  return text.replace(
    /\b(cheaper|less expensive|longer|shorter|bigger|larger|smaller|wider|stronger) ((?:(?!than\b)\p{L}+ ){1,4})than\b/iu,
    "$2$1 than",
  );
}

function normalizeWords(query: string): { text: string; language: string } {
  // Our own SKU is a number behind its vendor's code.
  const typed = readLinks(dropIntroductions(cleanText(query.slice(0, LONGEST_READ))));
  const plain = markCutNumbers(writeSpoken(writeSpokenNames(writeTyped(typed))).replace(/[¿¡]/g, " "))
    .replace(/(?<=\s)'?n'?(?=\s)/g, "and")
    .replace(/(?<=\s)w\/(o?)(?=\s)/gi, (_, out: string) => (out === "" ? "with" : "without"))
    .replace(/\bCT-([A-Z]{3})-(?=\S*\d)/gi, "$1 ");
  const { text, language } = readLanguage(plain);
  const english = writeCounts(writeShared(dropCorrected(text)));
  return {
    text: SAYS.cart.test(english) ? english.replace(CART_VERB, "add").replace(/\btrolley\b/i, "cart") : english,
    language,
  };
}

/** What machines are known by, and no part is. */
const KNOWN_BY = getWordSet("known by");

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

/** In place of a machine's name. */
const HIDDEN = "\uF8FF";

/** @param normalized from `normalizeQuestion` @param mentions where it names equipment */
export function understand(normalized: string, mentions: readonly MachineMention[], language = "en"): Request {
  // A machine's name is no wish, `without halogen Boomer 47`, and its `18 HP` no size of a part; unless it is the unwanted one.
  const hiddenMentions = mentions.filter(
    ({ from, how }) => how !== "maker" && findUnmeant(normalized, from) === undefined,
  );
  const { text: unnamedText, ...wishes } = readWishes(
    writeOver(normalized, hiddenMentions, ({ from, to }) => HIDDEN.repeat(to - from)),
  );
  const wishedText = writeOver(unnamedText, hiddenMentions, ({ from, to }) => normalized.slice(from, to));
  const isSaid = ({ from, to }: MachineMention): boolean => wishedText.slice(from, to).trim() !== "";
  const { text, mentions: meantMentions } = dropUnmeant(wishedText, mentions.filter(isSaid));
  const { masked, modelsIn: findModels, near, meant: machineMentions } = withMarks(text, meantMentions);
  const { constraints } = wishes;
  const clauses = masked
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
  const isAsked = clauses.some(isRequest);
  const items: Draft[] = [];
  const machines: NamedMachines[] = [];
  /** Equipment that no manual is of, named beside what is asked for. */
  const elsewhere: UnknownName[] = [];
  /** What is asked where nothing but equipment, or nothing at all, is named. */
  let wantedOfAll: Intent | undefined;
  let pieceIndex = 0;
  for (const [clauseAt, typedClause] of clauses.entries()) {
    if (pieceIndex >= MOST_PIECES) break;
    const rawClause = nameThing(typedClause);
    const clause = rawClause.replace(/\?+$/, "");
    let wantedBefore: Intent | undefined;
    // A clause may have hundreds of pieces.
    const isSaid = isStatement(clause);
    const isAsking = isRequest(rawClause);
    const clauseIntent = findIntent(clause);
    // `How many 695652 and 592225 do you have?`
    const isOfStock = SAYS["how many here"].test(clause);
    const symptom = [undefined, "offer", "part"].includes(clauseIntent) ? findSymptom(clause) : undefined;
    const isWhole = symptom !== undefined || (BETWEEN.test(clause) && findRole(clause) !== undefined);
    for (const rawPiece of isWhole ? [clause] : clause.split(PIECE_END).map((part) => part.trim())) {
      if (rawPiece === "" || pieceIndex >= MOST_PIECES) continue;
      pieceIndex += 1;
      const role = symptom ? undefined : findRole(rawPiece);
      const piece = role ? rawPiece.replace(role.asked, " ") : rawPiece;
      const models = findModels(piece);
      const intent = isOfStock ? "offer" : findIntent(piece);
      const parsedPiece = readPiece(piece, near);
      const { terms, context, strangers, place } = parsedPiece;
      // What the shop has, and costs, is rather a part's number; `for the GT-2254 and LX-500` is none.
      const isBehindMachine = machines.at(-1)?.at === pieceIndex - 1;
      for (const unknownName of strangers)
        if (clauseIntent === "offer") unknownName.isMachine = false;
        else if (isBehindMachine && terms.length === 0) unknownName.isMachine = true;
      const strange = strangers.filter(isUnknownMachine);
      const isNumbered = parsedPiece.mentions.length > 0 || place !== undefined;
      const isName = ({ text: typed }: NumberMention): boolean =>
        strange.some(({ name }) => name.includes(typed) || typed.endsWith(name));
      const isMachineAlone =
        terms.length === 0 &&
        place === undefined &&
        models.length + strange.length > 0 &&
        parsedPiece.mentions.every(isName) &&
        (context.length === 0 || isSaid);
      if (models.length > 0) machines.push({ clause: clauseAt, at: pieceIndex, models });
      if (SAYS.unwanted.test(piece) && !isNumbered) continue;
      const clauseItems = items.filter((item) => item.clause === clauseAt);
      const last = clauseItems.at(-1);
      // `HM-722D muffler stud, how many foot pounds?`
      if (last && terms.length > 0 && !isNumbered && models.length === 0 && terms.every(isAskingTerm)) {
        last.text = `${last.text} ${parsedPiece.text}`;
        if (findMeasure(parsedPiece.text)) last.terms = deduplicate([...last.terms, ...terms]);
        continue;
      }
      const isFurther = place?.reference !== undefined && last?.place?.reference !== undefined;
      if (place && last?.place && !isFurther && terms.length + parsedPiece.mentions.length === 0) {
        last.place = { ...last.place, ...place };
        continue;
      }
      // The machine itself is asked for, or about: `which mowers does it fit`, `what engine does the GT-2254 have`.
      const asksForMachine = intent === "fitment" && models.length === 0 && terms.every((term) => MACHINES.has(term));
      const isThing = (terms.length > 0 && !asksForMachine) || isNumbered || role !== undefined;
      const isStory = isAsked && (isAsking ? isStatement(piece) : isSaid);
      const isTold = !isNumbered && isStory;
      if (!role && (isMachineAlone || (!isThing && (asksForMachine || context.length === 0)))) {
        if (isMachineAlone) elsewhere.push(...strange);
        else for (const item of isTold ? [] : items) item.count ??= parsedPiece.count;
        for (const item of clauseItems.length > 0 || isMachineAlone ? clauseItems : items) {
          item.wanted = pickIntent(item.wanted, intent ?? item.wanted);
          if (SAYS["part number"].test(piece) || findMeasure(piece)) item.text += ` ${parsedPiece.text}`;
        }
        // `I think the fuel solenoid is dead because it backfires. What is its number?`
        if (isAsking && clauseItems.every((item) => item.isTold) && SAYS.it.test(piece))
          for (const item of items.filter(({ clause, isTold }) => isTold && clause === items.at(-1)?.clause))
            Object.assign(item, { isTold: false, symptom: undefined });
        wantedBefore = intent ?? wantedBefore;
        wantedOfAll ??= intent;
        continue;
      }
      const itemTerms = asksForMachine ? [] : terms;
      const item: Draft = {
        ...parsedPiece,
        terms: itemTerms,
        ...(itemTerms.length === 0 &&
          !isNumbered &&
          !parsedPiece.isList && { terms: context, phrases: [context], context: [] }),
        wanted: intent ?? wantedBefore ?? "part",
        models: [],
        clause: clauseAt,
        at: pieceIndex,
        // What has a number is no cause that is looked for.
        ...(symptom && parsedPiece.mentions.length === strangers.length && { symptom }),
        ...(role && { role, head: undefined }),
        ...(isTold && { isTold }),
        ...(SAYS["cheapest thing"].test(piece) && { isPicked: true }),
      };
      wantedBefore = item.wanted;
      const former = items.at(-1);
      if (former && isNumbersAlone(item) && isNumbersAlone(former)) joinNumbers(former, item);
      else if (items.length < MOST_ITEMS) items.push(item);
    }
  }
  // `Items 3 and item 4 of figure 8`
  const figure = items.findLast((item) => item.place?.figure !== undefined)?.place?.figure;
  for (const item of items) if (item.place && figure !== undefined) item.place = { figure, ...item.place };
  const onlyItem = items.length === 1 ? items[0] : undefined;
  const otherPart = onlyItem && findOther(onlyItem, text.slice(text.lastIndexOf(onlyItem.mentions.at(-1)?.text ?? "")));
  if (otherPart) items.splice(0, 1, otherPart.item);
  const without = [...constraints.without, ...(otherPart?.without ?? [])];
  const allModels = listModelNames(machineMentions.flatMap((mention) => mention.models));
  if (items.length === 0 && (elsewhere.length > 0 || wantedOfAll !== undefined || constraints.numberParts))
    items.push({ ...createBareItem(text), clause: 0, at: 0 });
  const { task } = wishes;
  // `What do I need for the 100 hour service`: parts that it changes, and what the manual says of it.
  const isOfService = ({ mentions: numbers, terms, place }: Item): boolean =>
    numbers.length === 0 && !place && terms.every((term) => !PART_WORDS.has(term) || SERVICE_WORDS.has(term));
  if (task?.name === "service" && items.every(isOfService)) {
    const bare = items[0] ?? { ...createBareItem(text), clause: 0, at: 0 };
    const service = { ...bare, terms: [], phrases: [], context: [], symptom: createService(task.hours), isTold: false };
    delete service.head;
    items.splice(0, items.length, service);
  }
  const serial = SAYS["is it covered"].test(text) ? SERIAL.exec(text)?.slice(1).find(Boolean) : undefined;
  if (serial !== undefined) {
    const isOfPart = ({ terms, isTold }: Item): boolean =>
      !isTold && terms.some((term) => PART_WORDS.has(term) && term !== "cover");
    const serialItem = {
      ...createBareItem(""),
      text: "serial numbers of the list",
      terms: ["serial"],
      clause: 0,
      at: 0,
    };
    items.splice(0, items.length, serialItem, ...items.filter(isOfPart));
  }
  const numbered = items.filter((item) => item.mentions.length > 0);
  const isInFigure = numbered.length === 1 && SAYS["in its figure"].test(normalized);
  // `790536 is in. Which other gaskets are in that figure?`
  if (isInFigure) {
    const context = items.flatMap((item) => (numbered.includes(item) ? [] : item.terms));
    items.splice(0, items.length, ...numbered.map((item) => ({ ...item, context, models: allModels })));
  }
  const asksForTotal = wishes.isBudget || SAYS.total.test(text);
  // `Total cost: a carburetor, an air filter`
  if (asksForTotal) wantedOfAll = "offer";
  const isOfAll = items.every(({ wanted: intent }) => intent === "part");
  const isEachPicked = SAYS.cheapest.test(text) && items.every(({ isPicked }) => !isPicked);
  // `I've got a Toro, which oil filter?`
  const owned = deduplicate(items.flatMap((item) => item.owned));
  const isOwner = ({ terms, mentions: numbers }: Item): boolean =>
    numbers.length === 0 &&
    terms.length > 0 &&
    terms.every((term) => isMaker(term) || (owned.includes(term) && (MACHINES.has(term) || !PART_WORDS.has(term))));
  const askedItems = items.every(isOwner) ? items : items.filter((item) => !isOwner(item));
  const maker = machineMentions.find(({ how }) => how === "maker");
  for (const item of askedItems) {
    if (isOfAll) item.wanted = wantedOfAll ?? "part";
    item.models = items.length === 1 ? allModels : resolveMachines(item, items, machines, allModels);
    item.owned = owned;
    if (maker) item.maker = extractPartTerms(text.slice(maker.from, maker.to));
    if (isEachPicked && (item.wanted === "offer" || item.wanted === "part")) item.isPicked = true;
    // `Spindle shaft and a nut`: the nut is rather the spindle's.
    const precedingItems = items.filter(
      (otherItem) => otherItem.at < item.at && (otherItem.isTold || otherItem.clause === item.clause),
    );
    if (item.terms.length === 1) item.context.push(...precedingItems.flatMap(({ terms }) => terms));
    // `The bolt and the washer of the blade`
    const next = items.find((otherItem) => otherItem.clause === item.clause && otherItem.at === item.at + 1);
    if (item.terms.length === 1 && next?.head !== undefined)
      item.context.push(...next.terms.filter((term) => term !== next.head));
    if (item.strangers.length === 0 || item.mentions.length > 0) item.strangers.push(...elsewhere);
  }
  return {
    ...wishes,
    ...(isInFigure && { task: { name: "companions" as const } }),
    constraints: { ...constraints, without },
    ...(serial !== undefined && { serial }),
    text,
    maskedText: masked,
    language,
    items: askedItems.map(({ clause: _, at: __, ...item }) => item),
    models: allModels,
    guessed: listModelNames(
      machineMentions.flatMap(({ how, models }) => (how === "part" || how === "maker" ? models : [])),
    ),
    isUnclear: false,
    asksForCart: SAYS.cart.test(text),
    asksForOrder: SAYS.orders.test(text),
    asksForMachines:
      SAYS["known machines"].test(text) &&
      !machineMentions.some(({ how }) => how === "named") &&
      askedItems.every(
        ({ mentions: numbers, terms }) => numbers.length === 0 && terms.every((term) => KNOWN_BY.has(term)),
      ),
    asksForTotal,
  };
}

/** `Coil 48679-0368 is the left one. What is the right-hand one?`: a coil, and not that one. */
function findOther(namedItem: Draft, rest: string): { item: Draft; without: string[] } | undefined {
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
    strangers: [],
  };
  return { item, without: namedItem.mentions.map(({ pnNorm }) => pnNorm) };
}

/** Replaces each known machine by a mark, and drops what is said of it beside its name. */
function withMarks(text: string, mentions: readonly MachineMention[]) {
  const namedMentions = mentions.filter(({ how }) => how !== "maker");
  // Manufacturers alone say which machine is meant where nothing else does.
  const usedMentions = namedMentions.length > 0 || /\p{L}-?\d{2}|\d{3}/u.test(text) ? namedMentions : mentions;
  const machineMentions = usedMentions.filter(({ how }) => how !== "near");
  const makers = machineMentions.flatMap(({ how, models }) =>
    how === "maker" ? [] : models.map((model) => model.manufacturer),
  );
  const isMaker = ({ how, models }: MachineMention): boolean =>
    how === "maker" && models.some(({ manufacturer }) => makers.includes(manufacturer));
  let masked = text;
  for (const { from, to } of mentions.filter(isMaker))
    masked = masked.slice(0, from) + " ".repeat(to - from) + masked.slice(to);
  for (const [index, { from, to }] of [...machineMentions.entries()].reverse())
    masked = `${masked.slice(0, from)} ${String.fromCodePoint(MACHINE + index)} ${masked.slice(to)}`;
  masked = masked.replace(MACHINE_MARK.test(masked) ? ASIDES : YEAR_OF_STRANGER, " ");
  const near: NearName[] = usedMentions
    .filter(({ how }) => how === "near")
    .map(({ from, to, models }) => ({ text: text.slice(from, to), models: listModelNames(models) }));
  const findModels = (piece: string): string[] =>
    listModelNames(
      (piece.match(MACHINE_MARKS) ?? []).flatMap(
        (mark) => machineMentions[(mark.codePointAt(0) ?? 0) - MACHINE]?.models ?? [],
      ),
    );
  return { masked, modelsIn: findModels, near, meant: machineMentions };
}

/** Parts that a service changes, the first ones first. */
const SERVICE_PARTS = getLines("service parts");
const SERVICE_WORDS = getWordSet("service words");

function createService(hours: number | undefined): Symptom {
  const interval =
    hours === undefined ? "\\b(?:hours?|hrs?|maintenance|service)\\b" : `\\b${hours}\\b.{0,12}\\b(?:hours?|hrs?|h)\\b`;
  return { asked: new RegExp(interval, "i"), parts: SERVICE_PARTS, isService: true };
}

/** Names the thing that a clause describes without its name: `the part that engages the blades`. */
function nameThing(clause: string): string {
  const role = findRole(clause);
  if ((role && role.parts[0] !== "nothing") || /\d{3}/.test(clause)) return clause;
  return nameUnnamed(clause, (text) => (text.match(MACHINE_MARKS) ?? []).join(" "));
}

function findSymptom(clause: string): Symptom | undefined {
  return SYMPTOMS.find(({ asked: pattern }) => pattern.test(clause.slice(0, LONGEST_SYMPTOM)));
}

export const findIntent = memoizeRecent(MOST_REMEMBERED, (text): Intent | undefined =>
  SAYS["how many here"].test(text) ? "offer" : INTENTS.find(({ asked: pattern }) => pattern.test(text))?.wanted,
);

/** Returns whether a text asks for something. */
const isRequest = memoizeRecent(
  MOST_REMEMBERED,
  (text): boolean => SAYS.wishes.test(text) || findIntent(text) !== undefined,
);

/** Returns whether a name is rather an equipment's than the number of a part. */
export function isUnknownMachine({ isMachine, near }: UnknownName): boolean {
  return isMachine || near.length > 0;
}

/** Returns whether a text says what somebody has, or what happened, and asks nothing. */
export function isStatement(text: string): boolean {
  return SAYS.tells.test(text) && !isRequest(text);
}

const OF_TWO = /\bfor the (?:(first|former)|second|latter)(?: one)?\b(?! \p{L})/iu;

/** Resolves an item's machines: its own, the next ones in its clause, the ones before, or all of the clause before. */
function resolveMachines(
  { at: pieceIndex, clause, text }: Draft,
  items: readonly Draft[],
  machines: readonly NamedMachines[],
  allModels: string[],
): string[] {
  if (SAYS["for all of them"].test(text)) return allModels;
  const [ordinal, isFirst] = allModels.length === 2 ? (OF_TWO.exec(text) ?? []) : [];
  if (ordinal !== undefined) return [getAt(allModels, isFirst === undefined ? 1 : 0)];
  const inClause = machines.filter((machine) => machine.clause === clause);
  // `A has a GT-2254 and needs a belt, B has an HM-722D and needs a blade`
  const isAhead = items.every((item) => item.clause !== clause || item.at > (inClause[0]?.at ?? Infinity));
  const precedingMachine = isAhead ? inClause.findLast((machine) => machine.at < pieceIndex) : undefined;
  const nearest = precedingMachine ?? inClause.find((machine) => machine.at >= pieceIndex) ?? inClause.at(-1);
  const previousClause = machines.findLast((machine) => machine.clause < clause)?.clause;
  const clauseModels = machines.filter((machine) => machine.clause === previousClause).flatMap(({ models }) => models);
  return nearest?.models ?? (previousClause === undefined ? allModels : deduplicate(clauseModels));
}

/** Intents by how much of a part they ask for, the least first: each includes the one before it. */
const INTENT_ORDER: readonly Intent[] = ["part", "offer", "page", "quantity"];

function pickIntent(current: Intent, next: Intent): Intent {
  if (!INTENT_ORDER.includes(current) || !INTENT_ORDER.includes(next)) return next;
  return getAt(INTENT_ORDER, Math.max(INTENT_ORDER.indexOf(current), INTENT_ORDER.indexOf(next)));
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
  into.wanted = pickIntent(into.wanted, item.wanted);
}

/** Creates an item that asks for something and names nothing. @param maskedText the text with a mark for each machine */
export function createBareItem(text: string, maskedText = text): Item {
  const { count } = readPiece(maskedText, []);
  const unnamed = maskedText.replace(MACHINE_MARKS, " ");
  const bare = { ...readPiece("", []), text: unnamed, wanted: findIntent(text) ?? "part", models: [] };
  return { ...bare, ...(count && { count }) };
}

export function listModelNames(machines: readonly { equipment: string }[]): string[] {
  return deduplicate(machines.map(({ equipment }) => equipment));
}

export function deduplicate(names: readonly string[]): string[] {
  return [...new Set(names)];
}
