import type { JobSummary } from "@partline/client";
import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { partline } from "../partline.ts";
import { moment } from "../shared/format.ts";
import { ListSection } from "../shared/listed.tsx";
import { Look } from "../shared/look.tsx";
import { Progress } from "../shared/progress.tsx";
import { WorkStatus } from "../shared/status.tsx";
import { texts } from "../texts.ts";
import { useReading } from "../shared/use-reading.ts";
import { JobDialog } from "./job-dialog.tsx";
import { isUnderWay } from "./under-way.ts";

const { manuals } = texts;
const NEWEST = { page: 1, pageSize: 10 };

/**
 * Lists what is being read, page by page, and what was read recently. The state is the server's, so a reload shows it.
 */
export function Jobs(): ReactNode {
  const refresh = useRefresh();
  const [open, setOpen] = useState<string>();
  const { data, refusal } = useReading(["manual-jobs"], (signal) => partline.pipeline.jobs(NEWEST, { signal }), {
    isRunning: ({ jobs }) => jobs.some(isUnderWay),
    onEnded: refresh,
  });
  return (
    <ListSection
      title={manuals.jobs}
      refusal={refusal}
      emptyText={manuals.noJob}
      items={data?.jobs}
      columns={[
        [manuals.files, ({ file_names }) => file_names.join(", ")],
        [manuals.begun, ({ created_at }) => moment(created_at)],
        [manuals.state, ({ status }) => <WorkStatus state={status} />],
        [manuals.pages, (job) => <HowFar of={job} />],
        [
          manuals.details,
          ({ batch_id, file_names }) => <Look name={file_names.join(", ")} onClick={() => setOpen(batch_id)} />,
        ],
      ]}
    >
      {open !== undefined && <JobDialog batchId={open} onClose={() => setOpen(undefined)} />}
    </ListSection>
  );
}

function HowFar({ of: job }: { of: JobSummary }): ReactNode {
  const { pages, percent, eta_seconds: left } = job.progress;
  const isRunning = isUnderWay(job);
  const text = manuals.pagesRead(pages.done, pages.total);
  return (
    <Progress isRunning={isRunning} percent={percent}>
      {isRunning && left !== null ? `${text}, ${manuals.left(left)}` : text}
    </Progress>
  );
}
