import type { ReactNode } from "react";
import { Link } from "react-admin";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Confirmed } from "../shared/confirmed.tsx";
import { Listed } from "../shared/listed.tsx";
import { LookDialog } from "../shared/look-dialog.tsx";
import { WorkStatus } from "../shared/status.tsx";
import { useReading } from "../shared/use-reading.ts";
import { texts } from "../texts.ts";
import { explainFailure, Outcome } from "./outcome.tsx";
import { isUnderWay } from "./under-way.ts";

const { manuals } = texts;

/** The files of a job: what was found in each, or why it failed. */
export function JobDialog({ batchId, onClose }: { batchId: string; onClose(): void }): ReactNode {
  const { data: job, refusal } = useReading(
    ["manual-job", batchId],
    (signal) => partline.pipeline.job({ batch_id: batchId }, { signal }),
    { isRunning: isUnderWay },
  );
  const mayCancel = useMay()("manuals:write") && job && isUnderWay(job);
  const cancel = mayCancel && (
    <Confirmed
      label={manuals.cancel}
      question={manuals.cancelQuestion}
      done={manuals.cancelled}
      run={() => partline.pipeline.cancel({ batch_id: batchId })}
    />
  );
  return (
    <LookDialog title={manuals.files} refusal={refusal} onClose={onClose} actions={cancel}>
      <Listed
        name={manuals.files}
        emptyText={manuals.noJob}
        items={job?.files}
        columns={[
          [
            manuals.name,
            ({ name, sha256, status, removed }) =>
              sha256 && !removed && status !== "failed" ? <Link to={`/manuals/${sha256}/show`}>{name}</Link> : name,
          ],
          [
            manuals.state,
            ({ status, removed, usable }) =>
              removed ? manuals.removed : usable ? manuals.usable : <WorkStatus state={status} />,
          ],
          [manuals.pages, ({ pages }) => pages],
          [manuals.found, (file) => <Outcome of={file} />],
          [manuals.why, (file) => explainFailure(file)],
        ]}
      />
    </LookDialog>
  );
}
