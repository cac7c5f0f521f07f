/** Something that goes wrong with requests. What `value` means is the kind's; `times` is how often it still strikes, null for ever. */
export interface Fault<Kind extends string> {
  kind: Kind;
  value: number | null;
  times: number | null;
}

export interface Faults<Kind extends string> {
  list(): readonly Fault<Kind>[];
  add(fault: Fault<Kind>): void;
  clear(): void;
  /** Every fault that a request meets, counted as used. */
  strike(): Fault<Kind>[];
}

/** The faults that a test or an operator has asked for. They live in memory: a restart ends the bad day. */
export function createFaults<Kind extends string>(): Faults<Kind> {
  let faults: Fault<Kind>[] = [];
  return {
    list: () => faults,
    add: (fault) => void faults.push(fault),
    clear: () => void (faults = []),
    strike() {
      const struck = faults.map((fault) => ({ ...fault }));
      faults = faults.flatMap((fault) => (fault.times === null ? fault : fault.times > 1 ? { ...fault, times: fault.times - 1 } : []));
      return struck;
    },
  };
}
