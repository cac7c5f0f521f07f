import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { spansIn } from "../spans.ts";
import type { FactsTold } from "./facts-told.ts";
import { machinesIn, type MachineMention } from "./machines.ts";
import { MOST_WORDS, wordsSaid, type Word } from "./spoken-words.ts";

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
  machines: MachineMention[];
}

const END = /(?<=[.!?;])(?<!\b(?:figs?|no|nos|qty|approx|incl|vs|etc|pg?|ref)\.)\s+|\n+/i;

/** Sentences, and their parts between semicolons. */
export function sentencesOf(text: string, facts: FactsTold): Sentence[] {
  return text
    .split(END)
    .filter((sentence) => sentence.trim() !== "")
    .map((sentence) => {
      const words = wordsSaid(sentence);
      const mentions = mentionsIn(words, facts);
      return { text: sentence, words, mentions, machines: machinesIn(words, mentions, facts) };
    });
}

function mentionsIn(words: readonly Word[], facts: FactsTold): Mention[] {
  return spansIn(words, (from) => mentionAt(words, from, facts));
}

function mentionAt(words: readonly Word[], from: number, facts: FactsTold): Mention | undefined {
  for (let to = Math.min(words.length, from + MOST_WORDS); to > from; to -= 1) {
    const window = words.slice(from, to);
    const pnNorm = normalizePartNumber(window.map(({ text }) => text).join(""));
    if (pnNorm !== "" && !window.slice(0, -1).some(({ isCut }) => isCut) && facts.isPartNumber(pnNorm))
      return { pnNorm, from, to };
  }
  return undefined;
}
