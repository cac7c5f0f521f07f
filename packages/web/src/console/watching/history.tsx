import type { ReactNode } from "react";
import { count, moment, share } from "../shared/format.ts";
import { Grid } from "../shared/grid.tsx";
import { Section } from "../shared/section.tsx";
import { slotLabel } from "../shared/period.ts";
import { Plot } from "../shared/plot.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import type { History } from "./read.ts";

const MOST_ROUTES = 25;

const ms = (value: number | null): string => (value === null ? "–" : texts.watching.milliseconds(Math.round(value)));

/** Shows the state during the period. */
export function HistorySections({ history }: { history: History }): ReactNode {
  const { entryPoints, latency, queues, incidents } = history;
  const t = texts.watching;
  const used = latency.entryPoints.filter(({ requests }) => requests > 0);
  const most = Math.max(0, ...queues.points.map(({ outbox, pending }) => outbox + pending));
  return (
    <>
      <Section title={t.incidents}>
        <FiguresTable
          label={t.incidents}
          head={[t.what, t.kind, t.since, t.until, t.times, t.nodes]}
          rows={incidents.map(({ cause, kind, startedAt, endedAt, spells, nodes }) => [
            cause,
            t.kinds[kind],
            moment(startedAt),
            endedAt === null ? <Status key="open" state="open" /> : moment(endedAt),
            count(spells),
            nodes.join(", "),
          ])}
        />
      </Section>
      <Grid>
        <Plot
          title={t.queues}
          axis={texts.time}
          type="line"
          labels={queues.points.map(({ at: time }) => slotLabel(time, queues.interval))}
          sets={[
            { label: t.waiting, values: queues.points.map(({ outbox, pending }) => outbox + pending) },
            { label: t.dead, values: queues.points.map(({ dead }) => dead) },
          ]}
          description={t.queuesOf(most)}
        />
        <Plot
          title={t.latencies}
          axis={t.entryPoint}
          type="bar"
          isHorizontal
          labels={used.map(({ entry }) => entry)}
          sets={[
            { label: "p50", values: used.map(({ p50Ms }) => p50Ms) },
            { label: "p95", values: used.map(({ p95Ms }) => p95Ms) },
          ]}
          description={t.latenciesOf(used.map(({ entry, p95Ms }) => `${entry} ${ms(p95Ms)}`).join(", "))}
        />
      </Grid>
      <Section title={t.routes}>
        <FiguresTable
          label={t.routes}
          figuresFrom={2}
          head={[t.entryPoint, t.route, t.requests, t.errors, "p50", "p95", "p99"]}
          rows={latency.routes
            .slice(0, MOST_ROUTES)
            .map(({ entry, method, route, requests, errors, p50Ms, p95Ms, p99Ms }) => [
              ...[entry, `${method} ${route}`, count(requests), count(errors)],
              ...[p50Ms, p95Ms, p99Ms].map(ms),
            ])}
        />
      </Section>
      <Section title={t.entryPoints}>
        <FiguresTable
          label={t.entryPoints}
          head={[t.entryPoint, t.state, t.available, t.nodes]}
          rows={entryPoints.map(({ entry, state, availability, nodes }) => [
            entry,
            <Status key="state" state={state} />,
            share(availability),
            nodes.map(({ node, failing }) => [node, ...failing].join(" · ")).join(", "),
          ])}
        />
      </Section>
    </>
  );
}
