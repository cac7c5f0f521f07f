import { splitTerms } from "@partline/parts-language/terms";
import { normalizePartNumber } from "@partline/parts-language";
import { planQuery, type PlannedTerm, type Synonyms } from "../search-index/query-plan.ts";
import type { Passage } from "./port.ts";

/** How passages and questions become terms of lower-case letters and digits, the same for both adapters. */

/** Words of a question that say nothing about its subject, beside stop words. */
const ASKING = new Set(
  `what which who where when why how many much do doe does did can could would should will is are was
   be been am it its this that these those there i me my mine we our you your have has had need want
   please tell show find give get fit fits use used about any some if as not no so than then`.split(/\s+/),
);

/** A word of a question in several spellings, of which any matches. All terms of a spelling must be there. */
interface AskedWord {
  spellings: string[][];
  /** Terms that are corrected if no passage has them. */
  correctable: PlannedTerm[];
}

/** The searched terms of a passage: its own words, and the words about it. */
export function listTerms({ text, schema, heading, equipment }: Passage) {
  return {
    words: splitTerms(text).join(" "),
    about: splitTerms([schema ?? "", heading ?? "", ...equipment].join(" ")).join(" "),
    models: toModelKeys(equipment),
  };
}

export function toModelKeys(models: readonly string[]): string[] {
  return [...new Set(models.map((model) => normalizePartNumber(model).toLowerCase()))].filter((key) => key !== "");
}

/** Empty if no word of the question says anything. */
export function findAskedWords(question: string, synonyms: Synonyms): AskedWord[] {
  const groups = planQuery(question, synonyms).words;
  const telling = groups.filter(
    ({ alternatives: [typed] }) => !typed!.terms.every(({ text, typed: word }) => ASKING.has(text) || ASKING.has(word)),
  );
  return telling.map(({ alternatives }) => ({
    spellings: alternatives.map(({ terms }) => terms.map(({ text }) => text)),
    correctable: alternatives.flatMap(({ kind, terms }) =>
      kind === "typed" ? terms.filter(({ typos }) => typos > 0) : [],
    ),
  }));
}

/** Weight of the words about a passage, beside its own. */
export const ABOUT_WEIGHT = 0.6;
