import { PartlineError } from "../../../mixins/errors.ts";
import { withinTime } from "../../../mixins/within-time.ts";
import type { DeskSources } from "./sources.ts";

/**
 * The same sources for one question, which together take no longer than this: what the catalog or the passages have not told by then is nothing,
 * and manuals that cannot be read by then fail it. Price and stock have a limit of their own.
 * @param milliseconds from now
 */
export function limitedSources(sources: DeskSources, milliseconds: number): DeskSources {
  const endsAt = performance.now() + milliseconds;
  const within = <T>(work: Promise<T>, late: () => T): Promise<T> => withinTime(work, endsAt - performance.now(), late);
  const unreadable = (): never => {
    throw new PartlineError("DATABASE_UNAVAILABLE", "What manuals say could not be read in time");
  };
  const { vector } = sources;
  return {
    ...sources,
    modelsNamedIn: (text) => within(sources.modelsNamedIn(text), unreadable),
    allModels: () => within(sources.allModels(), unreadable),
    byModel: (model) => within(sources.byModel(model), unreadable),
    byPart: (pnNorm) => within(sources.byPart(pnNorm), unreadable),
    passages: (query) => within(sources.passages(query), () => []),
    catalog: (query, limit) => within(sources.catalog(query, limit), () => []),
    ...(vector && { vector: (text: string) => within(vector(text), () => undefined) }),
  };
}
