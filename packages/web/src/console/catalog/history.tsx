import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { partline } from "../partline.ts";
import { NumberPagination } from "../shared/number-pagination.tsx";
import { Refusal } from "../shared/refusal.tsx";
import { Section } from "../shared/section.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { SyncRows } from "./sync-rows.tsx";

const { syncs } = texts;
const PAGE_SIZE = 10;

/** Syncs that run, and those of the last 30 days. */
export function History({ onLook }: { onLook(syncId: string): void }): ReactNode {
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const { data, refusal } = useReading(
    ["syncs", page],
    (signal) => partline.catalog.syncs({ page, pageSize: PAGE_SIZE }, { signal }),
    { isRunning: (answer) => answer.syncs.some(({ status }) => status === "running"), onEnded: refresh },
  );
  return (
    <Section title={syncs.history}>
      <Refusal error={refusal} />
      <SyncRows name={syncs.history} emptyText={syncs.none} summaries={data?.syncs} onLook={onLook} />
      <NumberPagination page={page} pageSize={PAGE_SIZE} total={data?.pagination.total} onChange={setPage} />
    </Section>
  );
}
