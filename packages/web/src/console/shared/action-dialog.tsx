import type { CallOptions } from "@partline/client";
import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import { useId, useRef, type ReactNode } from "react";
import { newId } from "../../shared/new-id.ts";
import { Refusal } from "./refusal.tsx";
import { texts } from "../texts.ts";
import { useAction } from "./use-action.ts";

export type Act = (call: CallOptions) => Promise<unknown>;

interface ActionDialogProps {
  title: string;
  submit: string;
  done: string;
  onClose(): void;
  /** Said as long as there is nothing to run. */
  hint?: string;
  /** What is typed. As long as it stays the same, each press is the same act, with one Idempotency-Key. */
  values: unknown;
  run: Act | undefined;
  children: ReactNode;
}

/**
 * A form that does one thing to an order. A refusal stands in it, in the words of the API, and nothing typed is lost.
 */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { title, submit, done, hint = texts.actions.nothingChosen, onClose, values, run, children } = props;
  const id = useId();
  const keys = useRef<Record<string, string>>({});
  const { act, refusal, isBusy } = useAction(done, onClose);
  return (
    <Dialog open onClose={isBusy ? undefined : onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (run) act(() => run({ idempotencyKey: (keys.current[JSON.stringify(values)] ??= newId()) }));
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack spacing={2} sx={{ pt: 1 }}>
            {children}
            {!run && <Alert severity="info">{hint}</Alert>}
            {/* Of what cannot be sent any more, the hint speaks. */}
            <Refusal error={run && refusal} />
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={isBusy}>
            {texts.actions.close}
          </Button>
          <Button type="submit" variant="contained" disabled={!run || isBusy}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
