import type { SyncSummary } from "@partline/client";
import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { NumberPagination } from "../number-pagination.tsx";
import { Section } from "../orders/section.tsx";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";
import { useWatched } from "../use-watched.ts";
import { SyncRows } from "./sync-rows.tsx";

const { syncs } = texts;
const PAGE_SIZE = 10;

/** Syncs that run, and those of the last 30 days. */
export function History({ onLook }: { onLook(syncId: string): void }): ReactNode {
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const { data, total, error } = useWatched<SyncSummary & { id: string }>(
    "syncs",
    { isRunning: ({ status }) => status === "running", onEnded: refresh },
    { pagination: { page, perPage: PAGE_SIZE } },
  );
  return (
    <Section title={syncs.history}>
      <Refusal of={error} />
      <SyncRows name={syncs.history} none={syncs.none} of={data} onLook={onLook} />
      <NumberPagination page={page} pageSize={PAGE_SIZE} total={total} onChange={setPage} />
    </Section>
  );
}
