import Box from "@mui/material/Box";
import type { ReactNode } from "react";

/** Sections beside each other where there is room. */
export function Grid({ children }: { children: ReactNode }): ReactNode {
  return (
    <Box
      sx={{
        ...{ display: "grid", gap: 2, gridTemplateColumns: "repeat(auto-fit, minmax(min(28rem, 100%), 1fr))" },
        "& > *": { minWidth: 0 },
      }}
    >
      {children}
    </Box>
  );
}
