/** Between two lines of one action or route; slow ones meanwhile are counted in the next. */
const SAID_EVERY_MS = 10_000;

interface Logger {
  warn(fields: object, message: string): void;
}

/** Longest time that is not slow, milliseconds: half of a timeout above the usual one. */
export function getSlowLimit(slowCallMs: number, timeoutMs: number | undefined): number {
  return timeoutMs === undefined ? slowCallMs : Math.max(slowCallMs, timeoutMs > USUAL_TIMEOUT_MS ? timeoutMs / 2 : 0);
}

/** An action's timeout unless its contract says otherwise. */
export const USUAL_TIMEOUT_MS = 10_000;

/** Logs slow calls, at a bounded rate. */
export class SlowCalls {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #said = new Map<string, { at: number; more: number }>();

  constructor(logger: Logger, readClock: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#now = readClock;
  }

  /** @param what an action, or a method and a path's template @param fields ids and names, never what was asked for */
  tell(kind: "action" | "route", what: string, milliseconds: number, fields: object): void {
    const key = `${kind} ${what}`;
    const lastWarning = this.#said.get(key);
    if (lastWarning && this.#now() - lastWarning.at < SAID_EVERY_MS) {
      lastWarning.more += 1;
      return;
    }
    this.#said.set(key, { at: this.#now(), more: 0 });
    this.#logger.warn(
      { [kind]: what, ms: Math.round(milliseconds), ...fields, more: lastWarning?.more || undefined },
      `Slow ${kind}`,
    );
  }
}
