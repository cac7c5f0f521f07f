/**
 * Something that goes wrong with requests. What `value` means is the kind's; `times` is how often it still strikes,
 * null for ever.
 */
export interface Fault<Kind extends string> {
  kind: Kind;
  /** Of a provider that lists by page: the page that it strikes, null for every page. */
  page?: number | null;
  value: number | null;
  times: number | null;
}

export interface Faults<Kind extends string> {
  kinds: readonly Kind[];
  /** Whether a fault may be for one page of the provider's listing. */
  byPage: boolean;
  list(): readonly Fault<Kind>[];
  add(fault: Fault<Kind>): void;
  clear(): void;
  /** Every fault that a request meets, be it for a page or not, counted as used. */
  strike(page?: number): Fault<Kind>[];
}

/** The faults that a test or an operator has asked for. They live in memory: a restart ends the bad day. */
export function createFaults<Kind extends string>(kinds: readonly Kind[], { byPage = false } = {}): Faults<Kind> {
  let faults: Fault<Kind>[] = [];
  return {
    kinds,
    byPage,
    list: () => faults,
    add: (fault) => void faults.push(fault),
    clear: () => void (faults = []),
    strike(page) {
      const struck = faults.filter((fault) => fault.page == null || fault.page === page);
      faults = faults.flatMap((fault) => {
        if (fault.times === null || !struck.includes(fault)) return fault;
        return fault.times > 1 ? { ...fault, times: fault.times - 1 } : [];
      });
      return struck;
    },
  };
}
