import { partline } from "../partline.ts";
import { computeBounds, type Period } from "../shared/period.ts";

/** Reads the present state. */
export async function readNow(signal: AbortSignal) {
  const { healthAnalytics } = partline;
  const [overview, { nodes }] = await Promise.all([
    healthAnalytics.overview({}, { signal }),
    healthAnalytics.nodes({}, { signal }),
  ]);
  return { overview, nodes };
}

/** What was so in a period. */
export async function readHistory(period: Period, signal: AbortSignal) {
  const { interval: _, ...bounds } = computeBounds(period, Date.now());
  const { healthAnalytics } = partline;
  const [{ entryPoints }, latency, queues, { incidents }] = await Promise.all([
    healthAnalytics.entryPoints(bounds, { signal }),
    healthAnalytics.latency(bounds, { signal }),
    healthAnalytics.queues(bounds, { signal }),
    healthAnalytics.incidents(bounds, { signal }),
  ]);
  return { entryPoints, latency, queues, incidents };
}

export type Now = Awaited<ReturnType<typeof readNow>>;
export type History = Awaited<ReturnType<typeof readHistory>>;
