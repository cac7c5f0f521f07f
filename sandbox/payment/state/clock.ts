/** The account's clock: the machine's, and as much later as it was told to be. */
export function createClock() {
  let offsetSeconds = 0;
  const now = () => Math.floor(Date.now() / 1_000) + offsetSeconds;
  return {
    /** Unix seconds. */
    now,
    /** Moves the clock forward; returns the new time. Lasts until the restart. */
    advance(seconds: number): number {
      offsetSeconds += seconds;
      return now();
    },
  };
}
