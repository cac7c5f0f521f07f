import type { PageSummary } from "@partline/client";
import { texts } from "../texts.ts";

const { manuals } = texts;

export type PageState = Pick<PageSummary, "check" | "recognition" | "error" | "error_code">;

/** Why a page needs a look, and what recognition did; undefined if there is nothing to say. */
export function describeState({ check, recognition, error, error_code: code }: PageState): string | undefined {
  const reason = check === null ? undefined : manuals.checkReasons[check];
  const phrases = [
    reason,
    recognition === null ? undefined : manuals.recognition[recognition],
    code === null ? (error ?? undefined) : manuals.pageErrors[code],
  ];
  return phrases.filter((text) => text !== undefined).join(": ") || undefined;
}

export function isWaiting({ recognition }: PageState): boolean {
  return recognition === "waiting";
}
