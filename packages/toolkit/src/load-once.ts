/**
 * Returns a function that loads something at its first call, and returns the same from then on. After a failure, which
 * may pass (files that ran out, a server that was away), the next call tries again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
