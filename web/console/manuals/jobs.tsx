import type { JobSummary } from "@partline/client";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import { useState, type ReactNode } from "react";
import { useRefresh } from "react-admin";
import { moment } from "../format.ts";
import { Section } from "../orders/section.tsx";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { Status } from "../status.tsx";
import { texts } from "../texts.ts";
import { useWatched } from "../use-watched.ts";
import { JobDialog } from "./job-dialog.tsx";
import { isUnderWay } from "./under-way.ts";

const { manuals } = texts;
const NEWEST = { pagination: { page: 1, perPage: 10 } };

/** What is being read, page by page, and what was of late. It is the server's: a reload shows it as it is then. */
export function Jobs(): ReactNode {
  const refresh = useRefresh();
  const [open, setOpen] = useState<string>();
  const { data, error } = useWatched<JobSummary & { id: string }>(
    "manual-jobs",
    { isRunning: isUnderWay, onEnded: refresh },
    NEWEST,
  );
  return (
    <Section title={manuals.jobs}>
      <Refusal of={error} />
      <Listed
        name={manuals.jobs}
        none={manuals.noJob}
        of={data}
        columns={[
          [manuals.files, ({ file_names }) => file_names.join(", ")],
          [manuals.begun, ({ created_at }) => moment(created_at)],
          [manuals.state, ({ status }) => <Status of={status} />],
          [manuals.pages, (job) => <Progress of={job} />],
          [
            manuals.details,
            ({ batch_id, file_names }) => (
              <Button
                size="small"
                aria-label={`${manuals.look}: ${file_names.join(", ")}`}
                onClick={() => setOpen(batch_id)}
              >
                {manuals.look}
              </Button>
            ),
          ],
        ]}
      />
      {open !== undefined && <JobDialog batchId={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Progress({ of: job }: { of: JobSummary }): ReactNode {
  const { pages, percent, eta_seconds: left } = job.progress;
  const said = manuals.pagesRead(pages.done, pages.total);
  if (!isUnderWay(job)) return said;
  return (
    <Box sx={{ minWidth: "10rem" }}>
      <LinearProgress variant="determinate" value={percent} aria-label={said} />
      {left === null ? said : `${said}, ${manuals.left(left)}`}
    </Box>
  );
}
