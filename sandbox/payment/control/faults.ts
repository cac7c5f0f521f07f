/** Something that goes wrong with requests whose `METHOD /path` starts with `match`, the next `times` times. */
export type Fault = {
  match: string;
  /** Answer with this status and an error of the provider's. */
  status: number | null;
  /** Wait first. */
  delayMs: number;
  /** Never answer. */
  hang: boolean;
  /** Do the work before going wrong, so that only the answer is lost. */
  afterWork: boolean;
  /** How often it still strikes; null for ever. */
  times: number | null;
};

export type Faults = ReturnType<typeof createFaults>;

/** The faults that a test or an operator has asked for. They live in memory: a restart ends the bad day. */
export function createFaults() {
  let faults: Fault[] = [];
  return {
    list: (): readonly Fault[] => faults,
    add: (fault: Fault): void => void faults.push(fault),
    clear: (): void => void (faults = []),
    /** The first fault that this request meets, counted as used. */
    strike(method: string, path: string): Fault | undefined {
      const fault = faults.find((candidate) => `${method} ${path}`.startsWith(candidate.match));
      if (fault && fault.times !== null && --fault.times <= 0)
        faults = faults.filter((candidate) => candidate !== fault);
      return fault;
    },
  };
}
