import type { ReactNode } from "react";
import { count } from "../format.ts";
import { Section } from "../orders/section.tsx";
import type { Period } from "../period.ts";
import { Refusal } from "../refusal.tsx";
import { Rows } from "../rows.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../use-reading.ts";
import { readOrderStats } from "./read.ts";

/** Orders of the period by what they are now. */
export function OrderStatistics({ period }: { period: Period }): ReactNode {
  const { data, refusal } = useReading(["order-stats", period], (signal) => readOrderStats(period, signal));
  const t = texts.figures;
  const rowsOf = (counts: Record<string, number>): string[][] =>
    Object.entries(counts)
      .filter(([, orders]) => orders > 0)
      .map(([status, orders]) => [texts.statuses[status] ?? status, count(orders)]);
  return (
    <Section title={t.byStatus}>
      <Refusal of={refusal} />
      {data && (
        <Rows
          label={t.byStatus}
          head={[t.status, t.orders]}
          rows={[...rowsOf(data.byStatus), ...rowsOf(data.byPaymentStatus)]}
        />
      )}
    </Section>
  );
}
