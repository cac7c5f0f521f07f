import type { Import } from "@partline/client";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, type ReactNode } from "react";
import { useGetOne } from "react-admin";
import { moment } from "../format.ts";
import { Refusal } from "../refusal.tsx";
import { texts } from "../texts.ts";
import { Report } from "./report.tsx";

/** How an import ended, whoever began it. The file is no longer at hand, so refused rows are named by their lines. */
export function ImportDialog({ importId, onClose }: { importId: string; onClose(): void }): ReactNode {
  const id = useId();
  const { data, error } = useGetOne<Import & { id: string }>("import-reports", { id: importId });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>{data ? `${data.vendor} · ${moment(data.startedAt)}` : texts.loading}</DialogTitle>
      <DialogContent>
        <Refusal of={error ?? data?.reason} />
        {data?.status === "completed" && <Report isDryRun={data.dryRun} report={data} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{texts.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
