import Chip, { type ChipProps } from "@mui/material/Chip";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";

const COLORS: Record<string, "success" | "warning" | "error" | "info"> = {
  pending: "warning",
  processing: "info",
  shipped: "success",
  delivered: "success",
  cancelled: "error",
  paid: "success",
  failed: "error",
  shippingUnderpaid: "warning",
  refunded: "info",
  partially_refunded: "info",
  backordered: "warning",
  packed: "success",
  pickup: "info",
  pickup_shipped: "info",
  pickup_delivered: "success",
  dispute_open: "error",
  dispute_lost: "error",
  dispute_inquiry: "warning",
  running: "info",
  published: "success",
  refused: "warning",
  completed: "success",
  partially_failed: "warning",
  up: "success",
  degraded: "warning",
  down: "error",
  starting: "info",
  gone: "error",
};

/** The state of work that runs at the server: an order is cancelled, a job is stopped. */
export function WorkStatus({ state }: { state: string }): ReactNode {
  return <State color={COLORS[state]} words={texts.workStatuses[state] ?? state} />;
}

/** Names a state, of several pieces by the word for them. */
export const nameState = (state: string, count = 1): string =>
  (count === 1 ? undefined : texts.statusesOfMany[state]) ?? texts.statuses[state] ?? state;

/** A state in words: its colour says nothing that the words do not. */
export function Status({ state, count, detail }: { state: string; count?: number; detail?: string }): ReactNode {
  const words = [count, nameState(state, count)].filter((word) => word !== undefined).join(" ");
  return <State color={COLORS[state]} words={detail === undefined ? words : `${words}: ${detail}`} />;
}

function State({ color = "default", words }: { color?: ChipProps["color"]; words: string }): ReactNode {
  return <Chip size="small" variant="outlined" color={color} label={words} />;
}
