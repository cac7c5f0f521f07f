import type { ReactNode } from "react";
import { count, moment } from "../shared/format.ts";
import { Section } from "../shared/section.tsx";
import { FiguresTable } from "../shared/figures-table.tsx";
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
        <FiguresTable
          label={t.nodes}
          head={[t.node, t.state, t.version, t.started, t.heard, t.failing, t.eventLoop, t.memory, t.waiting, t.runs]}
          rows={nodes.map((node) => [
            node.node,
            <Status key="state" state={node.state} />,
            node.version,
            moment(node.startedAt),
            moment(node.heardAt),
            node.failing.join(", ") || "–",
            ms(node.eventLoop.p99Ms),
            t.mebibytes(count(Math.round(node.memory.rss / MEBIBYTE))),
            node.queue ? count(node.queue.outbox + node.queue.pending) : "–",
            node.services.join(", "),
          ])}
        />
      </Section>
    </>
  );
}
