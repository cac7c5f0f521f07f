import { nameUnnamed } from "../words/descriptions.ts";
import { MOST_NUMBERS, type NumberMention } from "../words/number-mentions.ts";
import {
  findMeasure,
  findRole,
  type Intent,
  isAskingTerm,
  MACHINES,
  SAYS,
  type Symptom,
  SYMPTOMS,
} from "../words/vocabulary.ts";
import { deduplicate, findIntent, isRequest, isStatement, isUnknownMachine, type Item, pickIntent } from "./item.ts";
import type { MarkedText } from "./marks.ts";
import { MACHINE_MARKS, type Piece, readPiece, type UnknownName } from "./piece.ts";

/** A thing that is asked for, and which clause and piece of the text it is. */
export interface Draft extends Item {
  clause: number;
  pieceIndex: number;
}

export interface NamedMachines {
  clause: number;
  pieceIndex: number;
  models: string[];
}

/** What the clauses of a text ask for, as far as each says it by itself. */
export interface Drafts {
  items: Draft[];
  machines: NamedMachines[];
  /** Equipment that no manual is of, named beside what is asked for. */
  unknownMachines: UnknownName[];
  /** What is asked where nothing but equipment, or nothing at all, is named. */
  wantedOfAll?: Intent;
  /** Pieces that were read. */
  pieces: number;
  /** One of the clauses asks for something. */
  isAsked: boolean;
}

interface Clause {
  index: number;
  pieces: string[];
  isRequest: boolean;
  isStatement: boolean;
  intent?: Intent;
  /** `How many 695652 and 592225 do you have?` */
  isOfStock: boolean;
  symptom?: Symptom;
  /** What the piece before asks. */
  wanted?: Intent;
}

/** A piece of a clause, and what it does there. */
interface ClausePiece extends Piece {
  /** As it was typed, without what names its role. */
  typed: string;
  models: string[];
  intent?: Intent;
  role?: Symptom;
  isNumbered: boolean;
  /** The machine itself is asked for, or about: `which mowers does it fit`, `what engine does the GT-2254 have`. */
  asksForMachine: boolean;
  /** It names equipment and nothing else. */
  isMachineAlone: boolean;
  isTold: boolean;
}

const MOST_ITEMS = 10;
/** An e-mail says early what it is about, and a clause may have hundreds of pieces. */
const MOST_PIECES = 40;
/** Characters of a clause in which a symptom is looked for. */
const LONGEST_SYMPTOM = 300;

/** What introduces a list keeps its colon, a question its mark. */
const CLAUSE_END = /(?<=^|\s)\(?\d\)\s+|(?<=\?)\s*(?!\?)|[!;]+\s*|\.\s+(?=[\p{Lu}\uE000-\uE7FF])|\.\s*$/u;
const PIECE_END =
  /(?<=:)\s+(?!\d)|\s*,(?!(?<=\bfig(?:ure)?s?\b\.? ?[\w-]{1,6},)\s*(?:number|no|nr)\b)\s*(?:(?:and|or|plus)\s+)?(?:also\s+)?|\s+(?:and|or|plus|but|as well as|along with|with(?= (?:both|all|\d+)\b)|then)\s+(?:also\s+)?|(?<!\b(?:is|are|was|it|this|that))\s+(?=(?:not|without) (?:the|my|its)\b)|\s+[&+]\s+|\s+[-–—]\s+(?=(?:how|what|which|where|is|are|do|does|can|qty|price|any)\b)|\s\/\s|(?<=\b(?:cheaper|expensive|longer|shorter|bigger|larger|smaller|wider|stronger)|\b(?:more|fewer)(?: [a-z-]+){1,3})\s+than\s+/i;
/** `What goes between the carburetor and the manifold` */
const BETWEEN = /\bbetween\b/i;

