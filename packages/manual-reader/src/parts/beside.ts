import type { FoundPart } from "../findings.ts";
import { plain } from "../text/lines.ts";
import { findRole } from "./headers.ts";
import { PART_LABEL } from "./labels.ts";

/** Characters, words. */
const LONGEST = 60;
const MOST_WORDS = 8;
/** Characters before the number that are read. */
const REACH = 160;

const QUANTITY = /[,;(]?\s*(?:qty|quantity)\b\.?\s*[:=]?\s*\d{1,3}\s*\)?/gi;
/** The name of an ordered part follows. */
const ORDERING = new RegExp(
  `^(?:${[
    String.raw`(?:bestellen|verwenden|benutzen|nehmen)\s+sie`,
    String.raw`(?:please\s+)?(?:(?:re)?order|use|ask\s+for|request|specify|buy|purchase|get|install|fit|apply|add|see)`,
  ].join("|")})\\b\\s*`,
  "i",
);
const BEFORE_ORDERING = /^.*\bto\s+(?=(?:order|use|fit|install|apply|get)\s)/i;
const ARTICLE = /^(?:the|an?|only|genuine|new|our|der|die|das|eine?[nrms]?|el|la|le|les|los|las)\s+/i;
/** Between a name and its number. */
const BEFORE_NUMBER = /[\s,;:.(\[=#-]+(?:(?:under|as|by|with|using|from|of|unter|bajo|sous)\s*)?$/i;
const PREPOSITION_AT_END = /(?<!\d\s?)\b(?:with|by|to|on|in|at|for|from|of|under|as|using|and|or|the|an?)$/i;
/** Words of sentences, not of names. */
const IN_SENTENCES =
  /\b(?:is|are|was|were|be|been|being|has|have|had|can|cannot|may|must|will|shall|should|would|do|does|not|if|when|while|before|after|until|your|you|we|our|it|its|they|this|that|these|those|see|call|only|also|refer|contact|their|which|please|there|then|than|always|never|make|sure|remove|tighten|hold|attach|replace[ds]?|superseded|supersedes?|record|write)\b/i;
/** Names no part; a service kit is called so. */
const SAYS_NOTHING =
  /^(?:(?:the|an?|new|old|spare|service|replacement|genuine|original|current|former|oem|complete|parts?|numbers?|nos?|items?|order(?:ing)?|use|see|notes?|lists?|catalogs?|manuals?|includes?|included|information|following|stock|pieces?|ref|reference|p\/n|pn|or|and|for|with|by|bis|und|oder|von|für|nur|siehe|ab|et|ou|pour|voir|jusqu|à|y|o|para|ver|hasta|desde|al?|do|od)(?!\p{L})[\s.,:#-]*)*$/iu;
/** Up to the end of a sentence; not the point in `1 in. Bore`. */
const END_OF_SENTENCE = /.*\p{Ll}{3}[.!?]\s+|.*[;!?]\s+/u;

/**
 * The part's name on the number's line: before it (`Maintenance Kit: P/N 86.5020`, `Order the touch-up paint under part
 * number 15.5122`) or, if the line begins with it, behind it.
 */
export function nameBeside(line: { before: string; after: string }): string | undefined {
  const lead = plain(line.before).slice(-REACH);
  const phrase = withoutLabel(lead.replace(QUANTITY, ""));
  if (SAYS_NOTHING.test(phrase.words.trim()))
    return phrase.words.trim() === "" ? nameBehind(plain(line.after), phrase.isLabelled) : undefined;
  const ownWords = (phrase.words.split(/ {2,}/).findLast((part) => part.trim() !== "") ?? "")
    .replace(END_OF_SENTENCE, "")
    .replace(BEFORE_ORDERING, "")
    .replace(/^[\s,;:.)\]*\u2022\u00b7-]+(?:(?:and|or|und|et|y)\s+)?/i, "");
  const ordered = ownWords.replace(ORDERING, "");
  const isOrder = ordered !== ownWords;
  // Before a bare number, a name needs a sign.
  if (!isOrder && !phrase.isLabelled && !/(?:[:=([]|\.{2,}|,)\s*$| {2}$/.test(lead)) return undefined;
  const name = ordered.replace(isOrder ? BEFORE_NUMBER : /[\s,;:.(\[=#-]+$/, "").replace(ARTICLE, "");
  return isName(name) ? name : undefined;
}

/** Position, name and pieces on the line above a number: `12 - Flange Nut  4`. */
const HEAD = /^(\d{1,3}[A-Z]?)\s?[-–.):]\s?(\p{L}.*?)(?:\s{2,}(\d{1,4}))?$/u;

/** A heading that is a name: `Wheel adapter`. */
const HEADING = /^\p{Lu}[\p{L}-]*(?: [\p{L}-]+){0,2}$/u;

/** Reads the line above one that has nothing but a label and a number, if it says which part that is. */
export function readHeadLine(
  line: string,
  above: string,
  number: string,
): Pick<FoundPart, "reference" | "description" | "quantity"> | undefined {
  const lead = line.trim().slice(0, -number.length);
  if (!line.trim().endsWith(number) || PART_LABEL.exec(lead)?.index !== 0) return undefined;
  if (HEADING.test(above.trim()) && isName(above.trim()) && findRole(above) === undefined)
    return { description: above.trim() };
  const [, reference, name = "", quantity] = HEAD.exec(above.trim()) ?? [];
  if (!reference || !isName(name)) return undefined;
  return { reference, description: name, ...(quantity && { quantity: Number(quantity) }) };
}

function withoutLabel(lead: string): { words: string; isLabelled: boolean } {
  const match = PART_LABEL.exec(lead);
  return match ? { words: lead.slice(0, match.index), isLabelled: true } : { words: lead, isLabelled: false };
}

const BEHIND = /^\s*(?:[-:=(]\s*| {2,})([^;()]*)/;
const ALL_BEHIND = /^ (\p{Lu}[\p{L}\d ,/-]*)$/u;

/** Behind a label and a number, all of the line may be the name: `Order No. 8 970 830 Expansion vessel`. */
function nameBehind(after: string, isLabelled: boolean): string | undefined {
  const pattern = isLabelled && ALL_BEHIND.test(after) ? ALL_BEHIND : BEHIND;
  const name = (pattern.exec(after)?.[1] ?? "").replace(QUANTITY, "").replace(/[\s.,:-]+$/, "");
  return /^\p{Lu}/u.test(name) && !/^(?:for|fits?|see|use[ds]?|only|not|without)\b/i.test(name) && isName(name)
    ? name
    : undefined;
}

function isName(text: string): boolean {
  const words = text.split(/\s+/);
  return (
    text.length <= LONGEST &&
    words.length <= MOST_WORDS &&
    /\p{L}{3}/u.test(text) &&
    /^[\p{L}\d"(]/u.test(text) &&
    !/^[^(]*\)/.test(text) &&
    !SAYS_NOTHING.test(text) &&
    !IN_SENTENCES.test(text) &&
    !PREPOSITION_AT_END.test(text) &&
    !/\p{Ll}{3}[.!?](?:\s|$)/u.test(text)
  );
}
