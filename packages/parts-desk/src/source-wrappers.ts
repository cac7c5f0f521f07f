import { withTimeout } from "@partline/toolkit";
import type { DeskSources, Searched } from "./port.ts";

/** What an answer is made without, if a look-up fails. */
const OUTAGES: Partial<Record<keyof DeskSources, Searched>> = {
  catalog: "catalog",
  findCatalogMachines: "catalog",
  findPartsFor: "catalog",
  findNearParts: "catalog",
  passages: "passages",
};

export type Look = (...args: unknown[]) => Promise<unknown>;

/** Wraps each method of the sources. */
export function wrapSources(sources: DeskSources, wrap: (look: Look, name: keyof DeskSources) => Look): DeskSources {
  const looks = Object.entries(sources) as [keyof DeskSources, Look][];
  return Object.fromEntries(looks.map(([name, look]) => [name, wrap(look, name)])) as unknown as DeskSources;
}

/** The same sources for one question: the same look-up is made once. */
export function createMemoizedSources(sources: DeskSources): DeskSources {
  return wrapSources(sources, (look, name) => {
    if (name === "offers" || name === "passages") return look;
    const pending = new Map<string, Promise<unknown>>();
    return (...args) => {
      const key = JSON.stringify(args);
      const promise = pending.get(key) ?? look(...args);
      pending.set(key, promise);
      return promise;
    };
  });
}

/**
 * The same sources, which together take no longer than this: if the catalog or the passages fail, or are late, they
 * find nothing; if manuals cannot be read in time, the question fails with `whenLate`. Price and stock have a limit of
 * their own.
 * @param milliseconds from now
 * @param failed gets what could not be searched
 */
export function createLimitedSources(
  sources: DeskSources,
  milliseconds: number,
  failed: Set<Searched>,
  whenLate: () => Error,
): DeskSources {
  const endsAt = performance.now() + milliseconds;
  return wrapSources(sources, (look, name) => {
    if (name === "offers") return look;
    return async (...args) => {
      try {
        return await withTimeout(look(...args), endsAt - performance.now(), () => {
          throw whenLate();
        });
      } catch (error) {
        if (name === "vector") return undefined;
        const outage = OUTAGES[name];
        if (outage === undefined) throw error;
        failed.add(outage);
        return [];
      }
    };
  });
}
