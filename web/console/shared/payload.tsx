import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useId, useState, type ReactNode } from "react";
import { texts } from "../texts.ts";

/** What a letter or a task holds, as text. */
export function Payload({ name, of }: { name: string; of: unknown }): ReactNode {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button size="small" aria-label={`${texts.deadLetters.look}: ${name}`} onClick={() => setOpen(true)}>
        {texts.deadLetters.look}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="md" aria-labelledby={id}>
        <DialogTitle id={id}>{name}</DialogTitle>
        <DialogContent>
          <Box component="pre" tabIndex={0} sx={{ m: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {JSON.stringify(of, null, 2)}
          </Box>
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{texts.actions.close}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
