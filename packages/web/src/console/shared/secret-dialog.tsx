import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import { useId, useRef, type ReactNode } from "react";
import { useNotify } from "react-admin";
import { texts } from "../texts.ts";

interface SecretDialogProps {
  title: string;
  secret: string;
  onClose(): void;
}

/** A secret that the API shows once. It is in no store and no address: closed, it is gone. */
export function SecretDialog({ title, secret, onClose }: SecretDialogProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      notify(texts.secret.copied, { type: "success" });
    } catch {
      // Without TLS there is no clipboard, and it may be forbidden.
      field.current?.select();
      notify(texts.secret.selected, { type: "info" });
    }
  };
  return (
    // A click beside it must not lose it.
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Stack spacing={2} sx={{ pt: 1 }}>
          <Alert severity="warning">{texts.secret.once}</Alert>
          <TextField
            multiline
            inputRef={field}
            label={title}
            value={secret}
            slotProps={{ htmlInput: { readOnly: true, spellCheck: false } }}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void copy()}>{texts.secret.copy}</Button>
        <Button variant="contained" onClick={onClose}>
          {texts.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
