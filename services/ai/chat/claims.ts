import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { FactsTold, PartTold, PlaceTold } from "./facts-told.ts";
import { areMistakable, lastMachines, machinesAt, type Spoken } from "./machines.ts";
import { isOtherNumber, numberSaid } from "./number-words.ts";
import { refusedTalk } from "./refused-talk.ts";
import { sentencesOf, type Mention, type Sentence } from "./sentences.ts";

export type ClaimFlaw =
  | "a fit that nobody told it"
  | "an address"
  | "a delivery that nobody told it"
  | "a number that nobody told it"
  | "a price that nobody told it"
  | "a replacement that nobody told it"
  | "a stock that nobody told it"
  | "words for parts that may be mistaken";

const MONEY = /^(?:dollars?|usd|bucks?|cents?|eur|euros?|each|apiece)$/i;
const PRICED = /^(?:usd|costs?|price|priced|eur)$/i;
/** How many parts there are is said of none of them. */
const COUNTED = /^(?:parts?|numbers|options|matches|results|listings)$/i;
const PRONOUN = /^\s*(?:and |but )?(?:it|its|this|that|these|those|they|both|each)\b/i;
/** Between two parts of which the same is said there is none of these. */
const LINK =
  /\b(?:is|are|was|were|by|with|without|replaced|replaces|superseded|supersedes|which|that|fits?|for|instead|has|have|needs?|uses?|takes?|goes|of|than|not|on|in|at|but|while|from|to|costs?)\b/i;
/** Words that make it uncertain which of several parts is spoken of. */
const UNCERTAIN =
  /\b(?:not|the same|unlike|former|latter|respectively|vice versa|rather|other one|opposite|reversed?|swap\w*|versus)\b/i;
const POINTS_BACK =
  /\b(?:former|latter|respectively|vice versa|(?:first|second|third|last|other) (?:one|part)|the other)\b/i;

/** Something that is said of parts, at a word. */
interface Claim {
  at: number;
  /** @param places those of the equipment that is spoken of */
  holds(part: PartTold, places: readonly PlaceTold[]): boolean;
  flaw: ClaimFlaw;
}

/** What the sentences before have named last. */
interface Before {
  parts: readonly string[];
  machines: Spoken;
}

/**
 * What is said of a part that was not told of that very part, and of that equipment, where it is a page or a quantity;
 * undefined where all holds. In doubt of which part or equipment it is said, it must hold for each.
 */
export function flawOfClaims(text: string, facts: FactsTold): ClaimFlaw | undefined {
  const refused = refusedTalk(text, facts.withoutNames(text));
  if (refused) return refused;
  let before: Before = { parts: [], machines: [] };
  let isReplacing = false;
  for (const sentence of sentencesOf(text, facts)) {
    const flaw =
      flawOfSentence(sentence, before, facts) ??
      flawOfReplacement(sentence, before.parts, facts, isReplacing) ??
      flawOfFit(sentence, before, facts);
    if (flaw) return flaw;
    before = {
      parts: sentence.mentions.length > 0 ? [...new Set(sentence.mentions.map(({ pnNorm }) => pnNorm))] : before.parts,
      machines: sentence.machines.length > 0 ? lastMachines(sentence) : before.machines,
    };
    // `It is obsolete. Use this one.`
    isReplacing = REPLACING.test(facts.withoutNames(sentence.text)) && before.parts.length === 1;
  }
  return undefined;
}

function flawOfSentence(sentence: Sentence, before: Before, facts: FactsTold): ClaimFlaw | undefined {
  const claims = claimsOf(sentence, facts);
  if (!Array.isArray(claims)) return claims;
  const several = new Set(sentence.mentions.map(({ pnNorm }) => pnNorm)).size > 1;
  if (
    claims.length > 0 &&
    (POINTS_BACK.test(sentence.text) || (several && UNCERTAIN.test(sentence.text)) || areMistakable(sentence))
  )
    return "words for parts that may be mistaken";
  for (const { at, holds, flaw } of claims) {
    const parts = partsAt(sentence, at, before.parts).map((pnNorm) => facts.of(pnNorm)!);
    if (
      parts.length === 0 ||
      !parts.every((part) => placesSpokenOf(part, sentence, at, before.machines).every((places) => holds(part, places)))
    )
      return flaw;
  }
  return inventedName(sentence, facts);
}

const FITS =
  /\b(?:fits?|fitted|suits?|suited|works? (?:on|with|in|for)|compatible|goes on|made for|(?:right|correct) (?:\w+ ){0,2}for)\b/i;
const NO_FIT = /\b(?:not(?! only)|no|never|neither|nor|none|cannot|without|unlike|unknown)\b|n't\b/i;
const MANY = /\b(?:all|every|any|most|many|various|several|other)\b/i;

