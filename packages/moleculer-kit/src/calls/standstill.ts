import { Errors, type Middleware, type ServiceBroker } from "moleculer";
import { toMiddleware, findTransit, type Handler } from "../internals.ts";

/** Between two notes that the process runs, milliseconds. */
const NOTE_MS = 250;
/**
 * After a stall of this length other nodes treat this one as gone (failure-detector.ts): its calls have failed or were
 * repeated; milliseconds.
 */
const GIVEN_UP_AFTER_MS = 5_000;
/** How long a process may still read what came while it hung, milliseconds. */
const STALE_MS = 1_000;

/** Finds out whether this process hung (stopped, or busy for seconds) a moment ago. */
export function createStandstill(onOver: (hungMs: number) => void, readClock = (): number => performance.now()) {
  let notedAt = readClock();
  let staleUntil = -Infinity;
  /** Call it at an interval. */
  const note = (): void => {
    const hungMs = readClock() - notedAt;
    notedAt += hungMs;
    if (hungMs < GIVEN_UP_AFTER_MS) return;
    staleUntil = notedAt + STALE_MS;
    onOver(hungMs);
  };
  return {
    note,
    /** Returns whether a call that arrives now may already be given up by its caller. */
    isJustOver: (): boolean => {
      // Packets may be read before the timer runs.
      note();
      return readClock() < staleUntil;
    },
  };
}

/**
 * Refuses, as not begun, calls of other nodes that came while this process hung: their callers saw them fail and may
 * have made the next change, which an old one must not overwrite. A caller that still waits asks another node.
 */
export function createStandstillMiddleware(): Middleware {
  let broker: ServiceBroker | undefined;
  const standstill = createStandstill((hungMs) =>
    broker?.logger.warn(
      `This process hung for ${(hungMs / 1_000).toFixed(1)} s: calls of other nodes that came meanwhile are refused`,
    ),
  );
  let timer: NodeJS.Timeout | undefined;
  return toMiddleware({
    name: "Standstill",
    starting: (starting: ServiceBroker) => {
      standstill.note();
      broker = starting;
      if (findTransit(broker)) timer = setInterval(() => standstill.note(), NOTE_MS).unref();
    },
    stopped: () => clearInterval(timer),
    localAction:
      (next: Handler, { name }: { name: string }): Handler =>
      (ctx) =>
        timer !== undefined && ctx.nodeID !== ctx.broker.nodeID && standstill.isJustOver()
          ? Promise.reject(new Errors.ServiceNotAvailableError({ action: name, nodeID: ctx.broker.nodeID }))
          : next(ctx),
  });
}
