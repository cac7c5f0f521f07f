import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import { useId, type ReactNode } from "react";
import { Refusal } from "./refusal.tsx";
import { texts } from "../texts.ts";
import { useAction } from "./use-action.ts";

interface ActionDialogProps {
  title: string;
  submit: string;
  done: string;
  onClose(): void;
  /** Said as long as there is nothing to run. */
  missing?: string;
  run: (() => Promise<unknown>) | undefined;
  children: ReactNode;
}

/** A form that does one thing to an order. A refusal stands in it, in the words of the API, and nothing typed is lost. */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { title, submit, done, missing = texts.actions.nothingChosen, onClose, run, children } = props;
  const id = useId();
  const { act, refusal, isBusy } = useAction(done, onClose);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (run) act(run);
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            {children}
            {!run && <Alert severity="info">{missing}</Alert>}
            <Refusal of={refusal} />
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts.actions.close}</Button>
          <Button type="submit" variant="contained" disabled={!run || isBusy}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
