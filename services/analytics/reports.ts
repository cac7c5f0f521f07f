import type { Params, Result } from "@partline/api-contracts";
import type { DocumentStore } from "@partline/durable";
import type { analyticsContract } from "./contract.ts";
import { CHECKPOINTS, type Checkpoint } from "./collections.ts";
import { createRowStore } from "./row-store.ts";
import { toConversionFigures, toConversionSlot, FUNNEL_HOURS } from "./conversion.ts";
import type { ProjectionName } from "./resources.ts";
import {
  ORDER_HOURS,
  toOrderFigures,
  toOrderSlot,
  PART_HOURS,
  toRevenueFigures,
  toRevenueSlot,
  sumSoldParts,
} from "./orders.ts";
import { resolvePeriod, createSlots, type CountedPeriod, type Interval, type Sum } from "./period.ts";
import { toHour } from "./hours.ts";
import { addCounters, type Counters } from "./counters.ts";
import type { Table } from "./rows.ts";
import { SEARCH_HOURS, sumSearchHours } from "./searches.ts";
import { countBehind, type Head } from "./projector.ts";

type Actions = (typeof analyticsContract)["actions"];

type Reports = {
  [A in Exclude<keyof Actions, "projections" | "rebuild" | "exportSearches">]: (ctx: {
    params: Params<Actions[A]>;
  }) => Promise<Result<Actions[A]>>;
};

const AT_A_GLANCE = 5;

export function createReports({ documents, head }: { documents: DocumentStore; head: Head }): Reports {
  const checkpoints = documents.collection<Checkpoint>(CHECKPOINTS);
  const rows = createRowStore(documents);

  /** Adds the rows of a period to what `begin` makes. */
  async function readSum<Row extends object, Added extends Sum<Row>>(
    projection: ProjectionName,
    table: Table<Row>,
    period: CountedPeriod,
    begin: () => Added,
  ): Promise<CountedSum<Added>> {
    const sum = begin();
    const checkpoint = await checkpoints.findOne({ _id: projection });
    if (!checkpoint) return { sum, position: 0, asOf: null };
    const { generation, position, asOf } = checkpoint;
    for await (const [hour, row] of rows.readRange(
      { name: projection, generation },
      table.name,
      toHour(period.from),
      toHour(period.to),
    ))
      sum.add(hour, row as Row);
    // Another generation may have replaced it, and its rows be half removed.
    const laterCheckpoint = await checkpoints.findOne({ _id: projection });
    if (laterCheckpoint?.generation !== generation) return readSum(projection, table, period, begin);
    return { sum, position, asOf: asOf ?? null };
  }

  /** Returns the head of an answer: of several sums, the least advanced one's. */
  async function toHead(period: CountedPeriod, ...counted: CountedSum<object>[]) {
    const position = Math.min(...counted.map((result) => result.position));
    const least = counted.find((result) => result.position === position)!;
    return { ...period, as_of: least.asOf, behind: countBehind(await head(position), position) };
  }

  const sumOrders = (period: CountedPeriod, interval?: Interval) =>
    readSum("orders", ORDER_HOURS, period, () => createSlots<Counters>(interval, {}, addCounters));
  const sumParts = (period: CountedPeriod) => readSum("orders", PART_HOURS, period, sumSoldParts);
  const sumFunnel = (period: CountedPeriod, interval?: Interval) =>
    readSum("conversion", FUNNEL_HOURS, period, () => createSlots<Counters>(interval, {}, addCounters));
  const sumSearches = (period: CountedPeriod, interval?: Interval) =>
    readSum("searches", SEARCH_HOURS, period, () => sumSearchHours(interval));

  async function buildTimeline<Figures, Slot>(
    { interval, ...ends }: Params<Actions["orders"]>,
    sumPeriod: typeof sumOrders,
    toFigures: (sum: Counters) => Figures,
    toSlot: (sum: Counters) => Slot,
  ) {
    const period = resolvePeriod(ends, new Date(), interval);
    const counted = await sumPeriod(period, interval);
    const series = counted.sum.listSeries(period, toSlot);
    return { ...(await toHead(period, counted)), ...toFigures(counted.sum.getTotal()), series };
  }

  return {
    async overview({ params: ends }) {
      const period = resolvePeriod(ends, new Date());
      const [orders, parts, funnel, searches] = await Promise.all([
        sumOrders(period),
        sumParts(period),
        sumFunnel(period),
        sumSearches(period),
      ]);
      return {
        ...(await toHead(period, orders, parts, funnel, searches)),
        orders: toOrderFigures(orders.sum.getTotal()),
        revenue: toRevenueFigures(orders.sum.getTotal()),
        conversion: toConversionFigures(funnel.sum.getTotal()),
        searches: searches.sum.getFigures(),
        topParts: parts.sum.listTop(AT_A_GLANCE),
        topSearches: searches.sum.listTop("searches", AT_A_GLANCE),
        topZeroHits: searches.sum.listTop("zeroHits", AT_A_GLANCE),
      };
    },
    orders: ({ params }) => buildTimeline(params, sumOrders, toOrderFigures, toOrderSlot),
    revenue: ({ params }) => buildTimeline(params, sumOrders, toRevenueFigures, toRevenueSlot),
    conversion: ({ params }) => buildTimeline(params, sumFunnel, toConversionFigures, toConversionSlot),
    async parts({ params: { sort, limit, ...ends } }) {
      const period = resolvePeriod(ends, new Date());
      const parts = await sumParts(period);
      return { ...(await toHead(period, parts)), parts: parts.sum.listTop(limit, sort) };
    },
    async searches({ params: { interval, limit, ...ends } }) {
      const period = resolvePeriod(ends, new Date(), interval);
      const searches = await sumSearches(period, interval);
      return {
        ...(await toHead(period, searches)),
        ...searches.sum.getFigures(),
        queries: searches.sum.listTop("searches", limit),
        series: searches.sum.listSeries(period),
      };
    },
    async zeroHits({ params: { limit, ...ends } }) {
      const period = resolvePeriod(ends, new Date());
      const searches = await sumSearches(period);
      return {
        ...(await toHead(period, searches)),
        ...searches.sum.getFigures(),
        queries: searches.sum.listTop("zeroHits", limit),
      };
    },
  };
}

interface CountedSum<Added> {
  sum: Added;
  position: number;
  asOf: Date | null;
}
