import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** A text that may be one long word: it pushes nothing beside it out of sight. */
export function Long({ children }: { children: string }): ReactNode {
  return (
    <Box component="span" sx={{ display: "inline-block", minWidth: "8rem", overflowWrap: "anywhere" }}>
      {children}
    </Box>
  );
}
