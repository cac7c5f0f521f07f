import { fold } from "../fold.ts";
import { findMeasures, findPairs, type Measured } from "../measures.ts";
import type { Order } from "../order.ts";
import { normalizePartNumber } from "../part-number.ts";
import { findPriceWish, type PriceWish } from "../words/price-words.ts";
import { DESCRIBING_IN_ENGLISH } from "../words/shopper-words.ts";
import { findMeasure, getLines, listSections, SAYS, toPattern } from "../words/vocabulary.ts";
import { extractPartTerms } from "./piece.ts";

/** What the parts of an answer must have. */
export interface Constraints {
  /** Terms, or numbers, of what is not wanted. */
  without: readonly string[];
  price?: PriceWish["bounds"];
  stock?: "in" | "out";
  /** So many must be here. */
  pieces?: number;
  /** `It begins with 6143`: what its number must have. */
  numberParts?: readonly string[];
  /** `Cylinder 1`: what is for another one is another part. */
  cylinder?: number;
  /** `At least 150 amps`. */
  least?: Measured;
  most?: Measured;
  /** Machines, all of which it must fit. */
  fitsAll?: readonly string[];
  /** Machines, none of which it may fit. */
  fitsNone?: readonly string[];
  /** `1/2 inch belt 68 inches long`: parts that have them come before others. */
  sizes?: readonly Measured[];
}

/** A service, what is drawn beside a part, or what is called as it is. */
export type TaskName = "service" | "companions" | "alternatives";
/** A unit to answer in. */
export type AskedUnit = "Nm" | "ft-lb" | "in-lb" | "m" | "cm" | "mm" | "in" | "ft" | "L" | "qt" | "bar" | "psi";
interface NamedPattern<Name extends string> {
  name: Name;
  pattern: RegExp;
}

export interface Wishes {
  /** The text with blanks in place of what only says how the parts must be. */
  text: string;
  constraints: Constraints;
  /** It asks whether the highest price is enough for all of it. */
  isBudget: boolean;
  order?: Order;
  unit?: AskedUnit;
  /** Whether one of two costs less, is more, or less. */
  comparison?: "cheaper" | "more" | "less";
  /** What it says to a shop besides parts, by the names of the vocabulary: `greeting`. */
  talk: readonly string[];
  /** Hours, if they are named. */
  task?: { name: TaskName; hours?: number };
}

const listPatterns = (kind: string) =>
  listSections(kind).map(({ name, lines }) => ({ name, pattern: toPattern(lines) }));
const ORDERS = listPatterns("sorted") as NamedPattern<Order>[];
const UNITS = listPatterns("unit") as NamedPattern<AskedUnit>[];
const TALK = listPatterns("talk");
const STOCK = listPatterns("stock") as NamedPattern<"any" | "in" | "out">[];
const TASKS = listPatterns("task") as NamedPattern<TaskName>[];

/** What is left out, up to where the sentence goes on. */
const LEFT_OUT = new RegExp(
  `(?:${SAYS.without.source})(?<name>(?:[\\s-]+(?!(?:for|on|(?<!\\d[\\s-]+)in|of|to|please|and|or|that|which|from|with|is|are|if|when)\\b)[\\p{L}\\p{N}./-]+){1,4})`,
  "giu",
);
/** `Plastic cracks on me, so none of those` */
const RULED_OUT = new RegExp(
  `\\b(${[...DESCRIBING_IN_ENGLISH].join("|")})\\b[^,.;]*[, ]+(?:so|and|hence)? ?(?:none|no more|not any|not one) of (?:those|them|that)\\b(?! \\p{L})`,
  "giu",
);
/** `Not the 1/2 x 68 drive belt` */
const NO_PAIR =
  /\b(?:not|except|without|but no)(?: (?:the|an?|with))? (\d[\d/.-]*) ?(?:x|by) ?(\d[\d/.-]*)(?: (?:either|ones?)\b)?/giu;
/** Part of a number, behind the mark of `markCutNumbers` or before it. */
const CUT_NUMBER =
  /([A-Z]{0,3}\d[\w-]{2,})\s+\*(?![\s,*]*[A-Z]{0,3}\d)|\*[\s,*]*((?:(?:[A-Z]{0,3}\d[\w.-]*|[A-Z](?=\b))(?: (?=\S*\d)|\b))+)|\*/gi;
/** Characters. */
const LONGEST_WISHES = 1_000;
const BEHIND_A_NAME = /\b(?:itself|themselves|ones?|please)\b/gi;

const toBlanks = (phrase: string): string => " ".repeat(phrase.length);

/**
 * Reads what a question says of the parts besides their names: what they must cost, have or not be, and their order.
 */
