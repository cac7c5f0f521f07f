import { Errors, type Context, type Middleware, type ServiceBroker } from "moleculer";

/** How often a process notes that it runs; milliseconds. */
const NOTE_MS = 250;
/** Who hung for so long is about to be taken for gone, or has been (failure-detector.ts): what it owes was failed then, or asked of others; milliseconds. */
const GIVEN_UP_AFTER_MS = 5_000;
/** So long after it goes on, a process may still read what came while it hung; milliseconds. */
const STALE_MS = 1_000;

type Handler = (ctx: Context) => Promise<unknown>;

/** Whether this process has just hung: it was stopped, or did one thing for seconds. Time is counted by a clock that goes on meanwhile. */
export class Standstill {
  readonly #now: () => number;
  #notedAt: number;
  #staleUntil = -Infinity;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#notedAt = now();
  }

  /** To be called again and again. */
  note(): void {
    const now = this.#now();
    if (now - this.#notedAt >= GIVEN_UP_AFTER_MS) this.#staleUntil = now + STALE_MS;
    this.#notedAt = now;
  }

  /** What comes now may have been given up by whoever sent it. */
  get isJustOver(): boolean {
    // Packets may be read before the timer is run.
    this.note();
    return this.#now() < this.#staleUntil;
  }
}

/**
 * A process that goes on after it hung finds the calls in its connection that came meanwhile. Their callers were told that they failed and have tried again, perhaps
 * gone on to the next change: made now, an old one would come over a new one. So they are refused as not begun, and whoever does wait asks another node.
 */
export function standstillMiddleware(): Middleware {
  const standstill = new Standstill();
  let timer: NodeJS.Timeout | undefined;
  let own = "";
  const middleware = {
    name: "Standstill",
    starting: ({ nodeID, transit }: ServiceBroker) => {
      own = nodeID;
      standstill.note();
      if (transit) timer = setInterval(() => standstill.note(), NOTE_MS).unref();
    },
    stopped: () => clearInterval(timer),
    localAction: (next: Handler, { name }: { name: string }): Handler => (ctx) =>
      timer !== undefined && ctx.nodeID !== own && standstill.isJustOver
        ? Promise.reject(new Errors.ServiceNotAvailableError({ action: name, nodeID: own }))
        : next(ctx),
  };
  return middleware as unknown as Middleware;
}
