/** The catalog may start later than this service: it is asked often at first. */
const SOON_MS = 250;
const NOW_AND_THEN_MS = 30_000;
const AFTER_FAILURE_MS = 5_000;
/** All services of a starting system are there by then. */
const START_MS = 30_000;

interface Logger {
  info(message: string): void;
  warn(message: string, error: unknown): void;
}

/**
 * Catches up at the start, on demand, and at intervals in case an event was lost. A catalog that is not there yet is
 * no failure; a failure is logged when it begins and when it is over.
 */
export function createCatalogFollower(index: { catchUp(): Promise<number> }, logger: Logger) {
  let isStopped = false;
  let isFailing = false;
  const startedAt = performance.now();
  let state: "behind" | "failing" | "caught-up" = "behind";
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const turn = async (): Promise<void> => {
    let delay = NOW_AND_THEN_MS;
    try {
      await index.catchUp();
      state = "caught-up";
      if (isFailing) logger.info("The search index has caught up again");
      isFailing = false;
    } catch (error) {
      delay = isAbsent(error) ? SOON_MS : AFTER_FAILURE_MS;
      if (state === "behind" && performance.now() - startedAt > START_MS) state = "failing";
      if (!isAbsent(error) && !isFailing && !isStopped) {
        isFailing = true;
        logger.warn("The search index cannot catch up; it is tried again until it does", error);
      }
    }
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(start, delay);
    timer.unref();
  };
  const start = (): Promise<void> => {
    const currentTurn = turn();
    running = Promise.all([running, currentTurn]);
    return currentTurn;
  };
  void start();
  return {
    /**
     * `behind` until a turn has succeeded: parts may be missing. `failing` if none has for 30 s: the index is as it was
     * left. `caught-up` from the first success on.
     */
    state: () => state,
    /** Catches up now; resolves after the attempt. */
    hurry: start,
    stop: async (): Promise<void> => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Returns whether an error says that no node offers the service (yet). */
export function isAbsent(error: unknown): boolean {
  const type = error instanceof Error && "type" in error ? error.type : undefined;
  return type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE";
}
