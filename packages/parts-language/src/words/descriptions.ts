import { readLines } from "./read-lines.ts";
import { getAt } from "@partline/toolkit";
import { fold } from "../fold.ts";
import { MAKERS } from "./clauses.ts";
import { toSingular } from "./text.ts";
import { findRole, getWordSet, SYMPTOMS } from "./vocabulary.ts";

/** What describes parts: of each group one must be there. */
interface Description {
  parts: readonly string[];
  groups: number;
}

/** A description that is in a text, from its first word to its last. */
interface FoundDescription extends Description {
  from: number;
  to: number;
}

type FindDescription = (text: string) => FoundDescription | undefined;

/** In front of what it does. */
const THING = /(\p{L}+) (?:that|which)\b/u;
/** Characters of a text that are read. */
const LONGEST = 500;
/** Words of a phrase, and letters of a word that may go on. */
const LONGEST_PHRASE = 3;
const SHORTEST_BEGINNING = 4;

/**
 * @param rows names of parts, and groups of words: those of four letters or more may go on, unless a point ends them
 */
function createFinder(rows: readonly string[]): FindDescription {
  const descriptions: Description[] = [];
  const places = new Map<string, { index: number; group: number }[]>();
  for (const row of rows) {
    const [names = "", words = ""] = row.split(": ");
    const groups = words.split(" ");
    for (const [group, alternatives] of groups.entries())
      for (const alternative of alternatives.split("|")) {
        const phrase = fold(alternative)
          .replaceAll(/[^a-z0-9]+/g, " ")
          .trim();
        const isBeginning = phrase.length >= SHORTEST_BEGINNING && !/[ .]/.test(phrase + alternative.slice(-1));
        const key = isBeginning ? `${phrase}*` : phrase;
        places.set(key, [...(places.get(key) ?? []), { index: descriptions.length, group }]);
      }
    descriptions.push({ parts: names.split(", "), groups: groups.length });
  }
  return (text) => {
    const words = splitFolded(text.slice(0, LONGEST));
    const meetings = new Map<number, { groups: Set<number>; words: Set<number>; from: number; to: number }>();
    const addMeeting = (key: string, from: number, to: number): void => {
      for (const { index, group } of places.get(key) ?? []) {
        const meeting = meetings.get(index) ?? { groups: new Set(), words: new Set(), from, to };
        meeting.groups.add(group);
        meeting.words.add(from);
        meeting.to = Math.max(meeting.to, to);
        meetings.set(index, meeting);
      }
    };
    for (const [wordIndex, { word, from, to }] of words.entries()) {
      let phrase = "";
      for (const next of words.slice(wordIndex, wordIndex + LONGEST_PHRASE)) {
        phrase += (phrase && " ") + next.word;
        addMeeting(phrase, from, next.to);
      }
      for (let length = SHORTEST_BEGINNING; length <= word.length; length += 1)
        addMeeting(`${word.slice(0, length)}*`, from, to);
    }
    // The one of the thing that the text names, `belt that turns the blades`; that it has most groups of, or the first.
    const [, thing = ""] = THING.exec(text) ?? [];
    const [best] = [...meetings]
      .map(([index, meeting]) => ({ index, description: getAt(descriptions, index), meeting }))
      .filter(({ description: { groups }, meeting }) => meeting.groups.size === groups && meeting.words.size >= groups)
      .sort(
        (a, b) =>
          Number(isOfThing(b.description, thing)) - Number(isOfThing(a.description, thing)) ||
          b.description.groups - a.description.groups ||
          a.index - b.index,
      );
    return best && { ...best.description, from: best.meeting.from, to: best.meeting.to };
  };
}

const isOfThing = ({ parts }: Description, thing = ""): boolean =>
  parts[0]?.split(" ").at(-1) === toSingular(fold(thing));

const splitFolded = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }));

const findDescription = createFinder(readLines("descriptions"));

/**
 * Returns the names of the parts that a text describes without their name, or that what it complains of comes from, the
 * likeliest first; none if it does neither.
 */
