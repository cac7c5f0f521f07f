import type { Params, Result } from "../../broker/contract/define.ts";
import type { DocumentStore } from "@partline/durable";
import type { analyticsContract } from "./contract.ts";
import { CHECKPOINTS, type Checkpoint } from "./collections.ts";
import { createRowStore } from "./row-store.ts";
import { conversionFigures, conversionSlot, FUNNEL_HOURS } from "./conversion.ts";
import type { ProjectionName } from "./resources.ts";
import { ORDER_HOURS, orderFigures, orderSlot, PART_HOURS, revenueFigures, revenueSlot, soldParts } from "./orders.ts";
import { countedPeriod, slotsOf, type CountedPeriod, type Interval, type Sum } from "./period.ts";
import { hourOf } from "./hours.ts";
import { sumOf, type Counters } from "./counters.ts";
import type { Table } from "./rows.ts";
import { SEARCH_HOURS, searchSums } from "./searches.ts";
import { behind, type Head } from "./projector.ts";

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
  async function read<Row extends object, Added extends Sum<Row>>(
    projection: ProjectionName,
    table: Table<Row>,
    period: CountedPeriod,
    begin: () => Added,
  ): Promise<Counted<Added>> {
    const sum = begin();
    const before = await checkpoints.findOne({ _id: projection });
    if (!before) return { sum, position: 0, asOf: null };
    const { generation, position, asOf } = before;
    for await (const [hour, row] of rows.range(
      { name: projection, generation },
      table.name,
      hourOf(period.from),
      hourOf(period.to),
    ))
      sum.add(hour, row as Row);
    // Another generation may have replaced it, and its rows be half removed.
    const after = await checkpoints.findOne({ _id: projection });
    if (after?.generation !== generation) return read(projection, table, period, begin);
    return { sum, position, asOf: asOf ?? null };
  }

  /** Of several, the least advanced. */
  async function headOf(period: CountedPeriod, ...counted: Counted<object>[]) {
    const position = Math.min(...counted.map((each) => each.position));
    const least = counted.find((each) => each.position === position)!;
    return { ...period, as_of: least.asOf, behind: behind(await head(position), position) };
  }

  const ordersIn = (period: CountedPeriod, interval?: Interval) =>
    read("orders", ORDER_HOURS, period, () => slotsOf<Counters>(interval, {}, sumOf));
  const partsIn = (period: CountedPeriod) => read("orders", PART_HOURS, period, soldParts);
  const funnelIn = (period: CountedPeriod, interval?: Interval) =>
    read("conversion", FUNNEL_HOURS, period, () => slotsOf<Counters>(interval, {}, sumOf));
  const searchesIn = (period: CountedPeriod, interval?: Interval) =>
    read("searches", SEARCH_HOURS, period, () => searchSums(interval));

  async function timeline<Figures, Slot>(
    { interval, ...ends }: Params<Actions["orders"]>,
    countedIn: typeof ordersIn,
    figuresOf: (sum: Counters) => Figures,
    slotOf: (sum: Counters) => Slot,
  ) {
    const period = countedPeriod(ends, new Date(), interval);
    const counted = await countedIn(period, interval);
    const series = counted.sum.series(period, slotOf);
    return { ...(await headOf(period, counted)), ...figuresOf(counted.sum.total()), series };
  }

  return {
    async overview({ params: ends }) {
      const period = countedPeriod(ends, new Date());
      const [orders, parts, funnel, searches] = await Promise.all([
        ordersIn(period),
        partsIn(period),
        funnelIn(period),
        searchesIn(period),
      ]);
      return {
        ...(await headOf(period, orders, parts, funnel, searches)),
        orders: orderFigures(orders.sum.total()),
        revenue: revenueFigures(orders.sum.total()),
        conversion: conversionFigures(funnel.sum.total()),
        searches: searches.sum.figures(),
        topParts: parts.sum.top(AT_A_GLANCE),
        topSearches: searches.sum.top("searches", AT_A_GLANCE),
        topZeroHits: searches.sum.top("zeroHits", AT_A_GLANCE),
      };
    },
    orders: ({ params }) => timeline(params, ordersIn, orderFigures, orderSlot),
    revenue: ({ params }) => timeline(params, ordersIn, revenueFigures, revenueSlot),
    conversion: ({ params }) => timeline(params, funnelIn, conversionFigures, conversionSlot),
    async parts({ params: { sort, limit, ...ends } }) {
      const period = countedPeriod(ends, new Date());
      const parts = await partsIn(period);
      return { ...(await headOf(period, parts)), parts: parts.sum.top(limit, sort) };
    },
    async searches({ params: { interval, limit, ...ends } }) {
      const period = countedPeriod(ends, new Date(), interval);
      const searches = await searchesIn(period, interval);
      return {
        ...(await headOf(period, searches)),
        ...searches.sum.figures(),
        queries: searches.sum.top("searches", limit),
        series: searches.sum.series(period),
      };
    },
    async zeroHits({ params: { limit, ...ends } }) {
      const period = countedPeriod(ends, new Date());
      const searches = await searchesIn(period);
      return {
        ...(await headOf(period, searches)),
        ...searches.sum.figures(),
        queries: searches.sum.top("zeroHits", limit),
      };
    },
  };
}

interface Counted<Added> {
  sum: Added;
  position: number;
  asOf: Date | null;
}
