import type { Client, estypes } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import { findNearest } from "../../elasticsearch/nearest-words.ts";
import type { PlannedTerm, Synonyms } from "../../search-index/query-plan.ts";
import { ABOUT_WEIGHT, findAskedWords } from "../terms.ts";

type Query = estypes.QueryDslQueryContainer;

const MOST_CORRECTIONS = 3;
/** Suggestions of the server for each unknown word. */
const LOOKED_AT = 20;

/** Returns a query for any of the words; undefined if no word of the question counts. */
export async function buildWordsQuery(
  client: Client,
  index: string,
  question: string,
  synonyms: Synonyms,
): Promise<Query | undefined> {
  const words = findAskedWords(question, synonyms);
  if (words.length === 0) return undefined;
  const corrections = await findCorrections(
    client,
    index,
    words.flatMap(({ correctable }) => correctable),
  );
  const queries = words.flatMap(({ spellings, correctable }) => [
    ...spellings.map((terms) => joinAll(terms.map(weighTerm))),
    ...correctable.flatMap(({ text }) => corrections.get(text) ?? []).map(weighTerm),
  ]);
  return { bool: { should: queries, minimum_should_match: 1 } };
}

async function findCorrections(
  client: Client,
  index: string,
  words: readonly PlannedTerm[],
): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const { suggest } = await client.search(
    {
      index,
      size: 0,
      suggest: Object.fromEntries(
        words.map(({ text, typos }, place) => [
          `word${place}`,
          {
            text,
            term: {
              field: "terms",
              suggest_mode: "missing",
              max_edits: typos,
              string_distance: "damerau_levenshtein",
              prefix_length: 0,
              min_word_length: 4,
              size: LOOKED_AT,
            },
          },
        ]),
      ),
    },
    PROMPT,
  );
  return new Map(
    words.map(({ text, typed }, place) => {
      const options = suggest?.[`word${place}`]?.[0]?.options as estypes.SearchTermSuggestOption[] | undefined;
      return [text, findNearest({ text, typed }, options ?? []).slice(0, MOST_CORRECTIONS)];
    }),
  );
}

function weighTerm(term: string): Query {
  return {
    bool: {
      should: [{ term: { terms: { value: term } } }, { term: { about: { value: term, boost: ABOUT_WEIGHT } } }],
      minimum_should_match: 1,
    },
  };
}

function joinAll(queries: Query[]): Query {
  return queries.length === 1 ? queries[0]! : { bool: { must: queries } };
}
