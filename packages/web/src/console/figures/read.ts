import type { OrderStats } from "@partline/client";
import { partline } from "../partline.ts";
import { boundsOf, type Period } from "../shared/period.ts";

const MOST_LISTED = 10;

/** Everything that the page of figures shows of a period. */
export async function readFigures(period: Period, signal: AbortSignal) {
  const { interval, ...bounds } = boundsOf(period, Date.now());
  const slots = { ...bounds, interval };
  const listed = { ...bounds, limit: MOST_LISTED };
  const { analytics } = partline;
  const [orders, revenue, conversion, searches, zeroHits, parts] = await Promise.all([
    analytics.orders(slots, { signal }),
    analytics.revenue(slots, { signal }),
    analytics.conversion(slots, { signal }),
    analytics.searches({ ...slots, limit: MOST_LISTED }, { signal }),
    analytics.zeroHits(listed, { signal }),
    analytics.parts(listed, { signal }),
  ]);
  return { interval, orders, revenue, conversion, searches, zeroHits, parts };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** By the orders themselves, as they are now. */
export function readOrderStats(period: Period, signal: AbortSignal): Promise<OrderStats> {
  const { interval: _, ...bounds } = boundsOf(period, Date.now());
  return partline.order.adminStats(bounds, { signal });
}