/** Reads what each clause of a text asks for, piece by piece. */
export function readClauses(text: MarkedText): Drafts {
  const clauses = text.masked
    .split(CLAUSE_END)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
  const drafts: Drafts = { items: [], machines: [], unknownMachines: [], pieces: 0, isAsked: clauses.some(isRequest) };
  for (const [index, typed] of clauses.entries()) {
    if (drafts.pieces >= MOST_PIECES) break;
    const clause = readClause(typed, index);
    for (const piece of clause.pieces) {
      if (drafts.pieces >= MOST_PIECES) break;
      drafts.pieces += 1;
      addPiece(drafts, clause, readClausePiece(piece, clause, drafts, text));
    }
  }
  return drafts;
}

function readClause(typed: string, index: number): Clause {
  const namedText = nameThing(typed);
  const text = namedText.replace(/\?+$/, "");
  const intent = findIntent(text);
  const symptom = [undefined, "offer", "part"].includes(intent) ? findSymptom(text) : undefined;
  const isWhole = symptom !== undefined || (BETWEEN.test(text) && findRole(text) !== undefined);
  const pieces = isWhole ? [text] : text.split(PIECE_END).map((piece) => piece.trim());
  return {
    index,
    pieces: pieces.filter((piece) => piece !== ""),
    isRequest: isRequest(namedText),
    isStatement: isStatement(text),
    ...(intent && { intent }),
    isOfStock: SAYS["how many here"].test(text),
    ...(symptom && { symptom }),
  };
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

function readClausePiece(
  text: string,
  clause: Clause,
  { machines, pieces, isAsked }: Drafts,
  { near, findModels }: MarkedText,
): ClausePiece {
  const role = clause.symptom ? undefined : findRole(text);
  const typed = role ? text.replace(role.asked, " ") : text;
  const models = findModels(typed);
  const intent = clause.isOfStock ? "offer" : findIntent(typed);
  const piece = readPiece(typed, near);
  const { terms, context, mentions, place, unknownNames } = piece;
  // What the shop has, and costs, is rather a part's number; `for the GT-2254 and LX-500` is none.
  const isBehindMachine = machines.at(-1)?.pieceIndex === pieces - 1;
  for (const unknownName of unknownNames)
    if (clause.intent === "offer") unknownName.isMachine = false;
    else if (isBehindMachine && terms.length === 0) unknownName.isMachine = true;
  const ownMachines = unknownNames.filter(isUnknownMachine);
  const isNumbered = mentions.length > 0 || place !== undefined;
  const isName = ({ text: number }: NumberMention): boolean =>
    ownMachines.some(({ name }) => name.includes(number) || number.endsWith(name));
  const isStory = isAsked && (clause.isRequest ? isStatement(typed) : clause.isStatement);
  return {
    ...piece,
    typed,
    models,
    ...(intent && { intent }),
    ...(role && { role }),
    isNumbered,
    asksForMachine: intent === "fitment" && models.length === 0 && terms.every((term) => MACHINES.has(term)),
    isMachineAlone:
      terms.length === 0 &&
      place === undefined &&
      models.length + ownMachines.length > 0 &&
      mentions.every(isName) &&
      (context.length === 0 || clause.isStatement),
    isTold: isStory && !isNumbered,
  };
}

function addPiece(drafts: Drafts, clause: Clause, piece: ClausePiece): void {
  const { items, machines } = drafts;
  const { models, terms, context, role, isNumbered, asksForMachine, isMachineAlone } = piece;
  if (models.length > 0) machines.push({ clause: clause.index, pieceIndex: drafts.pieces, models });
  if (SAYS.unwanted.test(piece.typed) && !isNumbered) return;
  const last = items.findLast((item) => item.clause === clause.index);
  if (last && continueItem(last, piece)) return;
  const isThing = (terms.length > 0 && !asksForMachine) || isNumbered || role !== undefined;
  if (!role && (isMachineAlone || (!isThing && (asksForMachine || context.length === 0)))) {
    askOfItems(drafts, clause, piece);
    return;
  }
  const item = createDraft(piece, clause, drafts.pieces);
  clause.wanted = item.wanted;
  const former = items.at(-1);
  if (former && isNumbersAlone(item) && isNumbersAlone(former)) joinNumbers(former, item);
  else if (items.length < MOST_ITEMS) items.push(item);
}

/** Adds to the last thing of a clause what a further piece says of it. @returns false if it names another thing */
function continueItem(last: Draft, { text, terms, mentions, models, place, isNumbered }: ClausePiece): boolean {
  // `HM-722D muffler stud, how many foot pounds?`
  if (terms.length > 0 && !isNumbered && models.length === 0 && terms.every(isAskingTerm)) {
    last.text = `${last.text} ${text}`;
    if (findMeasure(text)) last.terms = deduplicate([...last.terms, ...terms]);
    return true;
  }
  const isFurther = place?.reference !== undefined && last.place?.reference !== undefined;
  if (!place || !last.place || isFurther || terms.length + mentions.length > 0) return false;
  last.place = { ...last.place, ...place };
  return true;
}

/** Asks of the things named so far what a piece asks that names none. */
function askOfItems(drafts: Drafts, clause: Clause, piece: ClausePiece): void {
  const { items, unknownMachines } = drafts;
  const { intent, text, typed, count, isMachineAlone } = piece;
  const clauseItems = items.filter((item) => item.clause === clause.index);
  if (isMachineAlone) unknownMachines.push(...piece.unknownNames.filter(isUnknownMachine));
  else if (!piece.isTold) for (const item of items) item.count ??= count;
  for (const item of clauseItems.length > 0 || isMachineAlone ? clauseItems : items) {
    item.wanted = pickIntent(item.wanted, intent ?? item.wanted);
    if (SAYS["part number"].test(typed) || findMeasure(typed)) item.text += ` ${text}`;
  }
  // `I think the fuel solenoid is dead because it backfires. What is its number?`
  if (clause.isRequest && clauseItems.every((item) => item.isTold) && SAYS.it.test(typed))
    for (const item of items.filter((item) => item.isTold && item.clause === items.at(-1)?.clause))
      Object.assign(item, { isTold: false, symptom: undefined });
  clause.wanted = intent ?? clause.wanted;
  drafts.wantedOfAll ??= intent;
}

function createDraft(clausePiece: ClausePiece, clause: Clause, pieceIndex: number): Draft {
  const {
    typed,
    models: _,
    intent,
    role,
    isNumbered,
    asksForMachine,
    isMachineAlone: __,
    isTold,
    ...piece
  } = clausePiece;
  const terms = asksForMachine ? [] : piece.terms;
  const isOfContext = terms.length === 0 && !isNumbered && !piece.isList;
  const { symptom } = clause;
  return {
    ...piece,
    terms,
    ...(isOfContext && { terms: piece.context, phrases: [piece.context], context: [] }),
    wanted: intent ?? clause.wanted ?? "part",
    models: [],
    clause: clause.index,
    pieceIndex,
    // What has a number is no cause that is looked for.
    ...(symptom && piece.mentions.length === piece.unknownNames.length && { symptom }),
    ...(role && { role, head: undefined }),
    ...(isTold && { isTold }),
    ...(SAYS["cheapest thing"].test(typed) && { isPicked: true }),
  };
}

function isNumbersAlone({ terms, mentions, place, count }: Item): boolean {
  return terms.length === 0 && mentions.length > 0 && place === undefined && count === undefined;
}

/** Words between the numbers of two pieces, more than a piece has. */
const APART = 100;

function joinNumbers(into: Draft, item: Draft): void {
  into.pieceIndex = item.pieceIndex;
  const first = into.numbersTyped;
  // Words of another piece are no neighbours of these.
  const mentions = item.mentions.map((mention) => ({
    ...mention,
    number: mention.number + first,
    from: mention.from + first * APART,
    to: mention.to + first * APART,
  }));
  into.numbersTyped += item.numbersTyped;
  into.mentions = [...into.mentions, ...mentions].filter(({ number }) => number < MOST_NUMBERS);
  into.unknownNames.push(...item.unknownNames);
  into.wanted = pickIntent(into.wanted, item.wanted);
}
