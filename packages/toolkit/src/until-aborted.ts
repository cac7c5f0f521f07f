/**
 * Returns the work's result unless the signal is aborted first. The work goes on; its late failure is ignored.
 * @throws what `reason` makes, by default the signal's own
 */
export async function raceAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  createReason: () => unknown = () => signal.reason,
): Promise<T> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(createReason());
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  return Promise.race([work, left]).finally(() => signal.removeEventListener("abort", leave));
}
