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

/** Shows what came of an upload: how far it is read, and at its end what was found and what to do. */
export function UploadOutcome({ batchId }: { batchId: string }): ReactNode {
  const { data: job } = useReading(
    ["manual-job", batchId],
    (signal) => partline.pipeline.job({ batch_id: batchId }, { signal }),
    { isRunning: isUnderWay },
  );
  if (!job) return null;
  const { pages, percent } = job.progress;
  return (
    <>
      {isUnderWay(job) && (
        <Progress isRunning percent={percent}>
          {manuals.pagesRead(pages.done, pages.total)}
        </Progress>
      )}
      {job.files.map(
        (file) =>
          (file.usable || !isUnderWay(file)) && (
            <Alert key={file.name} severity={chooseSeverity(file)}>
              <Outcome of={file} />
            </Alert>
          ),
      )}
    </>
  );
}

/**
 * `12 parts, 2 models, 3 pages need a look`, what is still to be recognised or stays a picture, and whether the machine
 * is asked for, with a link.
 */
export function Outcome({ of: file }: { of: File }): ReactNode {
  const { sha256, status, usable, removed, parts, models = 0, pages_to_check = 0, unsure } = file;
  const { pages_recognising: recognising, pages_list_pictures: pictures, recognition_off: isOff = false } = file;
  if (removed) return manuals.removed;
  if (status === "failed" || status === "cancelled") return explainFailure(file) ?? null;
  if (isUnderWay(file) && !usable) return null;
  const sentences = [
    manuals.describeOutcome(parts, models, pages_to_check),
    recognising && manuals.describeRecognition(recognising),
    pictures && manuals.describeListPictures(pictures, isOff),
  ];
  return (
    <>
      {sentences.filter(Boolean).join(" ")}{" "}
      <Link to={`/manuals/${sha256}/show`}>{unsure ? manuals.askMachine : manuals.look}</Link>
    </>
  );
}

/** Why a file failed, or was not read as a whole. */
export function explainFailure({ error: reason, error_code: code }: File): string | undefined {
  return code === undefined ? reason : manuals.fileErrors[code];
}

function chooseSeverity({ error: reason, unsure, usable, pages_to_check = 0, pages_list_pictures = 0 }: File) {
  if (reason !== undefined) return "error";
  if (unsure !== undefined || pages_to_check + pages_list_pictures > 0) return "warning";
  return usable ? "info" : "success";
}