export function readWishes(normalized: string): Wishes {
  const without: string[] = [];
  // What is wished of a part stands near the beginning, also of an e-mail.
  const typed = normalized.slice(0, LONGEST_WISHES);
  const folded = fold(typed);
  const price = folded.length === typed.length ? findPriceWish(folded.trimEnd()) : undefined;
  const from = price ? folded.indexOf(price.phrase) : typed.length;
  const unpriced =
    typed.slice(0, from) + toBlanks(price?.phrase ?? "") + typed.slice(from + (price?.phrase.length ?? 0));
  const numberParts: string[] = [];
  const unnumbered = unpriced.replace(CUT_NUMBER, (phrase: string, front?: string, part?: string) => {
    const numberPart = part ?? front;
    if (numberPart !== undefined) numberParts.push(normalizePartNumber(numberPart));
    return toBlanks(phrase);
  });
  const unpaired = unnumbered.replace(NO_PAIR, (phrase, width: string, length: string) => {
    without.push(`${width} in x ${length} in`);
    return toBlanks(phrase);
  });
  const ruledText = unpaired.replace(RULED_OUT, (phrase, word: string) => `without ${word}`.padEnd(phrase.length));
  let text = ruledText.replace(LEFT_OUT, (phrase: string, ...groups: unknown[]) => {
    const { name: words } = groups.at(-1) as { name: string };
    // `Non-vented fuel cap`: of the word that it is written with alone.
    const [name = words] = /^non/i.test(phrase) ? (/^\W*\p{L}+/u.exec(words) ?? []) : [words];
    const rest = phrase.slice(phrase.length - words.length + name.length);
    // `Not the 5 inch`
    const measures = findMeasures(name);
    const unmeasured = measures.reduce((rest, { text: size }) => rest.replace(size, " "), name);
    const terms = extractPartTerms(unmeasured.replace(BEHIND_A_NAME, " "));
    const numbers = name.split(/\s+/).filter((word) => /\d{3}/.test(word));
    const sizes = terms.length > 0 ? [] : measures.map(({ value, unit }) => `${value} ${unit}`);
    if (terms.length + numbers.length + sizes.length === 0) return phrase;
    without.push(...(numbers.length > 0 ? numbers.map(normalizePartNumber) : [...terms, ...sizes]));
    return toBlanks(phrase.slice(0, phrase.length - rest.length)) + rest;
  });
  const namedTerms = new Set(extractPartTerms(text));
  const [bounded, bounds] = readBounds(text);
  text = bounded;
  const sizes = [...findMeasures(text), ...findPairs(text)];
  const [, cylinder] = CYLINDER.exec(text) ?? [];
  // A word of its own is none of the part's name.
  const take = <Name extends string>(patterns: readonly NamedPattern<Name>[]): Name | undefined => {
    const wish = patterns.find(({ pattern }) => pattern.test(text));
    if (wish) text = text.replace(wish.pattern, toBlanks);
    return wish?.name;
  };
  const stock = findName(STOCK, text);
  const [atLeast, pieces] =
    PIECES.exec(text)
      ?.slice(1)
      .filter((group) => group !== undefined) ?? [];
  const order = SAYS.cheapest.test(text) ? "cheapest" : take(ORDERS);
  const comparison = (["cheaper", "more", "less"] as const).find((name) => SAYS[name].test(text));
  const task = findName(TASKS, text) === "service" ? "service" : take(TASKS);
  const hours = /\b(\d{1,4})[ -]?(?:hours?|hrs?|h)\b/i.exec(text)?.[1];
  const measured = text;
  const unit = take(UNITS);
  // A unit names no part; without another word for what is measured, it says that.
  if (!findMeasure(text)) text = measured;
  return {
    text: text + normalized.slice(LONGEST_WISHES),
    constraints: {
      // `Not the deck belt, but the drive belt`
      without: without.filter((term) => !namedTerms.has(term)),
      ...(price && { price: price.bounds }),
      ...(stock && stock !== "any" && { stock }),
      ...(pieces && { pieces: Number(pieces) + Number(/more|over/i.test(atLeast ?? "")) }),
      ...(numberParts.length > 0 && { numberParts }),
      ...(cylinder && { cylinder: Number(cylinder) }),
      ...bounds,
      ...(sizes.length > 0 && { sizes }),
    },
    isBudget: price?.bounds.maxPrice !== undefined && SAYS.enough.test(typed),
    ...(order && { order }),
    ...(unit && { unit }),
    ...(comparison && { comparison }),
    talk: TALK.flatMap(({ name, pattern }) => (pattern.test(typed) ? [name] : [])),
    ...(task && { task: { name: task, ...(hours && { hours: Number(hours) }) } }),
  };
}

