import type { ReactNode } from "react";
import { count, moment } from "../shared/format.ts";
import { Section } from "../shared/section.tsx";
import { Listed } from "../shared/listed.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { Tiles } from "../shared/tiles.tsx";
import type { Now } from "./read.ts";

const MEBIBYTE = 2 ** 20;

/** The system as it is. */
export function NowSections({ now: { overview, nodes } }: { now: Now }): ReactNode {
  const { state, incidents, queue, traffic, restarts } = overview;
  const t = texts.watching;
  const ms = (value: number | null): string => (value === null ? "–" : t.milliseconds(Math.round(value)));
  return (
    <>
      <Tiles
        label={t.glance}
        tiles={[
          [t.system, texts.statuses[state] ?? state, t.nodesUp(overview.nodes.up, nodes.length)],
          [t.incidentsOpen, count(incidents.length), incidents[0]?.cause ?? t.noIncident],
          [t.p95, ms(traffic.p95Ms), t.requestsAndErrors(count(traffic.requests), count(traffic.errors))],
          [t.queue, queue ? count(queue.outbox + queue.pending) : "–", t.deadLetters(count(queue?.dead ?? 0))],
          [t.restarts, count(restarts), t.lastDay],
        ]}
      />
      <Section title={t.nodes}>
        <Listed
          name={t.nodes}
          emptyText={texts.none}
          items={nodes}
          columns={[
            [t.node, ({ node }) => node],
            [t.state, ({ state: nodeState }) => <Status state={nodeState} />],
            [t.version, ({ version }) => version],
            [t.started, ({ startedAt }) => moment(startedAt)],
            [t.heard, ({ heardAt }) => moment(heardAt)],
            [t.failing, ({ failing }) => failing.join(", ") || "–"],
            [t.eventLoop, ({ eventLoop }) => ms(eventLoop.p99Ms)],
            [t.memory, ({ memory }) => t.mebibytes(count(Math.round(memory.rss / MEBIBYTE)))],
            [t.waiting, ({ queue: waiting }) => (waiting ? count(waiting.outbox + waiting.pending) : "–")],
            [t.runs, ({ services }) => services.join(", ")],
          ]}
        />
      </Section>
    </>
  );
}
