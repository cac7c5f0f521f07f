import type { TimedJob } from "@partline/client";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import type { ReactNode } from "react";
import { moment } from "../shared/format.ts";
import { useMay } from "../may.ts";
import { useAction } from "../shared/use-action.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../shared/refusal.tsx";
import { ListSection } from "../shared/listed.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";

const { syncs } = texts;

/** Shows what runs by itself until it is paused. */
export function Schedule(): ReactNode {
  const { data, refusal } = useReading(["timetable"], (signal) => partline.catalog.timetable({}, { signal }));
  const mayChange = useMay()("catalog:write");
  return (
    <ListSection
      title={syncs.schedule}
      refusal={refusal}
      emptyText={syncs.noJob}
      items={data?.jobs}
      columns={[
        [syncs.job, ({ job }) => job],
        [syncs.every, ({ everySeconds }) => syncs.hours(everySeconds / 3_600)],
        [syncs.succeeded, ({ succeededAt }) => (succeededAt ? moment(succeededAt) : syncs.never)],
        [syncs.next, ({ paused, nextAt }) => (paused ? syncs.paused : nextAt && moment(nextAt))],
        ...(mayChange ? [[syncs.change, (job: TimedJob) => <Switches of={job} />] as const] : []),
      ]}
    />
  );
}

function Switches({ of: { job, paused } }: { of: TimedJob }): ReactNode {
  const pausing = useAction(syncs.isPaused);
  const resuming = useAction(syncs.isResumed);
  const resume = paused ? syncs.resume : syncs.runNow;
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: "wrap" }}>
      {!paused && (
        <Button
          size="small"
          disabled={pausing.isBusy}
          aria-label={`${syncs.pause}: ${job}`}
          onClick={() => pausing.act(() => partline.catalog.pauseJob({ job }))}
        >
          {syncs.pause}
        </Button>
      )}
      <Button
        size="small"
        disabled={resuming.isBusy}
        aria-label={`${resume}: ${job}`}
        onClick={() => resuming.act(() => partline.catalog.resumeJob({ job }))}
      >
        {resume}
      </Button>
      <Refusal error={pausing.refusal ?? resuming.refusal} />
    </Stack>
  );
}
