import type { ReactNode } from "react";
import { money } from "../format.ts";
import { Grid } from "../grid.tsx";
import { Section } from "../orders/section.tsx";
import { slotLabel } from "../period.ts";
import { Plot } from "../plot.tsx";
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
      <Section title={t.revenueIn(currency.toUpperCase())}>
        <Plot
          type="bar"
          labels={labels(revenue.series)}
          sets={[
            { label: t.taken, values: revenue.series.map((slot) => slot.gross) },
            { label: t.paidBack, values: revenue.series.map((slot) => slot.refunded) },
          ]}
          description={t.takenAndPaidBack(money(gross, currency), money(refunded, currency))}
        />
      </Section>
      <Section title={t.orders}>
        <Plot
          type="bar"
          labels={labels(orders.series)}
          sets={[
            { label: t.made, values: orders.series.map((slot) => slot.orders) },
            { label: t.cancelled, values: orders.series.map((slot) => slot.cancelled) },
          ]}
          description={t.ordersOf(orders.totalOrders, orders.byStatus.cancelled ?? 0)}
        />
      </Section>
      <Section title={t.funnel}>
        <Plot
          type="bar"
          isHorizontal
          labels={[t.saved, t.checkedOut, t.paid]}
          sets={[{ label: t.carts, values: [saved, checkedOut, paid] }]}
          description={t.funnelOf(saved, checkedOut, paid)}
        />
      </Section>
      <Section title={t.searches}>
        <Plot
          type="line"
          labels={labels(searches.series)}
          sets={[
            { label: t.searches, values: searches.series.map((slot) => slot.searches) },
            { label: t.zeroHits, values: searches.series.map((slot) => slot.zeroHits) },
          ]}
          description={t.searchesOf(searches.searches, searches.zeroHits)}
        />
      </Section>
    </Grid>
  );
}
