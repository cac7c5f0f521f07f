import { MAX_CHUNKS } from "../limits.ts";
import { MAX_QUERY, planQuery, type Synonyms } from "../query-plan.ts";
import { queryChunks } from "../text.ts";
import type { Asker } from "./asker.ts";
import { correctUnknown } from "./reading.ts";

/** A query that finds something where this one does not: its misspelt words corrected and its unknown ones left out. */
export async function suggestQuery(asker: Asker, q: string, synonyms: Synonyms): Promise<string | undefined> {
  // All the words that are known, else as many of the first as find something together.
  for (let words = await correctedWords(asker, q); words.length > 0; words = words.slice(0, -1)) {
    const suggestion = words.join(" ");
    const { words: groups } = planQuery(suggestion, synonyms);
    const matches = asker.matches(groups, await correctUnknown(asker, groups));
    await asker.ask();
    if (matches().all > 0) return suggestion;
  }
  return undefined;
}

async function correctedWords(asker: Asker, q: string): Promise<string[]> {
  const words = queryChunks(q.slice(0, MAX_QUERY).toWellFormed())
    .slice(0, MAX_CHUNKS)
    .flatMap(({ terms, words: typed = terms, compact }) =>
      compact === undefined
        ? terms.map((text, at) => ({ text, typed: typed[at]! }))
        : [{ text: compact, typed: compact }],
    );
  const unknown = asker.unknown(words.map((word) => ({ ...word, typos: 0, isBeginning: true })));
  const near = asker.corrections(words);
  await asker.ask();
  const unknownTexts = new Set(unknown().map(({ text }) => text));
  return words.flatMap(({ text }) => (unknownTexts.has(text) ? near().get(text)!.slice(0, 1) : [text]));
}
