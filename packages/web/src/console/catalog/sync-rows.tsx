import type { SyncSummary } from "@partline/client";
import type { ReactNode } from "react";
import { count, moment } from "../shared/format.ts";
import { Listed } from "../shared/listed.tsx";
import { Look } from "../shared/look.tsx";
import { Progress } from "../shared/progress.tsx";
import { WorkStatus } from "../shared/status.tsx";
import { VendorName } from "./vendor-name.tsx";
import { texts } from "../texts.ts";

const { syncs } = texts;

interface SyncRowsProps {
  name: string;
  emptyText: string;
  summaries: readonly SyncSummary[] | undefined;
  onLook(syncId: string): void;
}

export function SyncRows({ name, emptyText, summaries, onLook }: SyncRowsProps): ReactNode {
  return (
    <Listed
      name={name}
      emptyText={emptyText}
      items={summaries}
      columns={[
        [syncs.begun, ({ startedAt }) => moment(startedAt)],
        [
          texts.vendors.vendor,
          ({ vendor, kind }) => (
            <>
              <VendorName code={vendor} />
              {`: ${syncs.kinds[kind]}`}
            </>
          ),
        ],
        [syncs.state, ({ status }) => <WorkStatus state={status} />],
        [syncs.pages, (sync) => <HowFar of={sync} />],
        [syncs.rows, ({ rows }) => syncs.rowCounts(count(rows.read), count(rows.written))],
        [
          syncs.details,
          ({ syncId, vendor, startedAt }) => (
            <Look name={`${vendor} ${moment(startedAt)}`} onClick={() => onLook(syncId)} />
          ),
        ],
      ]}
    />
  );
}

function HowFar({ of: { pages, status, rate } }: { of: SyncSummary }): ReactNode {
  const isRunning = status === "running";
  const text = syncs.pagesDone(pages.done, pages.total);
  return (
    <Progress isRunning={isRunning} percent={pages.total ? (100 * pages.done) / pages.total : undefined}>
      {isRunning ? `${text}, ${syncs.rate(Math.round(rate))}` : text}
    </Progress>
  );
}
