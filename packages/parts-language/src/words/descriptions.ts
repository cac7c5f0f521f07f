import { readFileSync } from "node:fs";
import { getAt } from "@partline/toolkit";
import { fold } from "../fold.ts";
import { VENDOR_NAMES } from "../vendors.ts";
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

/** Characters of a text that are read. */
const LONGEST = 500;
/** Words of a phrase, and letters of a word that may go on. */
const LONGEST_PHRASE = 3;
const SHORTEST_BEGINNING = 4;

function read(name: string): string[] {
  const lines = readFileSync(new URL(`./${name}.txt`, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

/** @param rows names of parts, and groups of words: those of four letters or more may go on, unless a point ends them */
function createFinder(rows: readonly string[]): FindDescription {
  const descriptions: Description[] = [];
  const places = new Map<string, { at: number; group: number }[]>();
  for (const row of rows) {
    const [names = "", words = ""] = row.split(": ");
    const groups = words.split(" ");
    for (const [group, alternatives] of groups.entries())
      for (const alternative of alternatives.split("|")) {
        const phrase = fold(alternative).replaceAll(/[^a-z0-9]+/g, " ").trim();
        const isBeginning = phrase.length >= SHORTEST_BEGINNING && !/[ .]/.test(phrase + alternative.slice(-1));
        const key = isBeginning ? `${phrase}*` : phrase;
        places.set(key, [...(places.get(key) ?? []), { at: descriptions.length, group }]);
      }
    descriptions.push({ parts: names.split(", "), groups: groups.length });
  }
  return (text) => {
    const words = splitFolded(text.slice(0, LONGEST));
    const met = new Map<number, { groups: Set<number>; words: Set<number>; from: number; to: number }>();
    const meet = (key: string, from: number, to: number): void => {
      for (const { at, group } of places.get(key) ?? []) {
        const meeting = met.get(at) ?? { groups: new Set(), words: new Set(), from, to };
        meeting.groups.add(group);
        meeting.words.add(from);
        meeting.to = Math.max(meeting.to, to);
        met.set(at, meeting);
      }
    };
    for (const [index, { word, from, to }] of words.entries()) {
      let phrase = "";
      for (const next of words.slice(index, index + LONGEST_PHRASE)) {
        phrase += (phrase && " ") + next.word;
        meet(phrase, from, next.to);
      }
      for (let length = SHORTEST_BEGINNING; length <= word.length; length += 1)
        meet(`${word.slice(0, length)}*`, from, to);
    }
    // The one that a text has most groups of, or the first of those.
    const [best] = [...met]
      .map(([at, meeting]) => ({ at, description: getAt(descriptions, at), meeting }))
      .filter(({ description: { groups }, meeting }) => meeting.groups.size === groups && meeting.words.size >= groups)
      .sort((a, b) => b.description.groups - a.description.groups || a.at - b.at);
    return best && { ...best.description, from: best.meeting.from, to: best.meeting.to };
  };
}

const splitFolded = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    word: fold(word),
    from: index,
    to: index + word.length,
  }));

const findDescription = createFinder(read("descriptions"));

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
  /\b(?:part|thing|thingy|piece|bit|stuff|something|gizmo|doohickey|thingamajig|contraption|donut|doughnut|doodad|whatsit)\b/i;
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

/** Returns the name of a thing that a text does not name, but says what it does or where it sits. */
export function findUnnamedPart(text: string): string | undefined {
  const description = UNNAMED.test(text) ? findDescription(text) : undefined;
  return description && description.groups >= CERTAIN ? description.parts[0] : undefined;
}

const findForeignDescription = createFinder(read("foreign-descriptions"));
/** `Ding`, `truc`, `cosa`: in front of a description, and what is often told behind it: `el pasto`, `na bok`. */
const [THINGS, BESIDES] = [getWordSet("foreign things"), getWordSet("beside descriptions")];
/** Words between a description and these. */
const [MOST_BEFORE, MOST_BEHIND] = [7, 3];
const MAKERS = new Set(Object.values(VENDOR_NAMES).flatMap((names) => names.flatMap((name) => fold(name).split(" "))));

/**
 * Writes the name of what a text describes in another language: of `das Ding, das die Messer einkuppelt`, a clutch.
 * @param english the text in English: what it names needs no description, and a complaint is none
 */
export function nameDescribed(text: string, english: string): string {
  if (SYMPTOMS.some(({ asked: pattern }) => pattern.test(english))) return text;
  const sentences = text.slice(0, LONGEST).split(/(?<=[.!?;\n])/);
  return sentences.map((sentence) => nameInSentence(sentence, english)).join("") + text.slice(LONGEST);
}

function nameInSentence(sentence: string, english: string): string {
  const found = findForeignDescription(sentence);
  if (!found || english.includes(getAt(found.parts, 0))) return sentence;
  const words = splitFolded(sentence);
  let first = words.findIndex(({ from }) => from === found.from);
  let last = words.findIndex(({ to }) => to === found.to);
  const start = Math.max(0, first - MOST_BEFORE);
  const thing = words.slice(start, first).findIndex(({ word }) => THINGS.has(word));
  if (thing >= 0) first = start + thing;
  for (let next = last + 1; next <= last + MOST_BEHIND && words[next] !== undefined; next += 1) {
    const { word, from } = getAt(words, next);
    if (/[,:)]/.test(sentence.slice(words[next - 1]!.to, from))) break;
    if (BESIDES.has(word)) last = next;
  }
  const isKept = ({ word }: { word: string }): boolean => /\d/.test(word) || MAKERS.has(word);
  const span = words.slice(first, last + 1);
  const kept = span.filter(isKept).map(({ from, to }) => sentence.slice(from, to));
  const name = [getAt(found.parts, 0), ...kept].join(" ");
  return sentence.slice(0, getAt(span, 0).from) + name + sentence.slice(getAt(span, -1).to);
}
