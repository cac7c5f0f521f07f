import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { bareWord, type FactsTold } from "./facts-told.ts";
import { spansIn } from "../spans.ts";

/** Most words that a number is written in. */
export const MOST_WORDS = 5;

export interface Word {
  text: string;
  /** A comma or the like stands behind it. */
  isCut: boolean;
}

/** A part's number in a sentence: the words that it is made of, the last one excluded. */
export interface Mention {
  pnNorm: string;
  from: number;
  to: number;
}

export interface Sentence {
  text: string;
  words: Word[];
  mentions: Mention[];
}

const END = /(?<=[.!?;])(?<!\b(?:figs?|no|nos|qty|approx|incl|vs|etc|pg?|ref)\.)\s+|\n+/i;

export function wordsOf(text: string): Word[] {
  return withoutListMarks(text)
    .split(/\s+/)
    .map((raw) => ({ raw, text: bareWord(raw) }))
    .filter(({ text: word }) => word !== "")
    .map(({ raw, text: word }) => ({ text: word, isCut: /[,;.)]$/.test(raw) }));
}

/** Sentences, and their parts between semicolons. */
export function sentencesOf(text: string, facts: FactsTold): Sentence[] {
  return withoutListMarks(text).split(END).filter((sentence) => sentence.trim() !== "").map((sentence) => {
    const words = wordsOf(sentence);
    return { text: sentence, words, mentions: mentionsIn(words, facts) };
  });
}

function withoutListMarks(text: string): string {
  return text.replace(/^\s*\d{1,2}[.)]\s+/gm, "");
}

function mentionsIn(words: readonly Word[], facts: FactsTold): Mention[] {
  return spansIn(words, (from) => mentionAt(words, from, facts));
}

function mentionAt(words: readonly Word[], from: number, facts: FactsTold): Mention | undefined {
  for (let to = Math.min(words.length, from + MOST_WORDS); to > from; to -= 1) {
    const window = words.slice(from, to);
    const pnNorm = normalizePartNumber(window.map(({ text }) => text).join(""));
    if (pnNorm !== "" && !window.slice(0, -1).some(({ isCut }) => isCut) && facts.isPartNumber(pnNorm)) return { pnNorm, from, to };
  }
  return undefined;
}
