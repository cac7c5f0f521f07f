import type { Job } from "@partline/client";
import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { Link } from "react-admin";
import { partline } from "../partline.ts";
import { Progress } from "../shared/progress.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { isUnderWay } from "./under-way.ts";

const { manuals } = texts;

type File = Job["files"][number];

/** What came of an upload: how far it is read, and at its end what was found and what to do. */
export function UploadOutcome({ batchId }: { batchId: string }): ReactNode {
  const { data: job } = useReading(
    ["manual-job", batchId],
    (signal) => partline.pipeline.job({ batch_id: batchId }, { signal }),
    { isRunning: isUnderWay },
  );
  if (!job) return null;
  const { pages, percent } = job.progress;
  if (isUnderWay(job))
    return (
      <Progress isRunning percent={percent}>
        {manuals.pagesRead(pages.done, pages.total)}
      </Progress>
    );
  return job.files.map((file) => (
    <Alert key={file.name} severity={file.error ? "error" : needsLook(file) ? "warning" : "success"}>
      <Outcome of={file} />
    </Alert>
  ));
}

/** `12 parts, 2 models, 3 pages need a look`, and whether the machine is asked for, with a link. */
export function Outcome({ of: file }: { of: File }): ReactNode {
  const { sha256, status, removed, parts, models = 0, pages_to_check = 0, unsure, error: reason } = file;
  if (removed) return manuals.removed;
  if (status === "failed" || status === "cancelled") return reason ?? null;
  if (isUnderWay(file)) return null;
  return (
    <>
      {manuals.describeOutcome(parts, models, pages_to_check)}{" "}
      {unsure && <Link to={`/manuals/${sha256}/show`}>{manuals.askMachine}</Link>}
    </>
  );
}

function needsLook({ unsure, pages_to_check = 0 }: File): boolean {
  return unsure !== undefined || pages_to_check > 0;
}