/**
 * That a part is of an equipment, where it has no place there; of all that is named with it in one clause, or else
 * before it. What is denied is no fit.
 */
function flawOfFit(sentence: Sentence, before: Before, facts: FactsTold): ClaimFlaw | undefined {
  const flaw = "a fit that nobody told it";
  const { text, words, mentions, machines } = sentence;
  if (NO_FIT.test(text)) return undefined;
  const isOn = (pnNorm: string, equipment: readonly string[]): boolean =>
    facts.of(pnNorm)!.places.some((place) => equipment.includes(place.equipment));
  const named = mentions.length > 0 ? mentions.map(({ pnNorm }) => pnNorm) : before.parts;
  const saysSo = FITS.exec(facts.withoutNames(text));
  if (mentions.length === 0 && saysSo === null && !PRONOUN.test(text)) return undefined;
  if (saysSo !== null && MANY.test(text.slice(saysSo.index))) return flaw;
  if (machines.length === 0)
    return saysSo !== null &&
      named.some((pnNorm) => facts.of(pnNorm)!.asked.some((equipment) => !isOn(pnNorm, [equipment])))
      ? flaw
      : undefined;
  const groups = groupsOf(
    words.map((word) => word.text),
    mentions,
  );
  return machines.every(({ from, to, equipment }) => {
    const ends = (place: number): boolean =>
      words[place]!.isCut || /^(?:and|but|while|whereas|plus)$/i.test(words[place + 1]?.text ?? "");
    let first = from;
    while (first > 0 && !ends(first - 1)) first -= 1;
    let last = to - 1;
    while (last < words.length - 1 && !ends(last)) last += 1;
    const inClause = groups.filter((group) => group.some((mention) => mention.from >= first && mention.from <= last));
    const near =
      inClause.length > 0 ? inClause.flat() : (groups.findLast((group) => group[0]!.from < from) ?? groups[0] ?? []);
    const of = near.length > 0 ? near.map(({ pnNorm }) => pnNorm) : before.parts;
    return of.every((pnNorm) => isOn(pnNorm, equipment));
  })
    ? undefined
    : flaw;
}

/**
 * The part's places on each equipment that something at a word is said of. Where its sentence names none: on what was
 * named last before it and on what the part was asked for, where these are not the same; where neither is, all of them.
 */
function placesSpokenOf(
  { places, asked }: PartTold,
  sentence: Sentence,
  at: number,
  before: Spoken,
): (readonly PlaceTold[])[] {
  const on = (equipment: readonly string[]): PlaceTold[] =>
    places.filter((place) => equipment.includes(place.equipment));
  const here = machinesAt(sentence, at).map(on);
  if (here.length > 0) return here;
  const named = before.map(on);
  const isSpokenOf = named.length > 0 && named.every(({ length }) => length > 0);
  if (isSpokenOf && before.every((equipment) => asked.length === 0 || equipment.some((name) => asked.includes(name))))
    return named;
  if (asked.length === 0) return [places];
  const listed = [
    ...asked.map((equipment) => on([equipment])).filter(({ length }) => length > 0),
    ...(isSpokenOf ? named : []),
  ];
  return listed.length > 0 ? listed : [[]];
}

/**
 * The parts that something at a word is said of: those named last before it, or first behind it, or last in the
 * sentences before.
 */
function partsAt({ text, words, mentions }: Sentence, at: number, before: readonly string[]): readonly string[] {
  const behindOf = /^of$/i.test(words[at + 1]?.text ?? "")
    ? mentions.find(({ from }) => from === at + 2 || from === at + 3)
    : undefined;
  if (behindOf) return [behindOf.pnNorm];
  const groups = groupsOf(
    words.map((word) => word.text),
    mentions,
  );
  const last = groups.findLast((group) => group[0]!.from < at);
  if (last) return last.map(({ pnNorm }) => pnNorm);
  const next = groups[0]?.map(({ pnNorm }) => pnNorm) ?? [];
  return next.length === 0 ? before : PRONOUN.test(text) ? [...next, ...before] : next;
}

/** Parts that are listed one behind the other. */
function groupsOf(words: readonly string[], mentions: readonly Mention[]): Mention[][] {
  const groups: Mention[][] = [];
  for (const mention of mentions) {
    const group = groups.at(-1);
    const between = group && words.slice(group.at(-1)!.to, mention.from).join(" ");
    if (group && between !== undefined && !LINK.test(between) && !/\d/.test(between)) group.push(mention);
    else groups.push([mention]);
  }
  return groups;
}

