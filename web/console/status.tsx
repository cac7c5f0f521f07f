import Chip from "@mui/material/Chip";
import type { ReactNode } from "react";
import { en } from "./texts/en.ts";

const COLORS: Record<string, "success" | "warning" | "error" | "info"> = {
  pending: "warning",
  processing: "info",
  shipped: "success",
  delivered: "success",
  cancelled: "error",
  paid: "success",
  failed: "error",
  refunded: "info",
  partially_refunded: "info",
  running: "info",
  published: "success",
  refused: "warning",
  completed: "success",
  partially_failed: "warning",
};

/** A state in words: its colour says nothing that the words do not. */
export function Status({ of }: { of: string }): ReactNode {
  return <Chip size="small" variant="outlined" color={COLORS[of] ?? "default"} label={en.statuses[of] ?? of} />;
}
