/** The catalog may start after the search service: at first it is asked again soon, and then now and then. */
const SOON_MS = 250;
const NOW_AND_THEN_MS = 30_000;
const AFTER_FAILURE_MS = 5_000;

/** Catches up at the start and at intervals, for imports whose refresh never came. A catalog that is not there yet is no failure. */
export function keepInStep(index: { catchUp(): Promise<number> }, onError: (error: unknown) => void): { stop(): Promise<void> } {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = async (): Promise<void> => {
    let delay = NOW_AND_THEN_MS;
    try {
      await index.catchUp();
    } catch (error) {
      delay = isAbsent(error) ? SOON_MS : AFTER_FAILURE_MS;
      if (!isAbsent(error)) onError(error);
    }
    if (isStopped) return;
    timer = setTimeout(start, delay);
    timer.unref();
  };
  const start = (): void => {
    running = turn();
  };
  start();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Moleculer's word for a service that no node offers (yet). */
function isAbsent(error: unknown): boolean {
  const type = error instanceof Error && "type" in error ? error.type : undefined;
  return type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE";
}