function claimsOf(sentence: Sentence, facts: FactsTold): Claim[] | ClaimFlaw {
  const { words, mentions, machines } = sentence;
  const claims: Claim[] = stockClaims(sentence);
  for (let at = 0; at < words.length; at += 1) {
    const mention = [...mentions, ...machines].find(({ from, to }) => from <= at && at < to);
    if (mention) {
      at = mention.to - 1;
      continue;
    }
    const word = words[at]!.text;
    const previous = words[at - 1]?.text ?? "";
    const next = words[at + 1]?.text ?? "";
    if (/^[+-]?\d/.test(word) || /^[$€£]/.test(word)) {
      const claim = claimOfNumber(sentence, at, at + 1, Number(word.replace(/[^\d.]/g, "")), facts);
      if (claim) claims.push(claim);
      continue;
    }
    if (facts.isPair(previous, word) || facts.isPair(word, next)) continue;
    if (/^(?:dollars?|bucks?)$/i.test(word) && !/\d/.test(previous) && numberSaid(previous) === undefined)
      return "a price that nobody told it";
    if (isOtherNumber(word) || (/^pages?$/i.test(previous) && /^[ivxlc]+$/i.test(word)))
      return "a number that nobody told it";
    const said = numberSaid(word, next);
    if (said === undefined) continue;
    const end = at + said.words;
    if (said.value === 1 && !isOneCounted(previous, words[end]?.text ?? "")) continue;
    const claim = claimOfNumber(sentence, at, end, said.value, facts);
    if (claim) claims.push({ ...claim, at: end - 1 });
    at = end - 1;
  }
  return claims;
}

/** `one` stands for a thing more often than for its number. */
function isOneCounted(previous: string, next: string): boolean {
  return (
    MONEY.test(next) ||
    PRICED.test(previous) ||
    /^(?:of)$/i.test(next) ||
    /^(?:needs?|takes|uses|quantity|qty|pages?|p)$/i.test(previous)
  );
}

function claimOfNumber(
  { words }: Sentence,
  at: number,
  end: number,
  value: number,
  facts: FactsTold,
): Claim | undefined {
  const word = words[at]!.text;
  const previous = (words[at - 1]?.text ?? "").toLowerCase();
  const next = (words[end]?.text ?? "").toLowerCase();
  const cents = Math.round(value * 100);
  const isOfName = facts.isPair(previous, word) || facts.isPair(word, next);
  const isAmount = /^\d[\d,]*\.\d{1,2}$/.test(word) && !(isOfName && facts.isWordAsItStands(word));
  if (/^[$€£]/.test(word) || isAmount || MONEY.test(next) || PRICED.test(previous))
    return { at, holds: ({ prices }) => prices.has(cents), flaw: "a price that nobody told it" };
  // What is no plain number has been found in a name.
  if (/^\d/.test(word) && !/^\d[\d,]*$/.test(word)) return undefined;
  const flaw = "a number that nobody told it";
  if (/^pages?$|^pg?$/.test(previous))
    return { at, holds: (_, places) => places.some(({ page }) => page === value), flaw };
  if (/^(?:quantity|qty)$/.test(previous) || next === "of" || /^(?:needs?|takes|uses)$/.test(previous))
    return { at, holds: (_, places) => places.some(({ quantity }) => quantity === value), flaw };
  if (
    /^(?:in|left|available|on)$/.test(next) &&
    /^(?:in|on) (?:stock|hand)|^left|^available/.test(
      words
        .slice(end, end + 2)
        .map(({ text }) => text)
        .join(" ")
        .toLowerCase(),
    )
  )
    return { at, holds: ({ stocks }) => stocks.has(value), flaw: "a stock that nobody told it" };
  if (COUNTED.test(next) && value === facts.parts().length) return undefined;
  if (
    /^(?:figures?|figs?|items?|ref|reference|callout|key|no|nos|number|section|grade)$/.test(previous) &&
    facts.isWord(normalizePartNumber(word))
  )
    return undefined;
  if (isOfName || (value >= 1_000 && facts.isWord(normalizePartNumber(word)))) return undefined;
  return {
    at,
    holds: ({ stocks }, places) =>
      places.some(({ page, quantity }) => page === value || quantity === value) || stocks.has(value),
    flaw,
  };
}

const NOT_IN_STOCK =
  /\b(?:out of stock|sold[- ]out|unavailable|not (?:currently |now )?(?:available|in stock)|no stock|none (?:left|in stock)|back[- ]?order(?:ed)?|all gone|is gone|are gone|no more|r[ua]n out)\b/gi;
const IN_STOCK =
  /\b(?:(?:in|low) stock|in[- ]stock|available|on hand|on the shelf|in our warehouse|few left|plenty|stocked)\b/gi;
const DISCONTINUED = /\b(?:discontinued|obsolete|no longer (?:made|sold|available|supplied|produced))\b/gi;
const UNKNOWN =
  /\bwhether\b[^,;.]*\b(?:not known|unknown)\b|\b(?:stock|availability|price)(?:(?: and| or|,) (?:stock|availability|price))* (?:is|are) (?:not available|unavailable)\b/gi;

