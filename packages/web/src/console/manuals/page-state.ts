import type { PageSummary } from "@partline/client";
import { texts } from "../texts.ts";

const { manuals } = texts;

export type PageState = Pick<PageSummary, "check" | "recognition" | "error">;

/** Why a page needs a look, and what recognition did; undefined if there is nothing to say. */
export function describeState({ check, recognition, error }: PageState): string | undefined {
  const reason = check === null ? undefined : manuals.checkReasons[check];
  const phrases = [reason, recognition === null ? undefined : manuals.recognition[recognition], error ?? undefined];
  return phrases.filter((text) => text !== undefined).join(": ") || undefined;
}

export function isWaiting({ recognition }: PageState): boolean {
  return recognition === "waiting";
}
