import type { SyncRows } from "../syncs/collections.ts";
import type { SyncEnding } from "../syncs/sync-runner.ts";

export interface EndingFacts {
  rows: Pick<SyncRows, "read" | "written" | "unchanged" | "refused">;
  discontinued: number;
  /** Pages left when the time was over. */
  outOfTime: number;
  /** Why the end of the listing was not reached. */
  endUnseen: string | undefined;
  /** Pages left out after pages with nothing new. */
  unasked: number;
  /** The listing ended with pages that only repeat. */
  repeats: boolean;
  /** Why missing parts stay active. */
  notUnlisted: string | undefined;
}

/** Returns how a full sync that read a page ended, with notes for the operator. */
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
