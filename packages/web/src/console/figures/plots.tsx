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
  const { gross, refunded: refunds } = revenue.revenue;
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
        description={t.takenAndPaidBack(money(gross, currency), money(refunds, currency))}
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
      <Plot
        title={t.checkouts}
        type="bar"
        axis={texts.time}
        labels={labels(conversion.series)}
        sets={[
          { label: t.started, values: conversion.series.map(({ checkouts }) => checkouts.started) },
          { label: t.paid, values: conversion.series.map(({ checkouts }) => checkouts.paid) },
        ]}
        description={t.ofCheckouts(conversion.checkouts.paid, conversion.checkouts.started)}
      />
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
