import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Refusal } from "./refusal.tsx";

interface LookDialogProps {
  /** Undefined until it is known. */
  title: string | undefined;
  refusal?: string | null | undefined;
  onClose(): void;
  /** Beside the button that closes it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Something to look at. */
export function LookDialog({ title = texts.loading, refusal, onClose, actions, children }: LookDialogProps): ReactNode {
  const id = useId();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: "anywhere" }}>
        {title}
      </DialogTitle>
      {/* The keyboard scrolls what is long. */}
      <DialogContent tabIndex={0}>
        <Refusal error={refusal} />
        {children}
      </DialogContent>
      <DialogActions>
        {actions}
        <Button onClick={onClose}>{texts.actions.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
