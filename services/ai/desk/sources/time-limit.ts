import { PartlineError } from "../../../../mixins/errors.ts";
import { withinTime } from "../../../../mixins/within-time.ts";
import type { DeskSources } from "./sources.ts";

/** What an answer can be made without, and says so where it could not be searched. */
export type Searched = "catalog" | "passages";

/**
 * The same sources for one question, which together take no longer than this: where the catalog or the passages fail,
 * or have not told by then, they tell nothing, and manuals that cannot be read by then fail the question. Price and
 * stock have a limit of their own.
 * @param milliseconds from now
 * @param failed is told what could not be searched
 */
export function createLimitedSources(sources: DeskSources, milliseconds: number, failed: Set<Searched>): DeskSources {
  const endsAt = performance.now() + milliseconds;
  const within = <T>(work: Promise<T>): Promise<T> =>
    withinTime(work, endsAt - performance.now(), () => {
      throw new PartlineError("DATABASE_UNAVAILABLE", "What manuals say could not be read in time");
    });
  const orNothing = async <T>(what: Searched, work: Promise<T[]>): Promise<T[]> => {
    try {
      return await within(work);
    } catch {
      failed.add(what);
      return [];
    }
  };
  const { vector } = sources;
  return {
    ...sources,
    modelsNamedIn: (text) => within(sources.modelsNamedIn(text)),
    allModels: () => within(sources.allModels()),
    byModel: (model) => within(sources.byModel(model)),
    byPart: (pnNorm) => within(sources.byPart(pnNorm)),
    nearNumbers: (pnNorm) => within(sources.nearNumbers(pnNorm)),
    passages: (query) => orNothing("passages", sources.passages(query)),
    catalog: (query, limit) => orNothing("catalog", sources.catalog(query, limit)),
    ...(vector && { vector: (text: string) => within(vector(text)).catch(() => undefined) }),
  };
}
