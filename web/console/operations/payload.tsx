import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** What a letter or a task holds, as text. */
export function Payload({ of }: { of: unknown }): ReactNode {
  return (
    <Box
      component="pre"
      tabIndex={0}
      sx={{ m: 0, p: 1, overflow: "auto", maxHeight: "20rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
    >
      {JSON.stringify(of, null, 2)}
    </Box>
  );
}
