import type { Params, Result } from "../../../broker/contract/define.ts";
import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import type { analyticsContract } from "../contract.ts";
import { FUNNEL_HOURS, type FunnelHour } from "../projections/conversion.ts";
import { sumOf, type Counters } from "../projections/counters.ts";
import { ORDER_HOURS, PART_HOURS, type OrderHour } from "../projections/orders.ts";
import { SEARCH_HOURS } from "../projections/searches.ts";
import { behind, type Head } from "../standing.ts";
import { conversionFigures, conversionSlot } from "./conversion.ts";
import { orderFigures, orderSlot, revenueFigures, revenueSlot, SoldParts } from "./orders.ts";
import { countedPeriod, type CountedPeriod, type Interval } from "./period.ts";
import { createReader, type Counted } from "./reader.ts";
import { SearchSums } from "./searches.ts";
import { Slots } from "./sums.ts";

type Actions = (typeof analyticsContract)["actions"];

export type Reports = {
  [A in Exclude<keyof Actions, "projections" | "rebuild" | "exportSearches">]: (
    params: Params<Actions[A]>,
  ) => Promise<Result<Actions[A]>>;
};

const AT_A_GLANCE = 5;

export function createReports({ documents, head }: { documents: DocumentStore; head: Head }): Reports {
  const read = createReader(documents);
  /** Of several, the least advanced. */
  async function headOf(period: CountedPeriod, ...counted: Counted<object>[]) {
    const position = Math.min(...counted.map((each) => each.position));
    const least = counted.find((each) => each.position === position)!;
    return { ...period, as_of: least.asOf, behind: behind(await head(position), position) };
  }

  const ordersIn = (period: CountedPeriod, interval: Interval = "day") =>
    read("orders", ORDER_HOURS, period, () => new Slots<OrderHour>(interval, {}, sumOf));
  const partsIn = (period: CountedPeriod) => read("orders", PART_HOURS, period, () => new SoldParts());
  const funnelIn = (period: CountedPeriod, interval: Interval = "day") =>
    read("conversion", FUNNEL_HOURS, period, () => new Slots<FunnelHour>(interval, {}, sumOf));
  const searchesIn = (period: CountedPeriod, interval: Interval = "day") =>
    read("searches", SEARCH_HOURS, period, () => new SearchSums(interval));

  async function timeline<Figures, Slot>(
    { interval, ...ends }: Params<Actions["orders"]>,
    countedIn: typeof ordersIn,
    figuresOf: (sum: Counters) => Figures,
    slotOf: (sum: Counters) => Slot,
  ) {
    const period = countedPeriod(ends, new Date(), interval);
    const counted = await countedIn(period, interval);
    const series = counted.sum.series(period, slotOf);
    return { ...(await headOf(period, counted)), ...figuresOf(counted.sum.total), series };
  }

  return {
    async overview(ends) {
      const period = countedPeriod(ends, new Date());
      const [orders, parts, funnel, searches] = await Promise.all([
        ordersIn(period),
        partsIn(period),
        funnelIn(period),
        searchesIn(period),
      ]);
      return {
        ...(await headOf(period, orders, parts, funnel, searches)),
        orders: orderFigures(orders.sum.total),
        revenue: revenueFigures(orders.sum.total),
        conversion: conversionFigures(funnel.sum.total),
        searches: searches.sum.figures(),
        topParts: parts.sum.top(AT_A_GLANCE),
        topSearches: searches.sum.topSearches(AT_A_GLANCE),
        topZeroHits: searches.sum.topZeroHits(AT_A_GLANCE),
      };
    },
    orders: (params) => timeline(params, ordersIn, orderFigures, orderSlot),
    revenue: (params) => timeline(params, ordersIn, revenueFigures, revenueSlot),
    conversion: (params) => timeline(params, funnelIn, conversionFigures, conversionSlot),
    async parts({ sort, limit, ...ends }) {
      const period = countedPeriod(ends, new Date());
      const parts = await partsIn(period);
      return { ...(await headOf(period, parts)), parts: parts.sum.top(limit, sort) };
    },
    async searches({ interval, limit, ...ends }) {
      const period = countedPeriod(ends, new Date(), interval);
      const searches = await searchesIn(period, interval);
      return {
        ...(await headOf(period, searches)),
        ...searches.sum.figures(),
        queries: searches.sum.topSearches(limit),
        series: searches.sum.series(period),
      };
    },
    async zeroHits({ limit, ...ends }) {
      const period = countedPeriod(ends, new Date());
      const searches = await searchesIn(period);
      return {
        ...(await headOf(period, searches)),
        ...searches.sum.figures(),
        queries: searches.sum.topZeroHits(limit),
      };
    },
  };
}
