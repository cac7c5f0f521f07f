import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { describeProblem } from "./words-of.ts";

/** Why something failed, in the words of the API. */
export function Refusal({ error }: { error: Error | string | null | undefined }): ReactNode {
  if (error === undefined || error === null) return null;
  return (
    <Alert severity="error" role="alert">
      {typeof error === "string" ? error : describeProblem(error)}
    </Alert>
  );
}
