import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";

/** Why something failed, in the words of the API. */
export function Refusal({ of }: { of: Error | string | null | undefined }): ReactNode {
  if (of === undefined || of === null) return null;
  return (
    <Alert severity="error" role="alert">
      {typeof of === "string" ? of : of.message}
    </Alert>
  );
}
