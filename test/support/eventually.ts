import type { Channels } from "../../packages/durable/src/channels/port.ts";

/** Between two probes: a tenth of the wait so far. Each probe takes processor time from the system under test. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [20, 100];

/**
 * Polls until the probe answers something other than undefined or false. @throws what the last probe threw, or that
 * nothing came
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const begunAt = Date.now();
  const deadline = begunAt + timeoutMs;
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
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, (Date.now() - begunAt) / 10));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw lastError;
}

/**
 * Polls until every event that was written is relayed and handled. An unrelayed one is in `outbox`, not in `pending`.
 */
export async function awaitNoEvents(channels: Pick<Channels, "depth">): Promise<void> {
  await eventually(async () => {
    const { outbox, pending } = await channels.depth();
    return outbox + pending === 0;
  });
}