export function findDescribedParts(text: string): readonly string[] {
  const folded = fold(text.slice(0, LONGEST)).replaceAll(/[’`]/g, "'").replaceAll(/\s+/g, " ");
  return findDescription(folded)?.parts ?? SYMPTOMS.find(({ asked: pattern }) => pattern.test(folded))?.parts ?? [];
}

/** `The thing under the deck that …` */
const UNNAMED =
  /\b(?:(?<!\b(?:same|one|single|identical|common) )part(?! (?:no\b|numbers?\b|#))|thing|thingy|piece|bit|stuff|something|gizmo|doohickey|thingamajig|contraption|donut|doughnut|doodad|whatsit)\b/i;
/** Groups of a description that leaves no doubt. */
const CERTAIN = 3;

/** Returns whether a text describes a part beyond doubt: words for parts in it say where that is. */
export function isCertainDescription(text: string): boolean {
  return (findDescription(text)?.groups ?? 0) >= CERTAIN;
}

/** Whether a text says what a part does or where it sits, in place of its name: a part that it names is another one. */
export function isUnnamed(text: string): boolean {
  return UNNAMED.test(text) || findRole(text) !== undefined;
}

/**
 * Writes the name of a thing that a text says of what it does or where it sits: of `the belt that turns the blades`, a
 * deck belt. @param toRest what stays of a text that names nothing else
 */
export function nameUnnamed(text: string, toRest: (text: string) => string): string {
  const thing = THING.exec(text);
  const isNameless = UNNAMED.test(text);
  const description = thing || isNameless ? findDescription(text) : undefined;
  if (!description) return text;
  const [name = ""] = description.parts;
  if (thing && isOfThing(description, thing[1]) && thing.index <= description.from)
    return text.slice(0, thing.index) + name + text.slice(description.to);
  return isNameless && description.groups >= CERTAIN ? `${name} ${toRest(text)}` : text;
}

const findForeignDescription = createFinder(readLines("foreign-descriptions"));
/** `Ding`, `truc`, `cosa`: in front of a description, and what is often said behind it: `el pasto`, `na bok`. */
const [THINGS, BESIDES] = [getWordSet("foreign things"), getWordSet("beside descriptions")];
/** Words between a description and these. */
const [MOST_BEFORE, MOST_BEHIND] = [7, 3];

/**
 * Writes the name of what a text describes in another language: of `das Ding, das die Messer einkuppelt`, a clutch.
 * @param english the text in English: what it names needs no description, and a complaint is seldom one
 */
export function nameDescribed(text: string, english: string): string {
  const beginning = english.slice(0, LONGEST);
  const leastGroups = SYMPTOMS.some(({ asked: pattern }) => pattern.test(beginning)) ? CERTAIN : 1;
  const sentences = text.slice(0, LONGEST).split(/(?<=[.!?;\n])/);
  return sentences.map((sentence) => nameInSentence(sentence, english, leastGroups)).join("") + text.slice(LONGEST);
}

function nameInSentence(sentence: string, english: string, leastGroups: number): string {
  const description = findForeignDescription(sentence);
  const [name = ""] = description?.parts ?? [];
  if (!description || description.groups < leastGroups || english.includes(name)) return sentence;
  const words = splitFolded(sentence);
  const first = words.findIndex(({ from }) => from === description.from);
  const last = words.findIndex(({ to }) => to === description.to);
  const start = Math.max(0, first - MOST_BEFORE);
  const thing = words.slice(start, first).findLastIndex(({ word }) => THINGS.has(word));
  const wordsBehind = words.slice(last + 1, last + 1 + MOST_BEHIND);
  const end = wordsBehind.findIndex(({ from }) => /[,:)][^,:)]*$/.test(sentence.slice(description.to, from)));
  const lastBeside = wordsBehind
    .slice(0, end === -1 ? wordsBehind.length : end)
    .findLastIndex(({ word }) => BESIDES.has(word));
  const span = words.slice(thing === -1 ? first : start + thing, last + 2 + lastBeside);
  const isName = ({ word }: { word: string }): boolean => /\d/.test(word) || MAKERS.has(word);
  const names = span.filter(isName).map(({ from, to }) => sentence.slice(from, to));
  return (
    [sentence.slice(0, getAt(span, 0).from), name, ...names.map((word) => ` ${word}`)].join("") +
    sentence.slice(getAt(span, -1).to)
  );
}
