import Alert from "@mui/material/Alert";
import type { ReactNode } from "react";
import { wordsOf } from "./words-of.ts";

/** Why something failed, in the words of the API. */
export function Refusal({ of }: { of: Error | string | null | undefined }): ReactNode {
  if (of === undefined || of === null) return null;
  return (
    <Alert severity="error" role="alert">
      {typeof of === "string" ? of : wordsOf(of)}
    </Alert>
  );
}
