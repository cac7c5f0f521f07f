import type { SyncRows } from "../syncs/collections.ts";
import type { SyncEnding } from "../syncs/sync-runner.ts";

export interface EndingFacts {
  rows: Pick<SyncRows, "read" | "written" | "unchanged" | "refused">;
  discontinued: number;
  /** Pages that nobody asked for because the time was over. */
  outOfTime: number;
  /**
   * Why it was not seen whether anything comes behind the pages that the supplier says it has; undefined when it was.
   */
  endUnseen: string | undefined;
  /** Pages that nobody asked for because those before them had nothing, or nothing new. */
  unasked: number;
  /** Whether the listing was taken to end where pages only had again what was listed before. */
  repeats: boolean;
  /** Why parts that were not listed were not taken for gone. */
  notUnlisted: string | undefined;
}

/** How a full sync that has read a page ended, and what an operator should know of it. */
export function endingOf({ rows, discontinued, outOfTime, endUnseen, unasked, repeats, notUnlisted }: EndingFacts): {
  status: SyncEnding["status"];
  notes: string[];
} {
  const notes: string[] = [];
  if (outOfTime > 0) notes.push(`Its time was over before its last ${outOfTime} pages were asked for`);
  else if (endUnseen !== undefined) notes.push(`The end of the listing was not found: ${endUnseen}`);
  if (unasked > 0)
    notes.push(`${unasked} pages were not asked for: those before them ${repeats ? "had nothing new" : "were empty"}`);
  else if (repeats)
    notes.push(
      "Behind the pages that it says it has come items that it listed before: that was taken for the end of the listing",
    );
  if (rows.refused > 0) notes.push(`${rows.refused} of ${rows.read} items could not be used`);
  if (notUnlisted !== undefined) notes.push(`No part was discontinued for not being listed: ${notUnlisted}`);
  if (discontinued > 0) notes.push(`${discontinued} parts were discontinued: they are no longer listed`);
  const isWhole = notUnlisted === undefined && rows.refused === 0;
  if (isWhole) return { status: "completed", notes };
  if (rows.written + rows.unchanged + discontinued > 0) return { status: "partially_failed", notes };
  return { status: "failed", notes: [rows.read === 0 ? "Nothing was read" : "No item could be used", ...notes] };
}
