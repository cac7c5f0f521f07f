import Alert from "@mui/material/Alert";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { count, moment, money, share } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { Page } from "../shared/page.tsx";
import { PeriodForm, usePeriod } from "../shared/period-form.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { texts } from "../texts.ts";
import { Tiles } from "../shared/tiles.tsx";
import { useReading } from "../shared/use-reading.ts";
import { OrderStatistics } from "./order-stats.tsx";
import { FigurePlots } from "./plots.tsx";
import { Projections } from "./projections.tsx";
import { readFigures, type Figures } from "./read.ts";
import { FigureTables } from "./tables.tsx";

const DAYS = 30;
const AGAIN_MS = 60_000;

/** What the shop sold and what was searched for, in any period. */
export default function FiguresPage(): ReactNode {
  const [period, setPeriod] = usePeriod(DAYS);
  const may = useMay();
  const { data, refusal } = useReading(["figures", period], (signal) => readFigures(period, signal), {
    everyMs: AGAIN_MS,
  });
  return (
    <Page title={texts.menu.figures}>
      <PeriodForm period={period} onChange={setPeriod} />
      <Refusal error={refusal} />
      {data && (
        <>
          <Standing figures={data} />
          <Glance figures={data} />
          <FigurePlots figures={data} />
          <FigureTables figures={data} />
        </>
      )}
      {may("orders:read") && <OrderStatistics period={period} />}
      <Projections />
    </Page>
  );
}

/** How far the figures are counted. */
function Standing({ figures: { revenue } }: { figures: Figures }): ReactNode {
  const { as_of, behind: lag } = revenue;
  const until = as_of === null ? texts.figures.nothingYet : texts.figures.countedUntil(moment(as_of));
  if (lag === 0) return <Typography role="status">{until}</Typography>;
  const late = lag === null ? texts.figures.unknownBehind : texts.figures.eventsBehind(count(lag));
  return <Alert severity="warning" role="status">{`${until} · ${late}`}</Alert>;
}

function Glance({ figures: { orders, revenue, conversion, searches, preceding } }: { figures: Figures }): ReactNode {
  const { currency, chargedOrders, averageOrderValue } = revenue;
  const { gross, refunded: refunds, disputed, net } = revenue.revenue;
  const t = texts.figures;
  const { checkouts, rates } = conversion;
  const inCurrency = (amount: number): string => money(amount, currency);
  const shareWithoutResult = (counts: Figures["searches"]): string =>
    share(counts.searches === 0 ? null : counts.zeroHits / counts.searches);
  const income = t.takenAndPaidBack(inCurrency(gross), inCurrency(refunds));
  return (
    <Tiles
      label={t.glance}
      tiles={[
        [
          t.net,
          inCurrency(net),
          [income, ...(disputed > 0 ? [t.disputed(inCurrency(disputed))] : [])].join(", "),
          t.preceding(inCurrency(preceding.revenue.revenue.net)),
        ],
        [
          t.orders,
          count(orders.totalOrders),
          t.paidAndCancelled(chargedOrders, orders.byStatus.cancelled ?? 0),
          t.preceding(count(preceding.orders.totalOrders)),
        ],
        [
          t.average,
          inCurrency(averageOrderValue),
          t.ofPaid,
          t.preceding(inCurrency(preceding.revenue.averageOrderValue)),
        ],
        [
          t.conversion,
          share(rates.checkoutToPaid),
          t.ofCheckouts(checkouts.paid, checkouts.started),
          t.preceding(share(preceding.conversion.rates.checkoutToPaid)),
        ],
        [
          t.zeroShare,
          shareWithoutResult(searches),
          t.ofSearches(searches.zeroHits, searches.searches),
          t.preceding(shareWithoutResult(preceding.searches)),
        ],
      ]}
    />
  );
}