/** `Of which you have at least 100`, `more than 20 are on hand`, `I need 50 pieces: which have that many?` */
const PIECES =
  /\b(?:have|got|stock|hold|are there)\b.{0,20}\b(at least|more than|over) (\d{1,4})\b|\b(at least|more than|over) (\d{1,4}) (?:\p{L}+ ){0,3}(?:in stock|on hand|on the shelf|here|left|available)\b|()\b(\d{1,4}) (?:pieces|pcs)\b.*\b(?:that|so) many\b/iu;
const CYLINDER = /\bcylinder (\d)\b/i;
const BOUND =
  /\b(at least|minimum(?: of)?|min\.?|no less than|more than|over|at most|maximum(?: of)?|max\.?|no more than|less than|under|(?:bigg|larg|great|long|wid|thick|tall|strong|heavi|high|small|short|narrow|thinn|light|weak|low)er than) (?=[\d.])/giu;
const IS_LEAST = /^(?:at least|min|no less|more|over|(?:bigg|larg|great|long|wid|thick|tall|strong|heavi|high)er)/i;
const IS_BEYOND = /er than$|^(?:more than|less than|over|under)$/i;

/**
 * What a measure of the same text is compared with: `the 42 inch cable was too short`, `only 65 amps, what is above
 * that`.
 */
const TOO =
  /\btoo (?:(short|small|weak|narrow|thin|low|light|little)|long|big|large|wide|thick|strong|heavy|high|tall)\b|\b(?:(above|over|more than|beyond)|below|under|less than) that\b/i;
/** `150 amps or more`, `100 or less` */
const [LEAST_BEHIND, MOST_BEHIND] = ["least", "most"].map(
  (name) => new RegExp(`^,? (?:${getLines(`price ${name} behind`).join("|")})(?!\\p{L})`, "iu"),
) as [RegExp, RegExp];
/** `Between 90 and 130 amps` */
const RANGE = /\b(?:between|from) (\d[\d.]*)(?: ?[a-z]+)? (?:and|to) (?=\d)/i;
/** Less than a thousandth is nothing: `bigger than` excludes it. */
const toBeyond = (value: number, isLeast: boolean): number => value * (isLeast ? 1.001 : 0.999);

/** Reads measures that a part must have at least, or at most. */
function readBounds(typed: string): [text: string, bounds: Pick<Constraints, "least" | "most">] {
  const bounds: Pick<Constraints, "least" | "most"> = {};
  let text = typed;
  const too = TOO.exec(typed);
  const [measure, further] = too ? findMeasures(typed) : [];
  if (too && measure && !further) {
    const isLeast = (too[1] ?? too[2]) !== undefined;
    bounds[isLeast ? "least" : "most"] = { ...measure, value: toBeyond(measure.value, isLeast) };
    return [text.replace(too[0], toBlanks).replace(measure.text, toBlanks), bounds];
  }
  const range = RANGE.exec(typed);
  const [most] = range ? findMeasures(typed.slice(range.index + range[0].length)) : [];
  if (range && most?.from === 0) {
    const end = range.index + range[0].length + most.text.length;
    const rest = text.slice(0, range.index) + " ".repeat(end - range.index) + text.slice(end);
    return [rest, { least: { ...most, value: Number(range[1]) }, most }];
  }
  for (const measure of /\d/.test(typed) ? findMeasures(typed) : []) {
    const rest = typed.slice(measure.from + measure.text.length);
    const [least, most] = [LEAST_BEHIND, MOST_BEHIND].map((pattern) => pattern.exec(rest)?.[0]);
    const boundPhrase = least ?? most;
    if (boundPhrase === undefined) continue;
    bounds[least === undefined ? "most" : "least"] = measure;
    const phrase = measure.text + boundPhrase;
    text = text.slice(0, measure.from) + toBlanks(phrase) + text.slice(measure.from + phrase.length);
  }
  for (const { 0: phrase, 1: word = "", index } of typed.matchAll(BOUND)) {
    const [measure] = findMeasures(typed.slice(index + phrase.length, index + phrase.length + 30));
    if (measure?.from !== 0) continue;
    const isLeast = IS_LEAST.test(word);
    const value = IS_BEYOND.test(word) ? toBeyond(measure.value, isLeast) : measure.value;
    bounds[isLeast ? "least" : "most"] = { ...measure, value };
    const end = index + phrase.length + measure.text.length;
    text = text.slice(0, index) + " ".repeat(end - index) + text.slice(end);
  }
  return [text, bounds];
}

function findName<Name extends string>(patterns: readonly NamedPattern<Name>[], text: string): Name | undefined {
  return patterns.find(({ pattern }) => pattern.test(text))?.name;
}
