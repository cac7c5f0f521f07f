import type { ReactNode } from "react";
import { count } from "../shared/format.ts";
import { Section } from "../shared/section.tsx";
import type { Period } from "../shared/period.ts";
import { Refusal } from "../shared/refusal.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { readOrderStats } from "./read.ts";

/** Orders of the period by what they are now. */
export function OrderStatistics({ period }: { period: Period }): ReactNode {
  const { data, refusal } = useReading(["order-stats", period], (signal) => readOrderStats(period, signal));
  const t = texts.figures;
  const toRows = (counts: Record<string, number>): string[][] =>
    Object.entries(counts)
      .filter(([, orders]) => orders > 0)
      .map(([status, orders]) => [texts.statuses[status] ?? status, count(orders)]);
  return (
    <Section title={t.byStatus}>
      <Refusal error={refusal} />
      {data && (
        <>
          <FiguresTable label={t.status} head={[t.status, t.orders]} rows={toRows(data.byStatus)} figuresFrom={1} />
          <FiguresTable
            label={t.paymentStatus}
            head={[t.paymentStatus, t.orders]}
            rows={toRows(data.byPaymentStatus)}
            figuresFrom={1}
          />
        </>
      )}
    </Section>
  );
}
