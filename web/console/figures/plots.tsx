import type { ReactNode } from "react";
import { money } from "../shared/format.ts";
import { Grid } from "../shared/grid.tsx";
import { slotLabel } from "../shared/period.ts";
import { Plot } from "../shared/plot.tsx";
import { texts } from "../texts.ts";
import type { Figures } from "./read.ts";

export function FigurePlots({ figures }: { figures: Figures }): ReactNode {
  const { interval, orders, revenue, conversion, searches } = figures;
  const { currency } = revenue;
  const { gross, refunded } = revenue.revenue;
  const { saved, checkedOut, paid } = conversion.carts;
  const t = texts.figures;
  const labels = (series: { start: string }[]): string[] => series.map(({ start }) => slotLabel(start, interval));
  return (
    <Grid>
      <Plot
        title={t.revenueIn(currency.toUpperCase())}
        type="bar"
        axis={texts.time}
        labels={labels(revenue.series)}
        sets={[
          { label: t.taken, values: revenue.series.map((slot) => slot.gross) },
          { label: t.paidBack, values: revenue.series.map((slot) => slot.refunded) },
        ]}
        description={t.takenAndPaidBack(money(gross, currency), money(refunded, currency))}
      />
      <Plot
        title={t.orders}
        type="bar"
        axis={texts.time}
        labels={labels(orders.series)}
        sets={[
          { label: t.made, values: orders.series.map((slot) => slot.orders) },
          { label: t.cancelled, values: orders.series.map((slot) => slot.cancelled) },
        ]}
        description={t.ordersOf(orders.totalOrders, orders.byStatus.cancelled ?? 0)}
      />
      {saved > 0 && (
        <Plot
          title={t.funnel}
          type="bar"
          isHorizontal
          axis={t.step}
          labels={[t.saved, t.checkedOut, t.paid]}
          sets={[{ label: t.carts, values: [saved, checkedOut, paid] }]}
          description={t.funnelOf(saved, checkedOut, paid)}
        />
      )}
      <Plot
        title={t.searches}
        type="line"
        axis={texts.time}
        labels={labels(searches.series)}
        sets={[
          { label: t.searches, values: searches.series.map((slot) => slot.searches) },
          { label: t.zeroHits, values: searches.series.map((slot) => slot.zeroHits) },
        ]}
        description={t.searchesOf(searches.searches, searches.zeroHits)}
      />
    </Grid>
  );
}
