import type { IndexDocument } from "../../../mixins/search-index/port.ts";
import { openEngine, plainQuery, type EngineName } from "../search-engines/engine.ts";
import type { JudgedQuery } from "./make-queries.ts";
import { DEPTH, ndcg, reciprocalRank } from "./measures.ts";

export interface Scored {
  query: JudgedQuery;
  /** Ids of the first ten hits. */
  found: string[];
  ndcg: number;
  reciprocalRank: number;
}

/** Fills an engine with the documents and asks it every judged query. */
export async function scoreEngine(name: EngineName, documents: IndexDocument[], queries: readonly JudgedQuery[]): Promise<Scored[]> {
  const engine = await openEngine(name);
  try {
    await engine.load([documents]);
    const scored: Scored[] = [];
    for (const query of queries) {
      const { ids: found } = await engine.search(plainQuery(query.q, DEPTH));
      scored.push({ query, found, ndcg: ndcg(found, query.grades), reciprocalRank: reciprocalRank(found, query.grades) });
    }
    return scored;
  } finally {
    await engine.close();
  }
}

export function meanOf(scored: readonly Scored[], measure: (scored: Scored) => number): number {
  return scored.reduce((sum, each) => sum + measure(each), 0) / scored.length;
}
