import { Errors, type Context, type Middleware, type ServiceBroker } from "moleculer";
import { middlewareOf, transitOf } from "../moleculer/internals.ts";

/** How often a process notes that it runs; milliseconds. */
const NOTE_MS = 250;
/**
 * Who hung for so long is about to be taken for gone, or has been (failure-detector.ts): what it owes was failed then,
 * or asked of others; milliseconds.
 */
const GIVEN_UP_AFTER_MS = 5_000;
/** So long after it goes on, a process may still read what came while it hung; milliseconds. */
const STALE_MS = 1_000;

type Handler = (ctx: Context) => Promise<unknown>;

/**
 * Whether this process has just hung: it was stopped, or did one thing for seconds. Time is counted by a clock that
 * goes on meanwhile.
 */
export class Standstill {
  readonly #onOver: (hungMs: number) => void;
  readonly #now: () => number;
  #notedAt: number;
  #staleUntil = -Infinity;

  constructor(onOver: (hungMs: number) => void, now: () => number = () => performance.now()) {
    this.#onOver = onOver;
    this.#now = now;
    this.#notedAt = now();
  }

  /** To be called again and again. */
  note(): void {
    const now = this.#now();
    const hungMs = now - this.#notedAt;
    this.#notedAt = now;
    if (hungMs < GIVEN_UP_AFTER_MS) return;
    this.#staleUntil = now + STALE_MS;
    this.#onOver(hungMs);
  }

  /** What comes now may have been given up by whoever sent it. */
  get isJustOver(): boolean {
    // Packets may be read before the timer is run.
    this.note();
    return this.#now() < this.#staleUntil;
  }
}

/**
 * A process that goes on after it hung finds the calls in its connection that came meanwhile. Their callers were told
 * that they failed and have tried again, perhaps gone on to the next change: made now, an old one would come over a new
 * one. So they are refused as not begun, and whoever does wait asks another node.
 */
export function standstillMiddleware(): Middleware {
  let broker: ServiceBroker | undefined;
  const standstill = new Standstill((hungMs) =>
    broker?.logger.warn(
      `This process hung for ${(hungMs / 1_000).toFixed(1)} s: calls of other nodes that came meanwhile are refused`,
    ),
  );
  let timer: NodeJS.Timeout | undefined;
  const middleware = {
    name: "Standstill",
    starting: (starting: ServiceBroker) => {
      standstill.note();
      broker = starting;
      if (transitOf(broker)) timer = setInterval(() => standstill.note(), NOTE_MS).unref();
    },
    stopped: () => clearInterval(timer),
    localAction:
      (next: Handler, { name }: { name: string }): Handler =>
      (ctx) =>
        timer !== undefined && ctx.nodeID !== ctx.broker.nodeID && standstill.isJustOver
          ? Promise.reject(new Errors.ServiceNotAvailableError({ action: name, nodeID: ctx.broker.nodeID }))
          : next(ctx),
  };
  return middlewareOf(middleware);
}
