import type { Params, Result } from "../../../broker/contract/define.ts";
import type { analyticsContract } from "../contract.ts";
import { FUNNEL_HOURS } from "../projections/conversion.ts";
import { ORDER_HOURS, PART_HOURS } from "../projections/orders.ts";
import { SEARCH_HOURS } from "../projections/searches.ts";
import { behind, type Head } from "../standing.ts";
import { conversionFigures, conversionSlot } from "./conversion.ts";
import { orderFigures, orderSlot, revenueFigures, revenueSlot, topParts } from "./orders.ts";
import { countedPeriod, seriesOf, type CountedPeriod } from "./period.ts";
import type { Counted, ReadHours } from "./reader.ts";
import { searchedTexts, searchFigures, searchSlot, topSearches, topZeroHits } from "./searches.ts";

type Actions = (typeof analyticsContract)["actions"];
type Report<A extends keyof Actions> = (params: Params<Actions[A]>) => Promise<Result<Actions[A]>>;

export interface Reports {
  overview: Report<"overview">;
  orders: Report<"orders">;
  revenue: Report<"revenue">;
  conversion: Report<"conversion">;
  parts: Report<"parts">;
  searches: Report<"searches">;
  zeroHits: Report<"zeroHits">;
}

/** Entries of a list at a glance. */
const AT_A_GLANCE = 5;

/** What the endpoints answer, each read anew. @throws VALIDATION_FAILED (see `countedPeriod`) */
export function createReports({ read, head }: { read: ReadHours; head: Head }): Reports {
  /** Of several that were read one after another, as far as the one that is least far. */
  async function headOf(period: CountedPeriod, ...counted: Counted<object>[]) {
    const position = Math.min(...counted.map((each) => each.position));
    const least = counted.find((each) => each.position === position)!;
    return { ...period, as_of: least.asOf, behind: behind(await head(), position) };
  }

  return {
    async overview(ends) {
      const period = countedPeriod(ends, new Date());
      const [orders, parts, funnel, searches] = await Promise.all([
        read("orders", ORDER_HOURS, period), read("orders", PART_HOURS, period), read("conversion", FUNNEL_HOURS, period), read("searches", SEARCH_HOURS, period),
      ]);
      const texts = searchedTexts(rowsOf(searches));
      return {
        ...(await headOf(period, orders, parts, funnel, searches)),
        orders: orderFigures(rowsOf(orders)),
        revenue: revenueFigures(rowsOf(orders)),
        conversion: conversionFigures(rowsOf(funnel)),
        searches: searchFigures(rowsOf(searches)),
        topParts: topParts(rowsOf(parts), AT_A_GLANCE),
        topSearches: topSearches(texts, AT_A_GLANCE),
        topZeroHits: topZeroHits(texts, AT_A_GLANCE),
      };
    },
    async orders({ interval, ...ends }) {
      const period = countedPeriod(ends, new Date(), interval);
      const hours = await read("orders", ORDER_HOURS, period);
      return { ...(await headOf(period, hours)), ...orderFigures(rowsOf(hours)), series: seriesOf(period, interval, hours.rows, orderSlot) };
    },
    async revenue({ interval, ...ends }) {
      const period = countedPeriod(ends, new Date(), interval);
      const hours = await read("orders", ORDER_HOURS, period);
      return { ...(await headOf(period, hours)), ...revenueFigures(rowsOf(hours)), series: seriesOf(period, interval, hours.rows, revenueSlot) };
    },
    async conversion({ interval, ...ends }) {
      const period = countedPeriod(ends, new Date(), interval);
      const hours = await read("conversion", FUNNEL_HOURS, period);
      return { ...(await headOf(period, hours)), ...conversionFigures(rowsOf(hours)), series: seriesOf(period, interval, hours.rows, conversionSlot) };
    },
    async parts({ sort, limit, ...ends }) {
      const period = countedPeriod(ends, new Date());
      const hours = await read("orders", PART_HOURS, period);
      return { ...(await headOf(period, hours)), parts: topParts(rowsOf(hours), limit, sort) };
    },
    async searches({ interval, limit, ...ends }) {
      const period = countedPeriod(ends, new Date(), interval);
      const hours = await read("searches", SEARCH_HOURS, period);
      return {
        ...(await headOf(period, hours)), ...searchFigures(rowsOf(hours)),
        queries: topSearches(searchedTexts(rowsOf(hours)), limit), series: seriesOf(period, interval, hours.rows, searchSlot),
      };
    },
    async zeroHits({ limit, ...ends }) {
      const period = countedPeriod(ends, new Date());
      const hours = await read("searches", SEARCH_HOURS, period);
      return { ...(await headOf(period, hours)), ...searchFigures(rowsOf(hours)), queries: topZeroHits(searchedTexts(rowsOf(hours)), limit) };
    },
  };
}

function rowsOf<Row>({ rows }: Counted<Row>): Row[] {
  return rows.map(([, row]) => row);
}
