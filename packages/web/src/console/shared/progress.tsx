import Box from "@mui/material/Box";
import LinearProgress from "@mui/material/LinearProgress";
import type { ReactNode } from "react";

interface ProgressProps {
  isRunning: boolean;
  /** Percent done, where it is known. */
  percent?: number | undefined;
  /** How far it is. */
  children: string;
}

/** How far work is, in words, and as a bar as long as it runs. */
export function Progress({ isRunning, percent, children }: ProgressProps): ReactNode {
  if (!isRunning) return children;
  return (
    <Box sx={{ minWidth: "9rem" }}>
      <LinearProgress
        variant={percent === undefined ? "indeterminate" : "determinate"}
        value={percent ?? 0}
        aria-label={children}
      />
      {children}
    </Box>
  );
}
