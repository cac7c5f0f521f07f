import { withScope } from "@partline/toolkit";

export const POLL_MS = 1_000;

export type Turns = ReturnType<typeof createTurns>;

/** Runs a task at an interval and when woken, one run at a time; a wake during a run gets another run. */
export function createTurns(task: () => Promise<void>, onError: (error: unknown) => void, everyMs = POLL_MS) {
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> | undefined;
  let isRequested = false;

  /** Does nothing unless started. */
  const wake = (): void => {
    if (timer === undefined) return;
    if (turn) {
      isRequested = true;
      return;
    }
    // A turn belongs to no request, also if one woke it.
    turn = withScope(undefined, task)
      .catch(onError)
      .finally(() => {
        turn = undefined;
        if (!isRequested) return;
        isRequested = false;
        wake();
      });
  };

  return {
    wake,
    start: (): void => {
      timer = setInterval(() => {
        if (!turn) wake();
      }, everyMs).unref();
      wake();
    },
    /** Resolves when the running turn has ended. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      timer = undefined;
      await turn;
    },
  };
}
