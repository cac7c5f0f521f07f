import type { OrderStats } from "@partline/client";
import { partline } from "../partline.ts";
import { computeBounds, findPrecedingPeriod, type Period } from "../shared/period.ts";

const MOST_LISTED = 10;

/** Everything that the page of figures shows of a period. */
export async function readFigures(period: Period, signal: AbortSignal) {
  const now = Date.now();
  const { interval, ...bounds } = computeBounds(period, now);
  const slots = { ...bounds, interval };
  const listed = { ...bounds, limit: MOST_LISTED };
  const { analytics } = partline;
  const readGlance = async (within: Parameters<typeof analytics.orders>[0]) => {
    const [orders, revenue, conversion, searches] = await Promise.all([
      analytics.orders(within, { signal }),
      analytics.revenue(within, { signal }),
      analytics.conversion(within, { signal }),
      analytics.searches({ ...within, limit: MOST_LISTED }, { signal }),
    ]);
    return { orders, revenue, conversion, searches };
  };
  const [glance, preceding, zeroHits, parts] = await Promise.all([
    readGlance(slots),
    readGlance(findPrecedingPeriod(period, now)),
    analytics.zeroHits(listed, { signal }),
    analytics.parts(listed, { signal }),
  ]);
  return { interval, ...glance, preceding, zeroHits, parts };
}

export type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Reads figures of the orders themselves, as they are now. */
export function readOrderStats(period: Period, signal: AbortSignal): Promise<OrderStats> {
  const { interval: _, ...bounds } = computeBounds(period, Date.now());
  return partline.order.adminStats(bounds, { signal });
}
