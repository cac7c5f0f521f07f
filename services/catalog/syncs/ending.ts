import type { SyncRows } from "./records.ts";
import type { SyncEnding } from "./sync-runner.ts";

interface EndingFacts {
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
export function resolveEnding({
  rows,
  discontinued,
  outOfTime,
  endUnseen,
  unasked,
  repeats,
  notUnlisted,
}: EndingFacts): {
  status: SyncEnding["status"];
  notes: string[];
} {
  const notes = [
    outOfTime > 0
      ? `Its time was over before its last ${outOfTime} pages were asked for`
      : endUnseen !== undefined && `The end of the listing was not found: ${endUnseen}`,
    unasked > 0
      ? `${unasked} pages were not asked for: those before them ${repeats ? "had nothing new" : "were empty"}`
      : repeats &&
        "Behind the pages that it says it has come items that it listed before: that was taken for the end of the listing",
    rows.refused > 0 && `${rows.refused} of ${rows.read} items could not be used`,
    notUnlisted !== undefined && `No part was discontinued for not being listed: ${notUnlisted}`,
    discontinued > 0 && `${discontinued} parts were discontinued: they are no longer listed`,
  ].filter((note) => note !== false);
  if (notUnlisted === undefined && rows.refused === 0) return { status: "completed", notes };
  if (rows.written + rows.unchanged + discontinued > 0) return { status: "partially_failed", notes };
  return { status: "failed", notes: [rows.read === 0 ? "Nothing was read" : "No item could be used", ...notes] };
}

interface ListingFacts {
  pagesFailed: number;
  pagesUnasked: number;
  /** Why the end of the listing was not reached. */
  endUnseen: string | undefined;
  /** According to the supplier. */
  announced: number;
  /** Items without a readable number. */
  unidentified: number;
  /** Different parts among the others. */
  listed: number;
  activeBefore: number;
}

/** A listing with a smaller share of the active parts is taken for broken. */
const PLAUSIBLE_SHARE = 0.5;

/** Returns why missing parts must stay active; undefined if they may be discontinued. */
export function explainNotUnlisted(facts: ListingFacts): string | undefined {
  const { pagesFailed, pagesUnasked, endUnseen, announced, unidentified, listed, activeBefore } = facts;
  if (pagesFailed > 0) return `${pagesFailed} of its pages could not be read`;
  if (pagesUnasked > 0) return `${pagesUnasked} of its pages were not asked for`;
  if (endUnseen !== undefined) return "the end of the listing was not found";
  if (unidentified > 0) return `${unidentified} of its items have no item number that can be read`;
  // A repeated item may have displaced another.
  if (listed < announced)
    return `the supplier says that it lists ${announced} items, and its pages have ${listed} different ones`;
  if (listed < activeBefore * PLAUSIBLE_SHARE) return `it has ${listed} parts where ${activeBefore} were active before`;
  return undefined;
}
