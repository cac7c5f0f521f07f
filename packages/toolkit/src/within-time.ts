/** Longest wait for a store, a transport or a node to say how it is, milliseconds. */
export const LONGEST_LOOK = 2_000;

/** Returns the work's result; undefined if it fails or is late. */
export function waitAtMost<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  return withTimeout(
    work.catch(() => undefined),
    milliseconds,
    () => undefined,
  );
}

/**
 * Returns the work's result, or what `late` returns or throws when the time is over. The work goes on; its late failure
 * is ignored.
 */
export function withTimeout<T, L>(work: Promise<T>, milliseconds: number, late: () => L): Promise<T | L> {
  // A race of promises would take five times as long, at each search.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        try {
          resolve(late());
        } catch (error) {
          reject(error as Error);
        }
      },
      Math.max(0, milliseconds),
    );
    const settleOnce = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    work.then(
      (value) => settleOnce(() => resolve(value)),
      (error: unknown) => settleOnce(() => reject(error as Error)),
    );
  });
}
