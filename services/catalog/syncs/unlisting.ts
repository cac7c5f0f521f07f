export interface ListingFacts {
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
  /** Before the sync. */
  activeBefore: number;
}

/** A listing with a smaller share of the active parts is taken for broken. */
const PLAUSIBLE_SHARE = 0.5;

/** Returns why missing parts must stay active; undefined if they may be discontinued. */
export function whyNotUnlisted({
  pagesFailed,
  pagesUnasked,
  endUnseen,
  announced,
  unidentified,
  listed,
  activeBefore,
}: ListingFacts): string | undefined {
  if (pagesFailed > 0) return `${pagesFailed} of its pages could not be had`;
  if (pagesUnasked > 0) return `${pagesUnasked} of its pages were not asked for`;
  if (endUnseen !== undefined) return "the end of the listing was not found";
  if (unidentified > 0) return `${unidentified} of its items have no item number that can be read`;
  // A repeated item may have displaced another.
  if (listed < announced)
    return `the supplier says that it lists ${announced} items, and its pages have ${listed} different ones`;
  if (listed < activeBefore * PLAUSIBLE_SHARE) return `it has ${listed} parts where ${activeBefore} were active before`;
  return undefined;
}
