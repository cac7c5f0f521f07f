import { type Remark } from "@partline/price-files";
import { createRemark } from "../remarks.ts";
import type { SyncRows } from "./records.ts";
import type { SyncEnding } from "./sync-runner.ts";

interface EndingFacts {
  rows: Pick<SyncRows, "read" | "written" | "unchanged" | "refused">;
  discontinued: number;
  /** Pages left when the time was over. */
  outOfTime: number;
  /** Why the end of the listing was not reached. */
  endUnseen: Remark | undefined;
  /** Pages left out after pages with nothing new. */
  unasked: number;
  /** The listing ended with pages that only repeat. */
  repeats: boolean;
  /** Why missing parts stay active. */
  notUnlisted: Remark | undefined;
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
  notes: Remark[];
} {
  const notes = [
    outOfTime > 0
      ? createRemark("time_over_before_pages", { pages: outOfTime })
      : endUnseen !== undefined && createRemark("end_not_found", { cause: endUnseen }),
    unasked > 0
      ? createRemark(repeats ? "pages_repeat" : "pages_empty", { pages: unasked })
      : repeats && createRemark("listing_repeats"),
    rows.refused > 0 && createRemark("items_unusable", { refused: rows.refused, read: rows.read }),
    notUnlisted !== undefined && createRemark("none_discontinued", { cause: notUnlisted }),
    discontinued > 0 && createRemark("discontinued", { parts: discontinued }),
  ].filter((note) => note !== false);
  if (notUnlisted === undefined && rows.refused === 0) return { status: "completed", notes };
  if (rows.written + rows.unchanged + discontinued > 0) return { status: "partially_failed", notes };
  return { status: "failed", notes: [createRemark(rows.read === 0 ? "nothing_read" : "no_item_usable"), ...notes] };
}

interface ListingFacts {
  pagesFailed: number;
  pagesUnasked: number;
  /** Why the end of the listing was not reached. */
  endUnseen: Remark | undefined;
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
export function explainNotUnlisted(facts: ListingFacts): Remark | undefined {
  const { pagesFailed, pagesUnasked, endUnseen, announced, unidentified, listed, activeBefore } = facts;
  if (pagesFailed > 0) return createRemark("pages_unread", { pages: pagesFailed });
  if (pagesUnasked > 0) return createRemark("pages_unasked", { pages: pagesUnasked });
  if (endUnseen !== undefined) return createRemark("end_unseen");
  if (unidentified > 0) return createRemark("items_unidentified", { items: unidentified });
  // A repeated item may have displaced another.
  if (listed < announced) return createRemark("listing_short", { announced, listed });
  if (listed < activeBefore * PLAUSIBLE_SHARE)
    return createRemark("listing_implausible", { listed, active: activeBefore });
  return undefined;
}
