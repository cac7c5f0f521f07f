import type { SyncSummary } from "@partline/client";
import type { ReactNode } from "react";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { SyncRows } from "./sync-rows.tsx";

const { syncs } = texts;
const DAY_MS = 24 * 60 * 60 * 1_000;
const NEWEST = { page: 1, pageSize: 50 };

/** Syncs of the last day that did not get everything. */
export function Faults({ onLook }: { onLook(syncId: string): void }): ReactNode {
  const { data, refusal } = useReading(["sync-faults"], readFaults);
  return (
    <Section title={syncs.faults}>
      <Refusal error={refusal} />
      <SyncRows name={syncs.faults} emptyText={syncs.noFault} summaries={data} onLook={onLook} />
    </Section>
  );
}

async function readFaults(signal: AbortSignal): Promise<SyncSummary[]> {
  const reports = await Promise.all(
    (["failed", "partially_failed"] as const).map((status) =>
      partline.catalog.syncs({ status, ...NEWEST }, { signal }),
    ),
  );
  return reports
    .flatMap(({ syncs: ended }) => ended)
    .filter(({ startedAt }) => Date.parse(startedAt) > Date.now() - DAY_MS)
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
}
