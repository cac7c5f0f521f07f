import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";

/** Why something did not succeed, in the words of the API. */
export function Refusal({ of }: { of: string | undefined }): ReactNode {
  return (
    of !== undefined && (
      <Alert severity="error" role="alert">
        {of}
      </Alert>
    )
  );
}
