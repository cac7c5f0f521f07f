import type { Embeddings } from "../../../mixins/embeddings/port.ts";
import type { PassageHit, PassageIndex } from "../../../mixins/passage-index/port.ts";
import type { Passage, PassageQuestion } from "../desk/port.ts";
import type { FitmentReader } from "../../../mixins/fitment-index/reader.ts";

interface RetrievalDeps {
  index(): PassageIndex;
  reader: Pick<FitmentReader, "directory">;
  embeddings?: Pick<Embeddings, "model">;
}

/** Candidates of each list for one answer. */
const DEPTH = 3;

/** Creates the search of passages by words and, with a vector, by meaning; ranks fuse the two lists. */
export function createRetrieval({ index, reader, embeddings }: RetrievalDeps) {
  return {
    /** @throws SearchIndexError UNAVAILABLE */
    async search({ words, vector, models, limit }: PassageQuestion): Promise<Passage[]> {
      const narrowing = {
        limit: vector ? limit * DEPTH : limit,
        models: models && (await equipmentMeant(reader, models)),
      };
      const [byWords, byVector] = await Promise.all([
        index().byWords({ words, ...narrowing }),
        vector && embeddings ? index().byVector({ vector, vectorModel: embeddings.model, ...narrowing }) : [],
      ]);
      const hits = byVector.length === 0 ? byWords : fused([byWords, byVector]);
      return hits.slice(0, limit).map(({ manual, ...hit }) => ({ sha256: manual, ...hit }));
    },
  };
}

/** Returns the models in the manuals' spelling. */
async function equipmentMeant(reader: Pick<FitmentReader, "directory">, typed: readonly string[]): Promise<string[]> {
  const { models } = await reader.directory();
  return typed.flatMap((model) => models.match(model).map(({ equipment }) => equipment));
}

function fused(lists: readonly (readonly PassageHit[])[]): PassageHit[] {
  const keyOf = ({ manual, page, text }: PassageHit): string => `${manual} ${page} ${text}`;
  const hits = new Map(lists.flat().map((hit) => [keyOf(hit), hit]));
  return [...fuse(lists.map((list) => list.map(keyOf)))].map(([key, score]) => ({ ...hits.get(key)!, score }));
}

/** The k of reciprocal rank fusion: its usual value. */
const K = 60;

/**
 * Returns the score of each key by reciprocal rank fusion of lists of keys, best first. Only a key's first place in a
 * list counts.
 */
export function fuse(lists: readonly (readonly string[])[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const keys of lists)
    for (const [rank, key] of [...new Set(keys)].entries())
      scores.set(key, (scores.get(key) ?? 0) + 1 / (K + rank + 1));
  return new Map([...scores].sort(([, a], [, b]) => b - a));
}
