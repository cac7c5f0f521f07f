import { listKindPhrases } from "./part-kinds.ts";
import { listFirstNames } from "./synonyms.ts";

/** What parts are called, by their English names in lower case: `air filter` is `Luftfilter`. */
export type PartNouns = Readonly<Record<"de" | "es", Readonly<Record<string, string>>>>;

const capitalize = (noun: string): string => noun.slice(0, 1).toUpperCase() + noun.slice(1);

/** Lists the nouns for parts that people read: a German one is one word, as two are a shopper's search. */
export function listPartNouns(): PartNouns {
  const parts = new Set(listKindPhrases());
  const rows = listFirstNames().filter(([name = ""]) => parts.has(name));
  return {
    de: Object.fromEntries(
      rows.flatMap(([name = "", noun = ""]) => (noun.includes(" ") ? [] : [[name, capitalize(noun)]])),
    ),
    es: Object.fromEntries(rows.map(([name = "", , noun = ""]) => [name, noun])),
  };
}
