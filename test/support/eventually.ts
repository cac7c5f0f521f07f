/**
 * Polls until the probe answers something other than undefined or false. @throws what the last probe threw, or that
 * nothing came
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  const nothingCame = new Error(`Nothing came in ${timeoutMs} ms`);
  let lastError: unknown = nothingCame;
  while (Date.now() < deadline) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
      lastError = nothingCame;
    } catch (error) {
      lastError = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw lastError;
}
