import Box from "@mui/material/Box";
import { useState, type ReactNode } from "react";
import { Look } from "./look.tsx";
import { LookDialog } from "./look-dialog.tsx";

/** Shows what an event, a letter or a task holds, as text. */
export function Payload({ name, value }: { name: string; value: unknown }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Look name={name} onClick={() => setOpen(true)} />
      {isOpen && (
        <LookDialog title={name} onClose={() => setOpen(false)}>
          <Box component="pre" sx={{ m: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {JSON.stringify(value, null, 2)}
          </Box>
        </LookDialog>
      )}
    </>
  );
}
