import Button from "@mui/material/Button";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";

/** The button of a row that opens what there is to look at. @param name of the row, for screen readers */
export function Look({ name, onClick }: { name: string; onClick(): void }): ReactNode {
  return (
    <Button size="small" aria-label={`${texts.look}: ${name}`} onClick={onClick}>
      {texts.look}
    </Button>
  );
}
