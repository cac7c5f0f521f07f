import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";

/** Why something failed, in the words of the API. */
export function Refusal({ of }: { of: unknown }): ReactNode {
  if (of === undefined || of === null) return null;
  return (
    <Alert severity="error" role="alert">
      {of instanceof Error ? of.message : String(of)}
    </Alert>
  );
}
