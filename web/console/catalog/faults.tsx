import type { SyncSummary } from "@partline/client";
import type { ReactNode } from "react";
import { useGetList } from "react-admin";
import { Section } from "../orders/section.tsx";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";
import { SyncRows } from "./sync-rows.tsx";

const { syncs } = texts;
const DAY_MS = 24 * 60 * 60 * 1_000;
const NEWEST = { page: 1, perPage: 50 };

/** Syncs of the last day that did not get everything. */
export function Faults({ onLook }: { onLook(syncId: string): void }): ReactNode {
  const failed = useFaults("failed");
  const partly = useFaults("partially_failed");
  const all =
    failed.data && partly.data
      ? [...failed.data, ...partly.data]
          .filter(({ startedAt }) => Date.parse(startedAt) > Date.now() - DAY_MS)
          .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
      : undefined;
  return (
    <Section title={syncs.faults}>
      <Refusal of={failed.error ?? partly.error} />
      <SyncRows name={syncs.faults} none={syncs.noFault} of={all} onLook={onLook} />
    </Section>
  );
}

function useFaults(status: SyncSummary["status"]) {
  return useGetList<SyncSummary & { id: string }>("syncs", { pagination: NEWEST, filter: { status } });
}