function stockClaims({ text, words }: Sentence): Claim[] {
  // What is gone takes as many characters, so that places stay.
  const blank = (found: string): string => found.replace(/\S/g, "_");
  const claims: Claim[] = [];
  let rest = text.replace(UNKNOWN, blank);
  const take = (pattern: RegExp, holds: Claim["holds"]): void => {
    rest = rest.replace(pattern, (found: string, offset: number) => {
      claims.push({ at: wordAt(text, offset, words.length), holds, flaw: "a stock that nobody told it" });
      return blank(found);
    });
  };
  take(DISCONTINUED, ({ isDiscontinued, replacedBy }) => isDiscontinued || replacedBy.size > 0);
  take(NOT_IN_STOCK, ({ availabilities, stocks }) => availabilities.has("out_of_stock") || stocks.has(0));
  take(
    IN_STOCK,
    ({ availabilities, stocks }) =>
      availabilities.has("in_stock") || availabilities.has("low_stock") || [...stocks].some((stock) => stock > 0),
  );
  return claims;
}

/** How many words stand before a character. */
function wordAt(text: string, offset: number, most: number): number {
  return Math.min(
    most,
    text
      .slice(0, offset)
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
  );
}

/** What is written as a part's number without a digit, and stands in no name. */
function inventedName({ words, mentions }: Sentence, facts: FactsTold): ClaimFlaw | undefined {
  const isInvented = words.some(({ text }, at) => {
    if (/\d/.test(text) || facts.isOfName(text) || mentions.some(({ from, to }) => from <= at && at < to)) return false;
    return (
      /^[A-Z]{1,}(?:[-./_][A-Z]+)+$/.test(text) ||
      /^[A-Z]{5,}$/.test(text) ||
      (/^(?:parts?|number|no|p\/n|pn)$/i.test(words[at - 1]?.text ?? "") &&
        /^\p{L}+[-./_]\p{L}+$|^[A-Z]{2,}$/u.test(text))
    );
  });
  return isInvented ? "a number that nobody told it" : undefined;
}

const REPLACING =
  /\b(?:replac\w*|supersed\w*|succe(?:ed\w*|ssors?)|substitut\w*|instead|in place of|alternatives?|equivalents?|interchang\w*|same as|swap\w*|upgrad\w*|rather than|in lieu of|bec[ao]mes?|(?:is|are) now|chang\w*|called for|newer|discontinued|obsolete|no longer)\b|[-=]>|→/i;
const SAID_OF_IT =
  /\b(?:(?:is|was|been|are|were) (?:now )?(?:replaced|superseded|succeeded)|(?:replaced|superseded|succeeded) by)\b/i;

function flawOfReplacement(
  { text: whole, mentions }: Sentence,
  before: readonly string[],
  facts: FactsTold,
  isReplacing: boolean,
): ClaimFlaw | undefined {
  const text = facts.withoutNames(whole);
  if (
    !REPLACING.test(text) &&
    !(isReplacing && mentions.length > 0 && /\b(?:use|take|order|get|choose|buy|try)\b/i.test(text))
  )
    return undefined;
  const flaw = "a replacement that nobody told it";
  const named = [...new Set(mentions.map(({ pnNorm }) => pnNorm))];
  const parts = named.length > 1 || before.length !== 1 ? named : [...new Set([...before, ...named])];
  if (named.length < 2 && /\b(?:no|not|never|nor|neither)\b/i.test(text))
    return parts.some((pnNorm) => facts.of(pnNorm)!.replacedBy.size > 0) ? flaw : undefined;
  if (named.length === 1 && before.length > 1) return flaw;
  if (parts.length === 1) return SAID_OF_IT.test(text) && facts.of(parts[0]!)!.replacedBy.size === 0 ? flaw : undefined;
  const isBackwards =
    /\b(?:replaces|supersedes|succeeds|(?:is|are|as) (?:an? |the )?(?:\w+ )?(?:replacement|substitute|successor)s? (?:for|of|to)|in place of|instead of|rather than|in lieu of)\b/i.test(
      text,
    );
  const isForwards =
    !isBackwards && (SAID_OF_IT.test(text) || /\b(?:replacement|substitute|successor)s? (?:for|of|to)\b/i.test(text));
  const pairs = parts.slice(1).map((part, at): [string, string] => [parts[at]!, part]);
  const holds = pairs.every(
    ([one, other]) =>
      (!isBackwards && facts.of(one)!.replacedBy.has(other)) || (!isForwards && facts.of(other)!.replacedBy.has(one)),
  );
  return holds ? undefined : flaw;
}
