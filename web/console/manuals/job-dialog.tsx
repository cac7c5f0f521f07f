import type { Job } from "@partline/client";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, type ReactNode } from "react";
import { Link, useGetOne } from "react-admin";
import { Confirmed } from "../confirmed.tsx";
import { useMay } from "../may.ts";
import { partline } from "../partline.ts";
import { Refusal } from "../refusal.tsx";
import { Listed } from "../listed.tsx";
import { Status } from "../status.tsx";
import { texts } from "../texts.ts";
import { isUnderWay } from "./under-way.ts";

const { manuals } = texts;

/** The files of a job: what was found in each, or why it failed. */
export function JobDialog({ batchId, onClose }: { batchId: string; onClose(): void }): ReactNode {
  const id = useId();
  const { data: job, error } = useGetOne<Job & { id: string }>("manual-job-files", { id: batchId });
  const mayCancel = useMay()("manuals:write") && job && isUnderWay(job);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>{manuals.files}</DialogTitle>
      <DialogContent>
        <Refusal of={error} />
        <Listed
          name={manuals.files}
          none={manuals.noJob}
          of={job?.files}
          columns={[
            [
              manuals.name,
              ({ name, sha256, status, removed }) =>
                sha256 && !removed && status !== "failed" ? <Link to={`/manuals/${sha256}/show`}>{name}</Link> : name,
            ],
            [manuals.state, ({ status, removed }) => (removed ? manuals.removed : <Status of={status} />)],
            [manuals.pages, ({ pages }) => pages],
            [manuals.parts, ({ parts }) => parts],
            [manuals.tables, ({ tables }) => tables],
            [manuals.why, ({ error: reason }) => reason],
          ]}
        />
      </DialogContent>
      <DialogActions>
        {mayCancel && (
          <Confirmed
            label={manuals.cancel}
            question={manuals.cancelQuestion}
            done={manuals.cancelled}
            run={() => partline.pipeline.cancel({ batch_id: batchId })}
          />
        )}
        <Button onClick={onClose}>{texts.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
