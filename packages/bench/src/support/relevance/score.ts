import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import { openEngine, plainQuery, type EngineName } from "../search-engines/engine.ts";
import type { Engine } from "../search-engines/contract.ts";
import type { JudgedQuery } from "./make-queries.ts";
import { splitWords } from "./catalog-facts.ts";
import { DEPTH, ndcg, reciprocalRank } from "./measures.ts";
import type { TypedQuery } from "./typed-queries.ts";

export interface Scored {
  query: JudgedQuery;
  /** Ids of the first ten hits. */
  foundIds: string[];
  ndcg: number;
  reciprocalRank: number;
}

/** A query that is still being typed, and how it was completed. */
export interface Completed {
  query: TypedQuery;
  /** Whether one of the first suggestions has the words that are meant. */
  isMeant: boolean;
  /** Suggestions, and those of them that find nothing. */
  suggestions: number;
  empty: number;
}

/** So many suggestions are looked at. */
export const SUGGESTIONS = 8;

/** Fills an engine with the documents and asks it every judged query. */
export async function scoreEngine(
  name: EngineName,
  documents: IndexDocument[],
  queries: readonly JudgedQuery[],
): Promise<Scored[]> {
  return withEngine(name, documents, async (engine) => {
    const scored: Scored[] = [];
    for (const query of queries) {
      const { ids: foundIds } = await engine.search(plainQuery(query.q, DEPTH));
      scored.push({
        query,
        foundIds,
        ndcg: ndcg(foundIds, query.grades),
        reciprocalRank: reciprocalRank(foundIds, query.grades),
      });
    }
    return scored;
  });
}

/** Fills an engine and lets it complete every query. */
export async function scoreCompletions(
  name: EngineName,
  documents: IndexDocument[],
  queries: readonly TypedQuery[],
): Promise<Completed[]> {
  return withEngine(name, documents, async (engine) => {
    const completed: Completed[] = [];
    for (const query of queries) {
      const suggestions = (await engine.suggest?.(query.typed, SUGGESTIONS)) ?? [];
      const totals: number[] = [];
      for (const text of suggestions) totals.push((await engine.search(plainQuery(text, 0))).total);
      const isMeant = suggestions.some((text) => query.meant.every((word) => splitWords(text).includes(word)));
      completed.push({
        query,
        isMeant,
        suggestions: suggestions.length,
        empty: totals.filter((total) => total === 0).length,
      });
    }
    return completed;
  });
}

async function withEngine<T>(
  name: EngineName,
  documents: IndexDocument[],
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(name);
  try {
    await engine.load([documents]);
    return await use(engine);
  } finally {
    await engine.close();
  }
}

export function computeMean(scored: readonly Scored[], measure: (scored: Scored) => number): number {
  return scored.reduce((sum, entry) => sum + measure(entry), 0) / scored.length;
}
