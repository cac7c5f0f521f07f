import type { DeskSources } from "./sources.ts";

/**
 * The same sources for one question, which look up a number, an equipment's parts and words of the catalog once,
 * however many steps of an answer ask for them.
 */
export function createMemoizedSources(sources: DeskSources): DeskSources {
  return { ...sources, byModel: once(sources.byModel), byPart: once(sources.byPart), catalog: once(sources.catalog) };
}

function once<Args extends readonly (string | number)[], T>(
  look: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const found = known.get(key) ?? look(...args);
    known.set(key, found);
    return found;
  };
}
